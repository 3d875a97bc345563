import type { App, Member } from '../support/app.ts';
import { operator } from '../support/desk.ts';
import type { Server } from '../support/server.ts';
import { numbered } from '../support/receipt.ts';
import { tapTwice } from '../support/tap.ts';
import { expect, test } from '../support/test.ts';
import { mostAbove } from '../support/worst.ts';

const PRICE = '100000';
/** Lifetime of a quote, ms: the usual one, one that can be seen to its end, and the longest possible. */
const USUAL = 10_000;
const SHORT = 25_000;
const LOOK = 60_000;

/** The member's free balance in Spot. */
async function free(server: Server, member: Member, coin: string): Promise<string> {
  const wallet = await server.call<{ change_wallet: { balance: { currency_name: string; change_balance: string }[] } }>('wallet/list', {}, member.token);
  return wallet.change_wallet.balance.find((row) => row.currency_name === coin)?.change_balance ?? '';
}

/** Two operators agree on a longer lifetime of quotes, because ten seconds pass while a busy machine renders one. */
async function quotesLive(server: Server, ms: number, others: object = {}): Promise<void> {
  const [mia, max] = [await operator(server, 'market', 'mia'), await operator(server, 'market', 'max')];
  const [terms] = await server.read<{ id: number; values: object }[]>('/operator/api/catalog', { kind: 'flash' }, mia);
  const values = JSON.stringify({ ...terms?.values, ttl_ms: ms, ...others });
  const { id, hash } = await server.call<{ id: number; hash: string }>('/operator/api/catalog/propose', { kind: 'flash', id: String(terms?.id), values, reason: 'time to look' }, mia);
  await server.call('/operator/api/proposal/confirm', { id: String(id), hash }, max);
}

const commit = (app: App) => app.sheet.getByRole('button', { name: app.t('convert.submit', { amount: '1,000.00\u00a0USDT' }), exact: true });

/** A member with 5,000 USDT who is viewing the conversion of 1,000 into BTC. */
async function looking(app: App): Promise<Member> {
  await app.pin('BTC/USDT', PRICE);
  const member = await app.member();
  await app.fund(member, 'USDT', '5000');
  await app.signIn(member);
  await app.link('assets.convert').click();
  await app.page.getByRole('textbox', { name: app.t('convert.amount') }).fill('1000');
  await app.button('convert.review').click();
  await expect(commit(app)).toBeVisible();
  return member;
}

test.beforeEach(({ server }) => quotesLive(server, LOOK));
test.afterEach(async ({ app, server }) => {
  await app.release('BTC/USDT');
  await quotesLive(server, USUAL);
});

test('a conversion gives exactly what its quote said, stands in the list and tells what the coin cost', async ({ app, server }) => {
  const member = await looking(app);
  const lines = async () => {
    for (const text of ['0.0100\u00a0BTC', '0.00001\u00a0BTC', '0.00000999\u00a0BTC', '0.00998001\u00a0BTC', '2.00\u00a0USDT (0.1999%)']) await expect(app.sheet.getByText(text, { exact: true })).toBeVisible();
  };
  await lines();
  await mostAbove(app, 'convert.most', '2.00\u00a0USDT', commit(app));
  // The rate is held for a number of seconds, which the screen counts down by the server's clock.
  const timer = app.sheet.getByRole('timer');
  const seconds = async () => {
    const text = await timer.innerText();
    const count = parseInt(/\d+/.exec(text)?.[0] ?? '', 10);
    expect(text).toBe(app.t('convert.held', { seconds: count }));
    return count;
  };
  const first = await seconds();
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThanOrEqual(LOOK / 1000);
  await expect.poll(seconds).toBeLessThan(first);
  const later = await seconds();
  await expect.poll(seconds).toBeLessThan(later);
  await app.sound('the review of a conversion');
  await tapTwice(commit(app));
  await expect(app.text('convert.got', { amount: '0.00998001\u00a0BTC' })).toBeVisible();
  await lines();
  await app.sound('the receipt of a conversion');
  const { data: done } = await server.read<{ data: { id: number }[] }>('wallet/flash_history', {}, member.token);
  await numbered(app, 'conversion', done[0]?.id ?? 0, 'convert.copyNumber');
  expect([await free(server, member, 'USDT'), await free(server, member, 'BTC')]).toEqual(['4000.000000', '0.00998001']);
  await app.button('ui.done').click();
  await expect(app.page.getByRole('button', { name: new RegExp(app.t('convert.pair', { from: 'USDT', to: 'BTC' })) })).toContainText('0.00998001');
  await app.sound('conversions');
  // From the list it has the same lines, whatever the prices are by then.
  await app.pin('BTC/USDT', '125000');
  await app.reload();
  await app.page.getByRole('button', { name: new RegExp(app.t('convert.pair', { from: 'USDT', to: 'BTC' })) }).click();
  await expect(app.sheet.getByText(app.t('convert.got', { amount: '0.00998001\u00a0BTC' }))).toBeVisible();
  await lines();
  await app.sound('the receipt of an earlier conversion');
  await app.dismiss();
  await app.pin('BTC/USDT', PRICE);

  // What was paid, spread and fee included, is the cost; at the index it is worth 1.999 less.
  await app.open('assets/index');
  await app.page.getByRole('button', { name: /^BTC/ }).click();
  const line = (label: string) => app.sheet.locator('dl > div').filter({ hasText: app.t(label) });
  await expect(line('assets.cost.average')).toContainText('100,200.31\u00a0USDT');
  await expect(line('assets.cost.profit')).toContainText('\u22122.00\u00a0USDT (\u22120.20%)');
  await app.sound('the sheet of a coin');
});

