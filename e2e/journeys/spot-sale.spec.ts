import type { App } from '../support/app.ts';
import { expect, test } from '../support/test.ts';
import { mostAbove } from '../support/worst.ts';

const SOLD = '0.0100\u00a0BTC';

/** The review of a sale of 0.01 BTC of a kind at 61,000 or below; returns its button. */
async function check(app: App, kind: 'limit' | 'stop', prices: Record<string, string>) {
  await app.page.getByRole('button', { name: new RegExp(`^(${app.t('trade.kind.limit')}|${app.t('trade.kind.stop')})$`) }).filter({ visible: true }).click();
  await app.sheet.getByRole('radio', { name: app.t(`trade.kind.${kind}`) }).first().click();
  await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
  for (const [field, price] of Object.entries(prices)) await app.field(field).fill(price);
  await app.field('trade.amount').fill('0.01');
  await app.button('trade.reviewSell').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.check') })).toBeVisible();
  return app.sheet.getByRole('button', { name: app.t('trade.order.sell', { amount: SOLD }) });
}

test('spot: a limit sale and a stop sale say above the button what is given away', async ({ app }) => {
  await app.pin('BTC/USDT', '60000');
  const member = await app.member();
  await app.fund(member, 'BTC', '0.05');
  await app.signIn(member);
  await app.open('trade/kline', 'symbol=BTC/USDT');
  await app.button('trade.sell').click();
  for (const [kind, prices] of [
    ['limit', { 'trade.price': '61000' }],
    ['stop', { 'trade.stop': '59000', 'trade.price': '58900' }],
  ] as const) {
    const button = await check(app, kind, prices);
    await mostAbove(app, 'trade.give', SOLD, button);
    await app.sound(`the check of a sale, ${kind}`);
    await button.click();
    await expect(app.sheet.getByRole('heading', { name: app.t('trade.receipt'), exact: true })).toBeVisible();
    await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
    await expect(app.sheet).toHaveCount(0);
  }
  await app.release('BTC/USDT');
});
