import type { App } from '../support/app.ts';
import { form as contract, free as marginOf, open, tab, trader } from '../support/contracts.ts';
import { buyer, form, free } from '../support/options.ts';
import { expect, test } from '../support/test.ts';

/** From the sheet that is short of money to as much paper money for it. */
async function more(app: App, account: string, amount: string): Promise<void> {
  await app.sheet.getByRole('link', { name: app.t('trade.paperMoney'), exact: true }).click();
  await app.settled();
  await expect(app.page.getByRole('main').filter({ visible: true })).toContainText(app.t(account));
  await app.field('assets.amount').fill(amount);
  await app.button('assets.getAmount', { amount: `${app.number(amount, 2)}\u00a0USDT` }).click();
  await expect(app.button('assets.more')).toBeVisible();
}

test('paper money goes to the account of options when they are short of it', async ({ app, server }) => {
  const member = await buyer(app, server, '1');
  await app.pin('BTC/USDT', '100000.00');
  await form(app, 'options.up', '10');
  await more(app, 'account.micro', '100');
  expect(await free(server, member)).toBe('101.000000');
  await app.open('option/detail');
  await form(app, 'options.up', '10');
  await expect(app.button('options.review', { direction: app.t('options.up') })).toBeEnabled();
});

test('paper money goes to the account of contracts when they are short of it, and an order that waits keeps its price clear of its button', async ({ app, server }) => {
  const member = await trader(app, server, '1');
  await app.pin('BTC/USDT', '100000.00');
  await contract(app, 'long');
  await more(app, 'account.lever', '500');
  expect(await marginOf(server, member)).toBe('501.000000');
  await app.open('lever/index');
  await open(app, 'long', { limit: '90000', stop: null, profit: null });
  await tab(app, 'waiting').click();
  const price = await app.page.getByText('90,000.00', { exact: true }).filter({ visible: true }).boundingBox();
  const cancel = await app.page.getByRole('button', { name: /^Cancel the order/ }).filter({ visible: true }).boundingBox();
  expect((cancel?.x ?? 0) - (price?.x ?? 0) - (price?.width ?? 0)).toBeGreaterThanOrEqual(8);
});