test('a quote whose time is up is not accepted, and a fresh one is looked at first', async ({ app, server }) => {
  await quotesLive(server, SHORT);
  const member = await looking(app);
  await expect(app.text('convert.expired')).toBeVisible({ timeout: 2 * SHORT });
  await expect(commit(app)).toHaveCount(0);
  await app.sound('a quote that expired');
  expect(await free(server, member, 'BTC')).toBe('0.00000000');
  await quotesLive(server, LOOK);
  await app.sheet.getByRole('button', { name: app.t('convert.ask'), exact: true }).click();
  await commit(app).click();
  await expect(app.text('convert.got', { amount: '0.00998001\u00a0BTC' })).toBeVisible();
});

test('a market that moved by more than spread and fee voids the quote, and nothing is converted', async ({ app, server }) => {
  const member = await looking(app);
  await server.call('/sandbox/price', { symbol: 'BTC/USDT', price: '100210' });
  await commit(app).click();
  await expect(app.text('convert.moved')).toBeVisible();
  expect(await free(server, member, 'USDT')).toBe('5000.000000');
  await app.sheet.getByRole('button', { name: app.t('convert.ask'), exact: true }).click();
  await expect(commit(app)).toBeVisible();
  await expect(app.sheet.getByText('0.00998001\u00a0BTC', { exact: true })).toHaveCount(0);
  await commit(app).click();
  await expect(app.sheet.getByText(app.t('convert.done'), { exact: true })).toBeVisible();
  expect(await free(server, member, 'USDT')).toBe('4000.000000');
});

test('a rate that nobody takes renews itself, and one that is far from the market is amber', async ({ app, server }) => {
  await quotesLive(server, USUAL);
  await app.pin('BTC/USDT', PRICE);
  const member = await app.member();
  await app.fund(member, 'USDT', '5000');
  await app.signIn(member);
  await app.open('assets/flashpair');
  const asked: string[] = [];
  app.page.on('request', (request) => request.url().includes('wallet/flash_quote') && asked.push(request.url()));
  await app.page.getByRole('textbox', { name: app.t('convert.amount') }).fill('1000');
  const cost = app.page.locator('dl > div').filter({ hasText: app.t('convert.cost') }).locator('dd');
  await expect(cost).toHaveText('2.00\u00a0USDT (0.1999%)');
  await expect(cost.locator('.caution')).toHaveCount(0);
  // Without any input, the next rates follow the market by themselves.
  const first = asked.length;
  await server.call('/sandbox/price', { symbol: 'BTC/USDT', price: '80000' });
  await expect(app.page.getByText('0.01247501\u00a0BTC', { exact: true }).first()).toBeVisible();
  await expect.poll(() => asked.length).toBeGreaterThan(first + 1);
  await expect(app.page.getByRole('timer')).toBeVisible();
  // Two operators agree on a spread of 0.45 %; with the fee it is more than half a percent away.
  await quotesLive(server, LOOK, { spread: '0.45' });
  await expect(cost.locator('.caution')).toHaveText(/^5\.50\u00a0USDT \(0\.549\d%\)$/);
  await app.sound('a rate that is far from the market');
  await app.picture('convert-far');
  await quotesLive(server, LOOK, { spread: '0.1' });
});
