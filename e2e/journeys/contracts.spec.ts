import type { Locator } from '@playwright/test';
import type { App } from '../support/app.ts';
import { farFromMidnight } from '../support/clock.ts';
import { card, check, free, lots, lotsField, marked, open, positions, send, SYMBOL, tab, trader } from '../support/contracts.ts';
import { ready } from '../support/desk.ts';
import type { Server } from '../support/server.ts';
import { tapTwice } from '../support/tap.ts';
import { expect, test } from '../support/test.ts';
import { worstAbove } from '../support/worst.ts';

/** The examples of 4.10; the index starts at 100,000.00. */
test.beforeEach(async ({ app, server }) => {
  await farFromMidnight(server);
  await app.pin(SYMBOL, '100000');
});

const ended = async (app: App, server: Server, member: Parameters<typeof positions>[1], reason: string) => {
  await expect.poll(async () => (await positions(server, member))[0]?.reason, { timeout: 60_000 }).toBe(reason);
  // The card disappears by itself; the history has the position.
  await expect(card(app)).toHaveCount(0);
  await tab(app, 'history').click();
};

test('contracts: the first long is opened after the risk and three questions, follows the price and is closed', async ({ app, server }) => {
  const { page } = app;
  const member = await ready(app, server);
  await app.fund(member, 'USDT', '1000', 'lever');
  await app.signIn(member);
  await app.open('lever/index');
  await expect(app.text('contracts.noneOpen')).toBeVisible();
  await expect(app.text('contracts.spread', { rate: '0.01%' })).toBeVisible();
  await app.sound('contracts without a position');
  await app.picture('contracts-empty');
  await app.button('contracts.openLong').click();
  await expect(app.sheet.getByText(app.t('risk.contract.move'))).toBeVisible();
  await app.sound('risk and questions of contracts');
  for (const key of ['moveAll', 'closeSelf', 'mostMargin']) await app.sheet.getByLabel(app.t(`risk.contract.${key}`)).check();
  await app.button('risk.go').click();

  // The proposed stops are filled in; the multiple is 5.
  await expect(app.sheet.getByRole('combobox')).toHaveValue('5');
  await lotsField(app).fill('10');
  await app.sheet.getByRole('combobox').selectOption('10');
  await expect(app.sheet.getByLabel(app.t('contracts.stopLoss'), { exact: true })).toHaveValue('97,000.00');
  await expect(app.sheet.getByLabel(app.t('contracts.takeProfit'), { exact: true })).toHaveValue('104,500.00');
  // The worst case is the margin and the opening fee, and comes before the gain.
  await expect(app.sheet.getByText('100.52\u00a0USDT').first()).toBeVisible();
  await expect(app.sheet.getByText(app.t('contracts.liquidationAt', { price: '90,734.87' }))).toBeVisible();
  await app.sound('the form of a contract');
  await app.picture('contracts-form');
  await app.button('contracts.reviewLong', { lots: lots(app, '10') }).click();
  await expect(app.sheet.getByText('0.51\u00a0USDT').first()).toBeVisible();
  await app.sound('the check of a contract');
  await app.picture('contracts-check');
  await worstAbove(app, '\u2212100.52\u00a0USDT', send(app, 'long'));
  await send(app, 'long').click();
  await expect(app.sheet.getByText('100,010.00')).toBeVisible();
  await app.sound('the receipt of a contract');
  await app.picture('contracts-receipt');
  await app.button('ui.done').click();
  await expect(card(app)).toContainText('−0.10');
  expect(await free(server, member)).toBe('899.489950');

  await app.pin(SYMBOL, '103000');
  await expect(card(app)).toContainText('+29.90');
  await app.sound('a position');
  await app.picture('contracts-position');
  await app.button('contracts.chart').click();
  await marked(app, { long: '100,010.00', liq: '90,734.87', sl: '97,000.00', tp: '104,500.00' });
  await app.accessible('the chart of a position');
  await app.picture('contracts-chart');
  await app.dismiss();
  await card(app).getByRole('button', { name: new RegExp(app.t('contracts.details', { what: '' }).trim()) }).click();
  await expect(app.sheet.getByText('90,734.87').first()).toBeVisible();
  await app.sound('details of a position');
  await app.dismiss();

  // Closing asks for confirmation once.
  await app.button('contracts.close').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.closeTitle', { lots: lots(app, '10') }) })).toBeVisible();
  await app.sound('closing a position');
  await app.picture('contracts-close');
  await app.button('contracts.closeLots', { lots: lots(app, '10') }).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.closedTitle') })).toBeVisible();
  await expect(app.sheet.getByText(app.t('contracts.why.USER', { price: '102,989.70' }))).toBeVisible();
  await app.sound('the receipt of a closing');
  await app.picture('contracts-closed');
  await app.button('ui.done').click();
  await expect(card(app)).toHaveCount(0);
  const [closed] = await positions(server, member);
  expect(closed).toMatchObject({ status: 3, reason: 'USER', fact_profits: '29.797000', returned: '129.292051' });
  await tab(app, 'history').click();
  await expect(page.getByText('+28.78').filter({ visible: true })).toBeVisible();
  await app.sound('the history of contracts');
  await app.picture('contracts-history');
});

