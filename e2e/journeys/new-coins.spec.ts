import { expect, type Locator } from '@playwright/test';
import { nextDay, now, until } from '../support/clock.ts';
import { Console } from '../support/console.ts';
import { numbered } from '../support/receipt.ts';
import { date, free, line, type Offering, test, timeline, understand, weeks } from '../support/wealth.ts';
import { worstAbove } from '../support/worst.ts';

const USDT = '\u00a0USDT';
const DAY = 86_400_000;

/** On this device the new coin has not been shown yet. */
const unread = test.extend({ popup: true });

unread('new coins: from the popup through commitment, allocation and launch to the first trade and the release', async ({ app, browser }) => {
  const { server } = app;
  const [nova] = await server.read<Offering[]>('lh/send/config');
  if (!nova) throw new Error('the sandbox offers no coin');
  const member = await app.member();
  await app.fund(member, 'USDT', '1000');
  await app.signIn(member);

  // The popup of the home page leads to the coin, once.
  await expect(app.sheet).toContainText(app.t('coins.offered', { amount: '200,000\u00a0NOVA', price: `0.50${USDT}` }));
  await app.sound('the popup of a new coin');
  await app.button('coins.details').click();
  await expect(app.text('coins.share.title')).toBeVisible();
  // Four dates and what happens at each, and what 400 USDT would get if the sale closed after them.
  const main = app.page.getByRole('main').filter({ visible: true });
  const free7 = (of: Offering) => date(Math.floor(of.online_time_ms / DAY) * DAY + 7 * DAY, 'UTC');
  const dates = (of: Offering, ...states: string[]) => {
    const texts = [['opened', 'opens'], ['closedOn', 'closes'], ['launched', 'launch'], ['sell', 'sell']] as const;
    return [date(of.send_start_ms), date(of.send_end_ms), date(of.online_time_ms), free7(of)].map((day, n) => [day, app.t(`coins.${texts[n]?.[states[n] === 'done' ? 0 : 1]}`), states[n]]);
  };
  await expect.poll(() => timeline(main)).toEqual(dates(nova, 'done', 'now', 'next', 'next'));
  const share = async (under: Locator, lines: readonly string[]) => {
    for (const [n, key] of ['paid', 'got', 'charged', 'refund'].entries()) await expect(line(under, app.t(`coins.${key}`))).toHaveText(lines[n] ?? '');
  };
  await expect(app.text('coins.share.under')).toBeVisible();
  await share(main, [`400.00${USDT}`, '800\u00a0NOVA', `400.00${USDT}`, `0.00${USDT}`]);
  await app.sound('a new coin');
  await app.picture('subscription');
  await app.button('coins.subscribe').click();

  // Each payment coin shows the free balance.
  for (const [coin, text] of [['USDT', '1,000.00'], ['BTC', '0.0000'], ['ETH', '0.0000']] as const) await expect(app.page.getByRole('group', { name: app.t('coins.payWith') }).getByRole('button', { name: `${coin} ${text}`, exact: true })).toBeVisible();
  await app.button('ui.max').click();
  await expect(app.field('coins.amount')).toHaveValue('1,000');
  await app.field('coins.amount').fill('9.999999');
  await expect(app.button('plans.min', { amount: `10.00${USDT}` })).toBeVisible();
  await app.field('coins.amount').fill('100');
  await expect(app.page.getByText('200\u00a0NOVA').first()).toBeVisible();
  await expect(app.button('trade.tickFirst')).toBeVisible();
  await app.page.getByRole('checkbox').check({ force: true });
  await app.sound('a subscription');
  await app.button('plans.review', { amount: `100.00${USDT}` }).click();
  await understand(app);
  await worstAbove(app, `−100.00${USDT}`, app.button('coins.commit', { amount: `100.00${USDT}` }));
  await app.sound('the review of a subscription');
  await app.button('coins.commit', { amount: `100.00${USDT}` }).click();
  await expect(app.text('coins.done', { amount: `100.00${USDT}` })).toBeVisible();
  await app.sound('the receipt of a subscription');
  expect(await free(server, member, 'change', 'USDT')).toBe('900.000000');

  // Another member pays as much.
  const holder = await app.member();
  await app.fund(holder, 'USDT', '100');
  await server.call('lh/send/order', { config_id: String(nova.id), amount: '100' }, holder.token);

  await app.page.getByRole('link', { name: app.t('coins.tab.mine') }).click();
  await expect(app.page.getByRole('main').getByText(app.t('coins.mine.review')).filter({ visible: true }).first()).toBeVisible();
  await app.sound('subscriptions');
  // The payment still belongs to the member.
  await app.open('assets/index');
  await expect(app.page.getByRole('link', { name: new RegExp(`^${app.t('explain.newCoins')}`) })).toContainText('100.00');
  await expect(app.page.getByRole('main').filter({ visible: true })).toContainText(/1,000\.00\s*USDT/);
  await app.sound('assets with a payment for a new coin');
  await app.open('publication/index', 'tab=mine');

  // At the close everyone gets what they paid for, because demand was below supply.
  await until(server, nova.send_end_ms);
  await app.reload();
  await app.page.getByRole('button', { name: /NOVA/ }).click();
  await expect(app.sheet.getByText(app.t('coins.about.passed'))).toBeVisible();
  await numbered(app, 'coin', (await server.read<{ order_list: { id: number }[] }>('lh/send/order_list', {}, member.token)).order_list[0]?.id ?? 0, 'trade.copyNumber');
  await expect(app.sheet.getByText('200\u00a0NOVA').first()).toBeVisible();
  await share(app.sheet, [`100.00${USDT}`, '200\u00a0NOVA', `100.00${USDT}`, `0.00${USDT}`]);
  await expect.poll(() => timeline(app.sheet)).toEqual([['200\u00a0NOVA', app.t('coins.dayAfter', { days: 7 }), 'next']]);
  await app.dismiss();
  // The list of all orders can be filtered to payments, and each leads to its own receipt.
  await app.open('index/orderlist', 'tab=coins');
  await app.sound('payments among the orders');
  await app.button('coins.mine.released').click();
  await expect(app.text('orders.noneFiltered')).toBeVisible();
  await app.button('coins.mine.passed').click();
  await app.page.getByRole('link', { name: /NOVA/ }).filter({ visible: true }).click();
  await expect(app.sheet.getByText(app.t('coins.about.passed'))).toBeVisible();
  await app.dismiss();
  await app.open('publication/index', 'tab=mine');

  // Two operators launch it, early on the day after the announced one: the next midnight is far.
  await nextDay(server, nova.online_time_ms);
  const [mia, max] = [await Console.open(browser, server), await Console.open(browser, server)];
  await mia.enter('market', 'mia');
  await max.enter('market', 'max');
  await mia.go('catalog/offering');
  await mia.button('Propose the launch of NOVA').click();
  await mia.dialog.getByRole('button', { name: 'The announced time has come' }).click();
  await mia.accessible('the launch of a coin');
  await mia.press(mia.dialog.getByRole('button', { name: 'Propose the launch' }), 'second person');
  await max.confirmNewest('in force', '400 NOVA allotted');
  await mia.close();
  await max.close();
  const launched = (await server.read<Offering[]>('lh/send/config')).find(({ id }) => id === nova.id) ?? nova;
  expect(launched.online_time_ms).toBeGreaterThan(nova.online_time_ms);
  await app.reload();
  await app.page.getByRole('button', { name: /NOVA/ }).click();
  await expect(app.sheet.getByText(app.t('coins.about.locked'))).toBeVisible();
  await expect.poll(() => timeline(app.sheet)).toEqual([['200\u00a0NOVA', free7(launched), 'next']]);
  await app.sound('a subscription that is locked');
  await app.dismiss();
  // In Assets the locked coin is held. It has no index price, so none of its prices is stale, and it stays in Spot.
  await app.open('assets/index');
  await app.page.getByRole('button', { name: /^NOVA/ }).filter({ visible: true }).click();
  await expect(app.sheet).toContainText(app.t('assets.frozenNewCoins'));
  await expect(app.sheet.getByRole('link', { name: app.t('assets.trade'), exact: true })).toBeVisible();
  for (const key of ['assets.transfer', 'assets.convert']) await expect(app.sheet.getByRole('link', { name: app.t(key), exact: true })).toHaveCount(0);
  await app.sound('a coin that is locked');
  await app.picture('assets-locked');
  await app.dismiss();
  await expect(app.page.getByText(app.t('assets.stale'))).toHaveCount(0);

  // The order of its first trade, from the page of the coin to the receipt. No coins are free yet, so it waits.
  await app.open('publication/details', `id=${nova.id}`);
  await expect.poll(() => timeline(main)).toEqual(dates(launched, 'done', 'done', 'done', 'now'));
  // Payments are closed, and the coin has a real price, so nothing is estimated for a stake.
  for (const key of ['coins.share.title', 'coins.falls']) await expect(main.getByText(app.t(key), { exact: true })).toHaveCount(0);
  await app.button('coins.trade', { code: 'NOVA' }).click();
  await expect(app.page).toHaveURL(/trade\/kline/);
  await app.settled();
  await app.field('trade.price').fill('0.5');
  await app.field('trade.amount').fill('20');
  await app.button('trade.reviewBuy').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.check') })).toBeVisible();
  await app.sound('the first trade of a new coin');
  await app.sheet.getByRole('button', { name: new RegExp(`^${app.t('trade.order.buy', { amount: '20' })}`) }).click();
  await expect(app.sheet.getByText(app.t('trade.state.open'), { exact: true })).toBeVisible();
  await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
  const trades = () => server.read<{ price: string; amount: string }[]>('market/trades', { symbol: 'NOVA/USDT' });
  expect(await trades()).toEqual([]);
  expect(await free(server, member, 'change', 'USDT')).toBe('890.000000');
  await app.open('publication/index', 'tab=mine');

  // The lock ends at 00:00 UTC; then the coins can be sold.
  const since = await now(server);
  await weeks(server, member, (nova.release.at(-1)?.day ?? 0) - 1);
  await until(server, (Math.floor(since / DAY) + (nova.release.at(-1)?.day ?? 0)) * DAY);
  await app.reload();
  await app.page.getByRole('button', { name: /NOVA/ }).click();
  await expect(app.sheet.getByText(app.t('coins.about.released'))).toBeVisible();
  expect(await free(server, member, 'change', 'NOVA')).toBe('200.00000000');
  await expect.poll(() => timeline(app.sheet)).toEqual([['200\u00a0NOVA', free7(launched), 'done']]);
  await app.sound('a subscription whose coins are free');
  await app.picture('subscription-released');
  await app.page.getByRole('link', { name: app.t('coins.trade', { code: 'NOVA' }) }).click();
  await expect(app.page).toHaveURL(/trade\/kline/);

  // Another member's coins are free as well and fill the waiting order: the first trade of the coin.
  const config = await server.read<{ markets: { symbol: string; currency_id: number; legal_id: number }[] }>('app/config');
  const pair = config.markets.find(({ symbol }) => symbol === 'NOVA/USDT');
  if (!pair) throw new Error('the coin has no pair');
  const order = { currency_id: String(pair.currency_id), legal_id: String(pair.legal_id), target_price: '0.5', amount: '20', order_type: 'limit' };
  holder.token = await server.call<string>('user/login', { user_string: holder.email, password: holder.password });
  await server.call('coin/trade', { ...order, type: '2' }, holder.token);
  expect(await trades()).toMatchObject([{ price: '0.5000', amount: '20.00000000' }]);
  // The waiting buyer pays the maker fee, 0.08 %.
  await expect.poll(() => free(server, member, 'change', 'NOVA')).toBe('219.98400000');

  // Released coins are sold like any others.
  await app.fund(holder, 'USDT', '100');
  await server.call('coin/trade', { ...order, type: '2' }, member.token);
  await server.call('coin/trade', { ...order, type: '1' }, holder.token);
  await expect.poll(() => free(server, member, 'change', 'NOVA')).toBe('199.98400000');
  expect(await trades()).toHaveLength(2);
});
