import type { App } from '../support/app.ts';
import { farFromMidnight } from '../support/clock.ts';
import { open, SYMBOL, trader } from '../support/contracts.ts';
import { ready, storeAddress } from '../support/desk.ts';
import { expect, test } from '../support/test.ts';

/** A figure looks the same wherever it is shown, and no figure claims more than there is. */

/** The free balance, to its last digit, and rounded down; no price or volume looks like it. */
const FREE = '987654.155575';
const EXACT = '987,654.155575';
const SHORT = '987,654.15';

/** Every figure on the screen that begins like the free balance. */
async function shown(app: App): Promise<string[]> {
  const text = async (selector: string) => (await app.page.locator(selector).filter({ visible: true }).allInnerTexts()).join('\n');
  return (await text('#root')).replace(/\s*\n\s*(?=\.\d)/g, '').match(/(?<![\d.,])987,65\d[.,]\d+/g) ?? [];
}

test('what is free is rounded down on every screen, and what is sent is told to its last figure', async ({ app, server }) => {
  const { page } = app;
  const member = await ready(app, server);
  await storeAddress(server, member);
  await app.fund(member, 'USDT', '986654.155575');
  await app.signIn(member);
  const wallet = await server.call<{ change_wallet: { balance: { currency_name: string; change_balance: string }[] } }>('wallet/list', {}, member.token);
  expect(wallet.change_wallet.balance.find((row) => row.currency_name === 'USDT')?.change_balance).toBe(FREE);
  for (const [path, query] of [
    ['index/index', ''],
    ['assets/index', ''],
    ['assets/tradeAccount', 'account=change'],
    ['assets/transfer/index', 'to=micro'],
    ['assets/withdraw/index', ''],
    ['trade/kline', 'symbol=BTC/USDT'],
  ] as const) {
    await app.open(path, query);
    await expect.poll(async () => (await shown(app)).length, `figures of ${path}`).toBeGreaterThan(0);
    await app.settled();
    await expect.poll(async () => (await shown(app)).filter((figure) => figure !== SHORT && figure !== EXACT), `other figures of ${path}`).toEqual([]);
  }

  // All of it: the button shows what is sent.
  await app.open('assets/transfer/index', 'to=micro');
  await page.getByRole('button', { name: app.t('ui.max'), exact: true }).click();
  await app.button('transfer.submit', { amount: `${EXACT}\u00a0USDT` }).click();
  await expect(app.text('transfer.done', { amount: `${EXACT}\u00a0USDT`, account: app.t('account.micro') })).toBeVisible();
  const after = await server.call<{ micro_wallet: { balance: { currency_name: string; micro_balance: string }[] } }>('wallet/list', {}, member.token);
  expect(after.micro_wallet.balance.find((row) => row.currency_name === 'USDT')?.micro_balance).toBe(FREE);
});

/** The visible screen. */
const screen = (app: App) => app.page.locator('main').filter({ visible: true });
/** An account in the list of Assets. */
const account = (app: App, name: string) => screen(app).getByRole('region', { name: app.t('assets.accounts') }).getByRole('link', { name: new RegExp(`^${app.t(`account.${name}`)}`) });

test('the total, the accounts, the coins and their profit are all at the price of now', async ({ app }) => {
  await app.pin(SYMBOL, '100000');
  const member = await app.member();
  await app.fund(member, 'BTC', '1');
  await app.fund(member, 'USDT', '2000');
  await app.fund(member, 'USDT', '1000', 'lever');
  await app.signIn(member);
  // Nothing is read again; only prices arrive.
  await app.onlyTold();
  await app.open('assets/index');
  await expect(screen(app)).toContainText('103,000.00USDT');
  await expect(screen(app)).toContainText(/at the last prices, \d\d:\d\d:\d\d/);
  await app.pin(SYMBOL, '104000');
  await expect(screen(app)).toContainText('107,000.00USDT');
  await expect(account(app, 'change')).toContainText('106,000.00');
  await expect(account(app, 'lever')).toContainText('1,000.00');
  const bitcoin = screen(app).getByRole('button', { name: /^BTC/ });
  await expect(bitcoin).toContainText('104,000.00');
  await bitcoin.click();
  await expect(app.sheet).toContainText(`${app.t('assets.valueLabel')}104,000.00`);
  await expect(app.sheet).toContainText('+4,000.00');
  await app.pin(SYMBOL, '103000');
  await expect(app.sheet).toContainText(`${app.t('assets.valueLabel')}103,000.00`);
  await expect(app.sheet).toContainText('+3,000.00');
  await app.release(SYMBOL);
});

test('an open contract counts the same on every screen, and follows the price', async ({ app, server }) => {
  await farFromMidnight(server);
  await app.pin(SYMBOL, '100000');
  await trader(app, server);
  await open(app, 'long', { stop: null, profit: null });
  await app.onlyTold();
  await app.open('index/index');
  await app.reload();
  await expect(screen(app)).toContainText('1,999.39USDT');
  // 10 lots from 100,010 to 101,000.
  await app.pin(SYMBOL, '101000');
  await expect(screen(app)).toContainText('2,009.39USDT');
  await app.open('assets/index');
  await expect(screen(app)).toContainText('2,009.39USDT');
  await expect(account(app, 'lever')).toContainText(app.t('assets.freeFrozenOpen', { free: '899.48', frozen: '100.01', open: '+9.90' }));
  await expect(account(app, 'lever')).toContainText('1,009.39');
  await app.sound('assets with an open contract');
  await app.picture('assets-contract');
  await account(app, 'lever').click();
  await expect(screen(app)).toContainText('1,009.39USDT');
  for (const text of ['899.48995', '100.01', '+9.90']) await expect(screen(app)).toContainText(text);
  // The position holds the margin.
  await expect(app.text('assets.frozenMargin')).toBeVisible();
  await app.sound('the account of contracts');
  await app.link('assets.seePositions').click();
  const section = screen(app).getByRole('region', { name: app.t('contracts.account') });
  for (const text of ['1,009.39', '+9.90', '100.01', '899.48']) await expect(section).toContainText(text);
  await app.release(SYMBOL);
});