test('contracts: a long with a take-profit is closed when the index gets there', async ({ app, server }) => {
  const member = await trader(app, server);
  await open(app, 'long', { profit: '102000', stop: null });
  await app.pin(SYMBOL, '102000.50');
  await ended(app, server, member, 'TP');
  await expect(app.text('contracts.why.TP', { price: '101,990.29' })).toBeVisible();
  // 0.01 BTC from 100,010.00 to 101,990.29, less 0.509952 and 0.50005 of fees.
  await expect(app.page.getByText('+18.79').filter({ visible: true })).toBeVisible();
});

test('contracts: a short with a stop-loss is closed when the index gets there', async ({ app, server }) => {
  const member = await trader(app, server);
  // 0.01 BTC from 99,990.00 to 101,010.10, with fees of 0.49995 and 0.505051: the same result before, during and after.
  const lost = '11.21';
  await check(app, 'short', { stop: '101000', profit: null });
  await expect(app.sheet.getByText(app.t('contracts.stoppedAt', { price: '101,000.00', amount: `${lost}\u00a0USDT` }))).toBeVisible();
  await worstAbove(app, '\u2212100.49\u00a0USDT', send(app, 'short'));
  await send(app, 'short').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.receipt') })).toBeVisible();
  await app.button('ui.done').click();
  await expect(card(app)).toContainText(app.t('contracts.shortTimes', { multiple: '10' }));
  await expect(card(app)).toContainText(app.t('contracts.ifHit', { result: `−${lost}` }));
  await app.button('contracts.edit').click();
  await expect(app.sheet.getByText(app.t('contracts.youLose', { amount: lost }))).toBeVisible();
  await app.dismiss();
  await app.pin(SYMBOL, '101000');
  await ended(app, server, member, 'SL');
  await expect(app.text('contracts.why.SL', { price: '101,010.10' })).toBeVisible();
  await expect(app.page.getByText(`−${lost}`).filter({ visible: true })).toBeVisible();
});

