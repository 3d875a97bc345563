import { expect, type Locator } from '@playwright/test';
import { until } from '../support/clock.ts';
import { Console } from '../support/console.ts';
import { ready } from '../support/desk.ts';
import type { Server } from '../support/server.ts';
import { agree, date as dayOf, free, line, type Offering, readRisks, test, timeline } from '../support/wealth.ts';

const USDT = '\u00a0USDT';
const DAY = 86_400_000;
const HOUR = 3_600_000;

/** The terms of a coin of small supply, as one operator proposes them and another confirms. */
const TERMS = {
  ...{ code: 'LUMEN', scale: 8, supply: '150', price: '0.5', pay: ['USDT'], min: '10', user_cap: '10000', oversub_factor: 10 },
  ...{ tick: '0.0001', step: '0.01', min_qty: '0.01', max_qty: '1000000', min_notional: '5', max_notional: '1000000' },
  ...{ maker_fee: '0.08', taker_fee: '0.1', band_buy: ['50', '105'], band_sell: ['95', '200'] },
  release: [
    { day: 1, share: '40' },
    { day: 2, share: '100' },
  ],
};

/** An offering that opens now: its terms are agreed on, and its coin exists. */
async function offer(server: Server, start_ms: number, close_ms: number, launch_ms: number): Promise<number> {
  const values = JSON.stringify({ ...TERMS, start_ms, close_ms, launch_ms });
  const { id } = await agree<{ id: number }>(server, 'market', 'catalog/propose', { kind: 'offering', values });
  const offered = await server.read<(Offering & { new_currency_id: number })[]>('lh/send/config');
  const coin = offered.find((one) => one.id === id)?.new_currency_id;
  await agree(server, 'treasury', 'treasury/move', { from: 'external', to: 'sub_escrow', currency_id: String(coin), amount: TERMS.supply });
  return id;
}

test('new coins: a release in parts is told before the payment', async ({ app }) => {
  const { page, server } = app;
  const aurum = (await server.read<Offering[]>('lh/send/config')).find(({ release }) => release.length > 1);
  if (!aurum) throw new Error('the sandbox has no coin that is released in parts');
  const launch = Math.floor(aurum.online_time_ms / DAY) * DAY;
  const date = (days: number) => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(launch + days * DAY);
  await until(server, aurum.send_start_ms);

  await app.open('publication/details', `id=${aurum.id}`);
  await expect(app.text('coins.lockedParts', { first: 30, last: 120 })).toBeVisible();
  await expect(app.text('coins.risk', { date: date(30) })).toBeVisible();
  // Exact: "1 Mar" is also the end of "31 Mar".
  for (const { day } of aurum.release) await expect(page.locator('dl > div').filter({ has: page.getByText(date(day), { exact: true }) })).toHaveText(`${date(day)}25%`);
  await app.sound('a coin that is released in parts');
  await app.picture('coin-parts');

  const member = await ready(app, server);
  await readRisks(app, [member]);
  await app.signIn(member);
  await app.open('publication/purchase', `id=${aurum.id}`);
  await app.field('coins.amount').fill('100');
  await page.getByRole('checkbox', { name: app.t('coins.tickParts', { first: date(30), last: date(120) }) }).check({ force: true });
  await app.button('plans.review', { amount: `100.00${USDT}` }).click();
  await expect(app.sheet.locator('dl > div').filter({ hasText: app.t('coins.releases') })).toContainText(`${date(30)} – ${date(120)}`);
  await app.sound('the review of a coin that is released in parts');
  await app.picture('coin-parts-review');
});

