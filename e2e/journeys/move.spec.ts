import type { App, Member } from '../support/app.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

interface Order {
  id: number;
  status: number;
  target_price: string;
  left_amount: string;
  avg_price: string | null;
  reason: string | null;
  frozen: string;
}
const SYMBOL = 'BTC/USDT';
const at = (price: string) => `${price}\u00a0USDT`;
const orders = (server: Server, member: Member) => server.read<Order[]>('coin/list', {}, member.token);
const receipt = (app: App) => app.sheet.getByRole('heading', { name: app.t('trade.receipt'), exact: true });
const field = (app: App) => app.sheet.getByLabel(app.t('trade.price'), { exact: true });
const send = (app: App, price: string) => app.sheet.getByRole('button', { name: app.t('trade.move.to', { price: at(price) }) });
const move = (app: App) => app.sheet.getByRole('button', { name: app.t('trade.move.title'), exact: true });

/** A member with a limit buy of 0.01 BTC at 59,000 on the book, on the page of the pair. */
async function buyer(app: App, server: Server): Promise<{ member: Member; id: number }> {
  await app.pin(SYMBOL, '60000');
  const member = await app.member();
  await app.fund(member, 'USDT', '1000');
  await server.call('coin/trade', { currency_id: '1', legal_id: '3', type: '1', amount: '0.01', target_price: '59000' }, member.token);
  const [order] = await orders(server, member);
  await app.signIn(member);
  await app.open('trade/kline', 'symbol=BTC/USDT');
  return { member, id: order?.id ?? 0 };
}

/** Opens the change of price from the order's row. */
async function fromRow(app: App, id: number): Promise<void> {
  const open = app.page.getByRole('region', { name: app.t('orders.open') });
  const toggle = open.getByRole('button', { name: app.t('orders.open') });
  if ((await toggle.getAttribute('aria-expanded')) === 'false') await toggle.click();
  await open.getByRole('button', { name: `${app.t('trade.move.title')}: ${SYMBOL}, ${id}` }).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.move.title'), exact: true })).toBeVisible();
}

test.afterEach(({ app }) => app.release(SYMBOL));

test('move: a limit order gets another price, the old one ends as moved, and the log has the entry of the new one', async ({ app, server }) => {
  const { member, id } = await buyer(app, server);
  await fromRow(app, id);
  await expect(field(app)).toHaveValue('59,000.0');
  await expect(app.button('trade.move.same')).toHaveAttribute('aria-disabled', 'true');
  await field(app).fill('58500.5');
  await expect(app.sheet.locator('dl > div').filter({ hasText: app.t('trade.frozen') })).toContainText(at('585.01'));
  await app.sound('the change of a price');
  await app.picture('move');
  // By keyboard, and twice: the second press finds nothing to send.
  await send(app, '58,500.5').focus();
  await app.page.keyboard.press('Enter');
  await app.page.keyboard.press('Enter');
  await expect(receipt(app)).toBeVisible();
  await expect(app.sheet).toContainText(app.t('trade.order.at', { kind: app.t('trade.kind.limit'), price: at('58,500.5') }));
  const [moved, old, ...more] = await orders(server, member);
  expect(more).toEqual([]);
  expect(moved).toMatchObject({ status: 1, target_price: '58500.5', left_amount: '0.01000000', frozen: '585.005000' });
  expect(old).toMatchObject({ id, status: 3, reason: 'MOVED', frozen: '0.000000' });
  await expect(app.sheet).toContainText(String(moved?.id));
  await app.sound('the receipt of a moved order');
  await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();

  // It can be moved again from its receipt, and to what trades at once.
  await app.page.getByRole('region', { name: app.t('orders.open') }).getByRole('button', { name: /58,500\.5/ }).click();
  await move(app).click();
  await field(app).fill('60500');
  await expect(app.sheet).toContainText(app.t('trade.move.trades'));
  await send(app, '60,500.0').click();
  await expect(app.sheet.getByText(app.t('trade.state.completed'), { exact: true })).toBeVisible();
  await expect(app.sheet.getByText(app.t('trade.paid'))).toBeVisible();
  await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
  await expect(app.text('orders.noneOpen')).toBeVisible();

  await app.open('index/orderlist');
  const rows = app.page.locator('main section li');
  await expect(rows).toHaveCount(3);
  await expect(rows.filter({ hasText: app.t('trade.state.cancelled') })).toHaveCount(2);
  await rows.last().getByRole('button').first().click();
  await expect(app.sheet).toContainText(app.t('trade.cancelled.MOVED'));
  await app.sound('an order that was moved');
  await app.picture('move-old');
  await app.dismiss();

  // The number of the new order is that of its entry, which is in the signed log.
  const [last] = await orders(server, member);
  await server.call('/sandbox/clock', { advance_ms: '60001' });
  await expect(async () => {
    await app.open('settings/proof/entry', `seq=${last?.id}`);
    await expect(app.text('journal.kinds.move_spot_order')).toBeVisible();
    await app.reload();
    await expect(app.page.getByRole('status').filter({ hasText: app.t('proof.receipt.good') })).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 120_000 });
});

