import { expect, test } from '../support/test.ts';

interface Order {
  id: number;
  status: number;
  seq?: number;
}
/** An open order includes the entry of the state that it was read from. */
const lasting = ({ seq, ...order }: Order) => (order.status === 1 ? order : { ...order, seq });
interface Row {
  currency: number;
  balance: string;
  lock_balance: string;
}

test('a killed server comes back with everything it said yes to, and the app by itself', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  await app.fund(member, 'USDT', '5000');
  await app.pin('ETH/USDT', '3000');
  const place = { legal_id: '3', currency_id: '2', type: '1' };
  await server.call('coin/trade', { ...place, order_type: 'market', funds: '300' }, member.token);
  await server.call('wallet/change', { currency_id: '3', number: '250', from_field: 'change', to_field: 'micro' }, member.token);
  await server.call('coin/trade', { ...place, order_type: 'limit', target_price: '2900', amount: '0.5' }, member.token);
  await app.signIn(member);
  await app.open('trade/kline', 'symbol=ETH/USDT');
  await app.settled();
  const toggle = page.getByRole('region', { name: app.t('orders.open') }).getByRole('button', { name: app.t('orders.open') });
  await expect(toggle).toContainText('1');
  await app.field('trade.price').fill('2900');
  await app.field('trade.amount').fill('0.1');
  await expect(app.button('trade.reviewBuy')).toBeVisible();
  const told = async () => ({
    orders: (await server.read<Order[]>('coin/list', {}, member.token)).map(lasting),
    fills: await server.read<unknown>('coin/fills', {}, member.token),
    transfers: await server.read<unknown>('wallet/hzhistory', {}, member.token),
    wallet: await server.call<Record<string, { balance: Row[] }>>('wallet/list', {}, member.token),
  });
  const before = await told();
  expect(before.orders.map(({ status }) => status)).toEqual([1, 2]);

  await server.kill();
  // While the server is away the app says that the price is not live, and no order can be placed on it.
  const price = page.getByRole('region', { name: app.t('trade.priceOf', { symbol: 'ETH/USDT' }) });
  await expect(price).toContainText(/s old|not live/);
  await expect(app.button('trade.reason.stale')).toBeVisible();
  await app.accessible('a chart without a server');
  await server.run();

  const after = await told();
  expect(after.orders).toEqual(before.orders);
  expect(after.fills).toEqual(before.fills);
  expect(after.transfers).toEqual(before.transfers);
  const owned = ({ wallet }: typeof before) =>
    ['change_wallet', 'micro_wallet'].flatMap((name) => wallet[name]?.balance.map(({ currency, balance, lock_balance }) => [name, currency, balance, lock_balance]));
  expect(owned(before)).toContainEqual(['micro_wallet', 3, '250.000000', '0.000000']);
  expect(owned(after)).toEqual(owned(before));

  await app.pin('ETH/USDT', '3000');
  await expect(price).not.toContainText(/s old|not live/);
  await expect(toggle).toContainText('1');
  await app.button('trade.sell').click();
  await app.field('trade.price').fill('3100');
  await app.field('trade.amount').fill('0.05');
  await app.button('trade.reviewSell').click();
  await app.sheet.getByRole('button', { name: /0\.0500/ }).click();
  await expect(app.sheet.getByText(app.t('trade.state.open'), { exact: true })).toBeVisible();
  await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
  await expect(toggle).toContainText('2');
  await server.call('coin/cancel_all', {}, member.token);
  await app.release('ETH/USDT');
});

test('an order whose answer is lost with the server is placed once', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  await app.fund(member, 'USDT', '5000');
  await app.pin('BTC/USDT', '60000');
  await app.signIn(member);
  await app.open('trade/kline', 'symbol=BTC/USDT');
  await app.settled();
  await app.field('trade.price').fill('59000');
  await app.field('trade.amount').fill('0.01');
  let lost = 0;
  await page.route('**/api/coin/trade', async (route) => {
    if (route.request().method() !== 'POST' || lost > 0) return route.continue();
    lost += 1;
    // The server executes it and dies before the phone gets the answer.
    expect((await route.fetch()).status()).toBe(200);
    await server.kill();
    await route.abort('connectionreset');
    await server.run();
  });
  await app.button('trade.reviewBuy').click();
  await app.sheet.getByRole('button', { name: app.t('trade.order.buy', { amount: '0.0100\u00a0BTC' }) }).click();
  await expect(app.sheet.getByText(app.t('trade.state.open'), { exact: true })).toBeVisible({ timeout: 240_000 });
  expect(lost).toBe(1);
  expect(await server.read<Order[]>('coin/list', {}, member.token)).toHaveLength(1);
  await server.call('coin/cancel_all', {}, member.token);
  await app.release('BTC/USDT');
});