test('new coins: more is wanted than there is, so everybody gets the same share, and the first part is traded before the last is free', async ({ app }) => {
  const { page, server } = app;
  const { server_time_ms: now } = await server.read<{ server_time_ms: number }>('app/config');
  const midnight = (Math.floor(now / DAY) + 1) * DAY;
  const [close, launch] = [midnight + 8 * HOUR, midnight + 10 * HOUR];
  const id = await offer(server, now - 1_000, close, launch);
  const [ann, bob] = [await app.member(), await app.member()];
  await app.fund(ann, 'USDT', '1000');
  await app.fund(bob, 'USDT', '100');
  await readRisks(app, [ann]);
  await app.signIn(ann);
  const main = page.getByRole('main').filter({ visible: true });
  const share = async (under: Locator, paid: string, got: string, charged: string, refund: string) => {
    for (const [key, text] of Object.entries({ paid: `${paid}${USDT}`, got: `${got}\u00a0LUMEN`, charged: `${charged}${USDT}`, refund: `${refund}${USDT}` })) await expect(line(under, app.t(`coins.${key}`))).toHaveText(text);
  };

  // 50 USDT ask for 100 of the 150 coins; with the 800 for 400 USDT beside them, they would get 150 x 800 / 900, at 0.5 each.
  await server.call('lh/send/order', { config_id: String(id), amount: '50' }, bob.token);
  await app.open('publication/details', `id=${id}`);
  await expect(main.getByText('100 of 150\u00a0LUMEN', { exact: true })).toBeVisible();
  await expect(app.text('coins.share.over')).toBeVisible();
  await share(main, '400.00', '133.33333333', '66.666667', '333.333333');
  await app.button('coins.subscribe').click();
  // Ten times 75 USDT are accepted, of which 50 are paid in. That is less than the member has, so Max asks for no more.
  await app.button('ui.max').click();
  await expect(app.field('coins.amount')).toHaveValue('700');
  // 25 USDT ask for exactly what is left.
  await app.field('coins.amount').fill('25');
  await expect(app.text('coins.share.under')).toBeVisible();
  await share(main, '25.00', '50', '25.00', '0.00');
  await app.field('coins.amount').fill('25.01');
  await expect(app.text('coins.share.over')).toBeVisible();
  await expect(app.text('coins.share.under')).toHaveCount(0);
  // 100 USDT ask for 200, and half of the 300 is available.
  await app.field('coins.amount').fill('100');
  await share(main, '100.00', '100', '50.00', '50.00');
  await app.sound('a new coin of which more is wanted than there is');
  await app.picture('coin-over');
  await page.getByRole('checkbox').check({ force: true });
  await app.button('plans.review', { amount: `100.00${USDT}` }).click();
  await app.button('coins.commit', { amount: `100.00${USDT}` }).click();
  await expect(app.text('coins.done', { amount: `100.00${USDT}` })).toBeVisible();
  expect(await free(server, ann, 'change', 'USDT')).toBe('900.000000');
  await app.open('publication/details', `id=${id}`);
  await expect(main.getByText('300 of 150\u00a0LUMEN', { exact: true })).toBeVisible();

  // At the close: half of the requested coins, for half of the payment.
  const parts = (first: string, last: string, ...states: string[]) =>
    expect.poll(() => timeline(app.sheet)).toEqual([
      ['40\u00a0LUMEN', first, states[0]],
      ['60\u00a0LUMEN', last, states[1]],
    ]);
  const look = async (ms: number, about: string) => {
    await until(server, ms);
    await app.open('publication/index', 'tab=mine');
    await app.reload();
    await page.getByRole('button', { name: /LUMEN/ }).click();
    await expect(app.sheet.getByText(app.t(`coins.about.${about}`))).toBeVisible();
    await share(app.sheet, '100.00', '100', '50.00', '50.00');
  };
  const released = async (freed: string, locked: string) => {
    await expect(line(app.sheet, app.t('coins.freed'))).toHaveText(`${freed}\u00a0LUMEN`);
    await expect(line(app.sheet, app.t('coins.stillLocked'))).toHaveText(`${locked}\u00a0LUMEN`);
  };
  const [first, last] = [dayOf(midnight + DAY, 'UTC'), dayOf(midnight + 2 * DAY, 'UTC')];
  await look(close, 'passed');
  await parts(app.t('coins.dayAfter', { days: 1 }), app.t('coins.dayAfter', { days: 2 }), 'next', 'next');
  await app.sound('a share of a new coin');
  await app.dismiss();
  expect([await free(server, ann, 'change', 'USDT'), await free(server, bob, 'change', 'USDT')]).toEqual(['950.000000', '75.000000']);

  await until(server, launch);
  await agree(server, 'market', 'offering/launch', { id: String(id) });
  await look(launch, 'locked');
  await parts(first, last, 'next', 'next');
  await released('0', '100');
  await app.dismiss();

  // The first part is free and is sold to a waiting buyer, in the first trade of the coin, while the rest is locked.
  await look(midnight + DAY, 'locked');
  await parts(first, last, 'done', 'next');
  await released('40', '60');
  await app.sound('a subscription of which a part is free');
  await app.picture('coin-part-free');
  const { markets } = await server.read<{ markets: { symbol: string; currency_id: number; legal_id: number }[] }>('app/config');
  const pair = markets.find(({ symbol }) => symbol === 'LUMEN/USDT');
  if (!pair) throw new Error('the coin has no pair');
  await server.call('coin/trade', { currency_id: String(pair.currency_id), legal_id: String(pair.legal_id), type: '1', target_price: '0.5', amount: '20', order_type: 'limit' }, bob.token);
  await app.sheet.getByRole('link', { name: app.t('coins.trade', { code: 'LUMEN' }) }).click();
  await expect(page).toHaveURL(/trade\/kline/);
  await app.settled();
  await app.button('trade.sell').click();
  await app.field('trade.price').fill('0.5');
  await app.field('trade.amount').fill('40.01');
  await expect(app.button('trade.reason.insufficientSell', { base: 'LUMEN', available: '40' })).toBeVisible();
  await app.field('trade.amount').fill('20');
  await app.button('trade.reviewSell').click();
  await app.sheet.getByRole('button', { name: app.t('trade.order.sell', { amount: '20.0000\u00a0LUMEN' }), exact: true }).click();
  await expect(app.sheet.getByText(app.t('trade.state.completed'), { exact: true })).toBeVisible();
  // The taker pays 0.1 % of the 10 USDT.
  await expect(line(app.sheet, app.t('trade.received'))).toHaveText(`9.99${USDT}`);
  await app.sheet.getByRole('button', { name: app.t('ui.done') }).click();
  expect(await server.read('market/trades', { symbol: 'LUMEN/USDT' })).toMatchObject([{ price: '0.5000', amount: '20.00000000' }]);
  expect(await free(server, ann, 'change', 'LUMEN')).toBe('20.00000000');

  // Then the rest is free as well: 100 less the 20 sold, worth 40, beside the remaining 959.99.
  await look(midnight + 2 * DAY, 'released');
  await parts(first, last, 'done', 'done');
  await released('100', '0');
  await app.dismiss();
  await app.open('assets/index');
  await expect(main).toContainText(/999\.99\s*USDT/);
  await page.getByRole('button', { name: /^LUMEN/ }).filter({ visible: true }).click();
  for (const [key, text] of Object.entries({ freeLabel: '80.0000\u00a0LUMEN', frozenLabel: '0.0000\u00a0LUMEN', valueLabel: `40.00${USDT}`, totalLabel: '80.0000\u00a0LUMEN' })) await expect(line(app.sheet, app.t(`assets.${key}`))).toHaveText(text);
  expect(await free(server, ann, 'change', 'USDT')).toBe('959.990000');
});