test('contracts: a liquidation returns what is left of the margin', async ({ app, server }) => {
  const member = await trader(app, server);
  await open(app, 'long', { stop: null, profit: null });
  await expect(app.text('contracts.noStop', { price: '90,734.87', margin: '100.01\u00a0USDT' })).toBeVisible();
  await app.pin(SYMBOL, '94000');
  await expect(app.text('contracts.near', { percent: '3.47%', price: '90,734.87' })).toBeVisible();
  await app.sound('a position near its liquidation');
  await app.picture('contracts-near');
  await app.pin(SYMBOL, '90734.87');
  await ended(app, server, member, 'LIQUIDATION');
  await app.page.getByText(app.t('contracts.why.LIQUIDATION', { price: '90,734.87' })).filter({ visible: true }).click();
  await expect(app.sheet.getByText(app.t('contracts.state.liquidated'))).toBeVisible();
  // The fifth example (4.10).
  await expect(app.sheet.getByText('4.536653\u00a0USDT')).toBeVisible();
  await app.sound('the receipt of a liquidation');
  await app.picture('contracts-liquidated');
  expect((await positions(server, member))[0]?.returned).toBe('4.536653');
});

test('contracts: an order waits for its limit and fills; another is taken back and its money is free', async ({ app, server }) => {
  const member = await trader(app, server);
  await check(app, 'long', { limit: '99000' });
  await worstAbove(app, '\u221299.50\u00a0USDT', send(app, 'long'));
  await send(app, 'long').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.receipt') })).toBeVisible();
  await app.button('ui.done').click();
  await expect(app.sheet).toHaveCount(0);
  await open(app, 'long', { limit: '90000', lots: '5' });
  await tab(app, 'waiting').click();
  const rows = app.page.locator('main li').filter({ visible: true, hasText: SYMBOL });
  await expect(rows).toHaveCount(2);
  await app.sound('waiting orders');
  await app.picture('contracts-waiting');
  const before = Number(await free(server, member));
  await rows.filter({ hasText: '90,000.00' }).getByRole('button', { name: /^Cancel the order/ }).click();
  await expect(rows).toHaveCount(1);
  expect(Number(await free(server, member)) - before).toBeCloseTo(45.225, 6);
  await app.pin(SYMBOL, '98900');
  await expect(rows).toHaveCount(0);
  await tab(app, 'positions').click();
  await expect(card(app)).toHaveCount(1);
  expect((await positions(server, member)).map(({ status }) => status)).toContain(1);
  await tab(app, 'history').click();
  await expect(app.text('contracts.whyNot.USER')).toBeVisible();
});

test('contracts: the check of a short that waits says what it can take if it opens above its limit', async ({ app, server }) => {
  await trader(app, server, '1234.5');
  await check(app, 'short', { limit: '101000' });
  await expect(app.sheet.getByText(app.t('contracts.cautionShortLimit', { all: '1,234.50\u00a0USDT' }))).toBeVisible();
});

test('contracts: triggers are changed on the ruler, and on the wrong side not', async ({ app, server }) => {
  const member = await trader(app, server);
  await open(app, 'long', { stop: null, profit: null });
  await app.button('contracts.addStop').click();
  const stop = app.sheet.locator('#trigger-stop');
  const profit = app.sheet.locator('#trigger-profit');
  await expect(app.button('contracts.removeBoth')).toHaveAttribute('aria-disabled', 'true');
  await stop.fill('100500');
  await expect(app.sheet.getByText(app.t('contracts.stopBelow', { price: '100,000.00' })).first()).toBeVisible();
  await app.sound('a stop on the wrong side');
  await stop.fill('90734.87');
  await expect(app.sheet.getByText(app.t('errors.E_SL', { low: '90,734.88', high: '99,999.99' })).first()).toBeVisible();
  await stop.fill('97000');
  await profit.fill('99000');
  await expect(app.sheet.getByText(app.t('contracts.profitAbove', { price: '100,000.00' })).first()).toBeVisible();
  await app.sheet.getByRole('button', { name: '+3%' }).click();
  await expect(profit).toHaveValue('103,000.00');
  await app.sound('triggers of a position');
  await app.picture('contracts-stops');
  // By keyboard, a step of the handle.
  const handle = app.sheet.getByRole('slider', { name: app.t('contracts.takeProfit') });
  await handle.focus();
  await app.page.keyboard.press('ArrowRight');
  await expect(profit).not.toHaveValue('103,000.00');
  await profit.fill('103000');
  await app.button('ui.save').click();
  await expect(app.sheet).toHaveCount(0);
  expect((await positions(server, member))[0]).toMatchObject({ stop_loss_price: '97000.00', target_profit_price: '103000.00' });
  await expect(card(app)).toContainText('97,000.00');
  await app.button('contracts.edit').click();
  await app.button('contracts.removeBoth').click();
  await expect(app.text('contracts.noStop', { price: '90,734.87', margin: '100.01\u00a0USDT' })).toBeVisible();
});