test('move: what the app or the server refuses is said at the field, and the order stays where it is', async ({ app, server }) => {
  const { member, id } = await buyer(app, server);
  await fromRow(app, id);
  const complaint = app.sheet.getByRole('alert');
  for (const [price, reason] of [
    ['64000', app.t('trade.reason.band', { low: '30,000', high: '63,000' })],
    ['58500.05', app.t('trade.reason.tick', { tick: '0.1' })],
  ] as const) {
    await field(app).fill(price);
    await field(app).blur();
    await expect(complaint).toHaveText(reason);
  }
  await app.sound('a refused price');
  // The server judges for itself.
  await app.page.route('**/api/coin/move', (route) => route.continue({ postData: `id=${id}&target_price=100000` }));
  await field(app).fill('58500');
  await send(app, '58,500.0').click();
  await expect(complaint).toContainText(app.t('trade.reason.band', { low: '30,000', high: '63,000' }));
  await expect(field(app)).toHaveAttribute('aria-invalid', 'true');
  await app.picture('move-refused');
  expect(await orders(server, member)).toMatchObject([{ id, status: 1, target_price: '59000.0' }]);
  await app.page.unroute('**/api/coin/move');

  // What happens to the order elsewhere is seen before anything is sent.
  await field(app).fill('58000');
  await server.call('coin/cancel', { id: String(id) }, member.token);
  await expect(complaint).toContainText(app.t('review.gone'));
  await app.sound('an order that ended under its sheet');
  expect(await orders(server, member)).toHaveLength(1);
});

test('move: an answer that is lost is awaited, and the order has moved once', async ({ app, server }) => {
  const { member, id } = await buyer(app, server);
  await fromRow(app, id);
  const keys: string[] = [];
  let lost = true;
  await app.page.route('**/api/coin/move', async (route) => {
    keys.push((await route.request().allHeaders())['idempotency-key'] ?? '');
    if (!lost) return route.continue();
    if (keys.length === 1) await route.fetch();
    return route.abort();
  });
  await field(app).fill('58000');
  await send(app, '58,000.0').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.unknownTitle') })).toBeVisible();
  await app.sound('a move whose outcome is unknown');
  await app.picture('move-unknown');
  lost = false;
  await expect(receipt(app)).toBeVisible();
  expect(new Set(keys).size).toBe(1);
  const all = await orders(server, member);
  expect(all.map(({ status, target_price }) => [status, target_price])).toEqual([[1, '58000.0'], [3, '59000.0']]);
  await expect(app.sheet).toContainText(String(all[0]?.id));
});

test('move: the receipt of an order that was just placed changes in place, and a price in two languages is the same price', async ({ app, server }) => {
  await app.pin(SYMBOL, '60000');
  const member = await app.member();
  await app.fund(member, 'BTC', '0.05');
  await app.signIn(member);
  await app.language('deyu');
  await app.open('trade/kline', `symbol=${SYMBOL}`);
  await app.button('trade.sell').click();
  await app.field('trade.price').fill('61000');
  await app.field('trade.amount').fill('0,01');
  await app.button('trade.reviewSell').click();
  await app.sheet.getByRole('button', { name: app.t('trade.order.sell', { amount: '0,0100\u00a0BTC' }) }).click();
  await expect(receipt(app)).toBeVisible();
  await move(app).click();
  await expect(field(app)).toHaveValue('61.000,0');
  await field(app).fill('62.000,5');
  const button = send(app, '62.000,5');
  // A slow answer: the sheet waits with what is being sent.
  let answer = () => {};
  const held = new Promise<void>((done) => (answer = done));
  await app.page.route('**/api/coin/move', async (route) => {
    await held;
    await route.continue();
  });
  await button.click();
  await expect(button).toHaveAttribute('aria-busy', 'true');
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.move.title'), exact: true })).toBeVisible();
  answer();
  await expect(receipt(app)).toBeVisible();
  await expect(app.sheet).toContainText(at('62.000,5'));
  expect((await orders(server, member)).map(({ status, target_price }) => [status, target_price])).toEqual([[1, '62000.5'], [3, '61000.0']]);
  // The receipt that is left says what the new order is; the form is empty for the next one.
  await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
  await expect(app.field('trade.amount')).toHaveValue('');
});