test('new coins: guests see the coins and log in to subscribe', async ({ app }) => {
  await app.open('publication/index');
  await app.sound('new coins for guests');
  await app.page.getByRole('link', { name: /NOVA/ }).click();
  await app.button('coins.subscribe').click();
  await app.button('ui.logIn').click();
  await expect(app.page).toHaveURL(/user\/login/);
  // A tab that a link leads to is whole, also where the row of tabs is wider than the screen.
  await app.page.setViewportSize({ width: 320, height: 640 });
  await app.open('publication/index', 'tab=mine');
  await app.reload();
  await expect(app.button('coins.tab.mine')).toBeInViewport({ ratio: 1 });
});

test('new coins: one that is never launched is called off, and does not stand among those that were', async ({ app, browser }) => {
  const { page, server } = app;
  const { server_time_ms: now } = await server.read<{ server_time_ms: number }>('app/config');
  const close = now + HOUR;
  await offer(server, now - 1_000, close, close);
  const shelves = page.getByRole('group', { name: app.t('explain.newCoins') });
  const lumen = page.getByRole('link', { name: /LUMEN/ });
  await app.open('publication/index');
  await expect(lumen).toBeVisible();
  await expect(shelves.getByRole('button', { name: app.t('coins.tab.cancelled'), exact: true })).toHaveCount(0);
  await until(server, close + 31 * DAY);
  await app.reload();
  await shelves.getByRole('button', { name: app.t('coins.tab.launched'), exact: true }).click();
  await expect(app.text('coins.none')).toBeVisible();
  await expect(lumen).toHaveCount(0);
  await shelves.getByRole('button', { name: app.t('coins.tab.cancelled'), exact: true }).click();
  await expect(lumen).toContainText(app.t('coins.state.cancelled'));
  await app.sound('coins that were called off');
  await app.picture('coins-cancelled');
  // Operators see that it is over, and are offered neither its launch nor other terms.
  const mia = await Console.open(browser, server);
  await mia.enter('market', 'mia');
  await mia.go('catalog/offering');
  const row = mia.page.getByRole('region', { name: 'LUMEN' });
  await expect(row).toContainText('cancelled');
  await expect(row.getByRole('button')).toHaveCount(0);
  await mia.close();
});