test('contracts: what is closed says when it was opened and when it was closed', async ({ app, server }) => {
  const member = await trader(app, server);
  await check(app, 'long', { stop: null, profit: null });
  await tapTwice(send(app, 'long'));
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.receipt') })).toBeVisible();
  await app.button('ui.done').press('Enter');
  await server.call('/sandbox/clock', { advance_ms: '7200000' });
  await app.pin(SYMBOL, '100000');
  await app.button('contracts.close').click();
  await tapTwice(app.button('contracts.closeLots', { lots: lots(app, '10') }));
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.closedTitle') })).toBeVisible();
  const [closed] = await positions(server, member);
  const times = await app.page.evaluate(({ from, to }) => {
    const minute = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
    const at = (ms: number) => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(ms);
    return { opened: at(from), closed: at(to), both: new Intl.DateTimeFormat('en-GB', minute).formatRange(from, to) };
  }, { from: closed?.create_time_ms ?? 0, to: closed?.complete_time_ms ?? 0 });
  await expect(app.sheet).toContainText(times.closed);
  await expect(app.sheet).toContainText(times.opened);
  await app.button('ui.done').click();
  await tab(app, 'history').click();
  await app.page.getByText(times.both).filter({ visible: true }).click();
  const width = async (box: Locator) => (await box.boundingBox())?.width ?? 0;
  const how = app.sheet.getByRole('link', { name: app.t('contracts.howClosed') });
  await expect.poll(async () => (await width(how)) - (await width(app.button('ui.done')))).toBe(0);
});

test('contracts: on a narrow screen nothing lies over anything else, and figures stay at their edge', async ({ app, server }) => {
  await trader(app, server);
  await open(app, 'long', { stop: null, profit: null });
  await app.page.setViewportSize({ width: 320, height: 640 });
  const right = async (box: Locator) => box.evaluate((element) => element.getBoundingClientRect().right);
  for (const code of ['en', 'deyu', 'th']) {
    await app.language(code);
    await app.open('lever/index');
    const choice = app.page.getByRole('group', { name: app.t('tab.trade'), exact: true }).filter({ visible: true });
    await expect.poll(async () => (await app.button('contracts.how').boundingBox())?.x ?? 0, code).toBeGreaterThanOrEqual(await right(choice));
    const head = card(app).getByRole('button').first();
    await expect(head).toContainText('%');
    await expect.poll(async () => (await right(head)) - (await right(head.locator('> :last-child'))), code).toBeLessThan(1);
  }
});

test('contracts: closing without a live price waits for the next one', async ({ app, server }) => {
  const member = await trader(app, server);
  await open(app, 'long', { stop: null, profit: null });
  await server.call('/sandbox/price', { symbol: SYMBOL, halt: '1' });
  await app.button('contracts.close').click();
  await expect(app.sheet.getByRole('status').getByText(app.t('contracts.closesNext'))).toBeVisible();
  await app.button('contracts.closeLots', { lots: lots(app, '10') }).click();
  await expect(app.sheet.getByRole('button', { name: app.t('contracts.closesNext') })).toHaveAttribute('aria-busy', 'true');
  await app.picture('contracts-close-stale');
  expect((await positions(server, member))[0]?.status).toBe(1);
  await app.pin(SYMBOL, '100100');
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.closedTitle') })).toBeVisible();
});
