import type { App, Member } from '../support/app.ts';
import { advance } from '../support/clock.ts';
import { ready } from '../support/desk.ts';
import { buy, buyer, check, COST, deliver, dock, form, free, LONG, options, SYMBOL } from '../support/options.ts';
import type { Server } from '../support/server.ts';
import { tapTwice } from '../support/tap.ts';
import { expect, test } from '../support/test.ts';
import { worstAbove } from '../support/worst.ts';

test.beforeEach(async ({ app }) => app.pin(SYMBOL, '100000'));

/** The receipt of the only option, once it is settled. */
async function receipt(app: App, server: Server, member: Member, net: string) {
  await expect.poll(async () => (await options(server, member))[0]?.result, { timeout: 60_000 }).not.toBe('open');
  const [order] = await options(server, member);
  // The awaited row shows its result by itself.
  const row = app.page.locator(`a[href*="order=${order?.id}"]`).filter({ visible: true });
  await expect(row).toContainText(net);
  await row.click();
  await expect(app.page.getByRole('heading', { name: app.t('options.receipt') })).toBeVisible();
  return order;
}

test('options: a first purchase is made after the risk and three questions, wins, and its receipt says how', async ({ app, server }) => {
  const member = await ready(app, server);
  await app.fund(member, 'USDT', '500', 'micro');
  await app.signIn(member);
  await app.tab('tab.option').click();
  await expect(app.text('options.none')).toBeVisible();
  await app.sound('the option tab');
  await app.picture('option-empty');
  await dock(app, 'options.up').click();
  await expect(app.sheet.getByText(app.t('risk.option.lose'))).toBeVisible();
  await app.sound('risk and questions');
  await app.picture('option-risk');
  // A wrong answer is marked, and can be corrected.
  await app.sheet.getByLabel(app.t('risk.option.losePart')).check();
  await expect(app.sheet.getByText(`${app.t('risk.wrong')} ${app.t('risk.option.loseWhy')}`)).toBeVisible();
  await app.sheet.getByLabel(app.t('risk.option.halfLoses')).check();
  await app.sheet.getByLabel(app.t('risk.option.stopNo')).check();
  await app.button('risk.answer').click({ force: true });
  await expect(app.sheet.getByLabel(app.t('risk.option.losePart'))).toBeFocused();
  await app.sheet.getByLabel(app.t('risk.option.loseAll')).check();
  await app.button('risk.go').click();

  await expect(app.button('options.chooseEnd')).toBeVisible();
  await expect(app.field('options.stake')).toBeDisabled();
  await app.sheet.getByRole('button', { name: /^60/ }).click();
  await expect(app.field('options.stake')).toHaveAttribute('placeholder', '5 to 1,000');
  await app.field('options.stake').fill('100');
  // The worst case comes first, in money.
  await expect(app.sheet.getByText('\u2212100.50\u00a0USDT').first()).toBeVisible();
  await expect(app.sheet.getByText('+69.50\u00a0USDT').first()).toBeVisible();
  await expect(app.sheet.getByText(app.t('options.breakEven', { percent: '59.2%' }))).toBeVisible();
  await expect(app.sheet.getByText(app.t('options.toss', { cost: '15.50\u00a0USDT' }))).toBeVisible();
  await app.sound('the form of an option');
  await app.picture('option-sheet');
  await app.button('options.review', { direction: app.t('options.up') }).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.check') })).toBeVisible();
  // A label is on one line if there is space.
  expect((await app.sheet.getByText(app.t('options.feeLine', { rate: '0.50%' })).boundingBox())?.height).toBeLessThan(30);
  await app.sound('the check of an option');
  await app.picture('option-check');
  const buying = app.button('options.buy', { direction: 'Up', amount: '100.50\u00a0USDT' });
  await worstAbove(app, '\u2212100.50\u00a0USDT', buying);
  await buying.click();
  await expect(app.sheet.getByText('100,000.00')).toBeVisible();
  await app.sound('the receipt of a purchase');
  await app.button('ui.done').click();
  const timer = app.page.getByRole('timer');
  await expect(timer).toBeVisible();
  await app.pin(SYMBOL, '100200');
  // The chart marks the open price until the delivery, at the time that the ring shows.
  await expect(app.page.getByRole('img', { name: /(^| )0:\d\d 100,000\.00$/ })).toBeVisible();
  await expect(app.page.getByText('+69.50').filter({ visible: true })).toBeVisible();
  await app.sound('a running option');
  await app.picture('option-running');
  await advance(server, 56_000);
  await receipt(app, server, member, '+69.50');
  await expect(app.text('options.whyWonUp', { direction: 'Up', difference: '200.00' })).toBeVisible();
  await expect(app.page.getByText('+69.50\u00a0USDT').filter({ visible: true }).first()).toBeVisible();
  await app.sound('the receipt of an option');
  await app.picture('option-receipt');
  await app.button('options.how').click();
  await expect(app.sheet.getByText(app.t('options.counted'), { exact: true })).toBeVisible();
  const counted = app.sheet.locator('li[aria-current]');
  expect(await counted.evaluate((row) => getComputedStyle(row).boxShadow)).toBe('none');
  await app.sound('how an option settled');
  await app.picture('option-how');
  await app.dismiss();
  await app.button('ui.done').click();
  await expect(app.page).toHaveURL(/option\/detail/);
  await app.button('options.howTitle').click();
  await expect(app.sheet).toBeVisible();
  await app.sound('how options work');
  await app.picture('option-explained');
  await app.dismiss();
  expect(await free(server, member)).toBe('569.500000');
  // The same option in the list of orders, and its money in the account.
  await app.open('index/orderlist', 'tab=options');
  await expect(app.page.locator('a[href*="order="]').filter({ visible: true })).toContainText('+69.50');
  await app.sound('options among the orders');
  await app.open('assets/tradeAccount', 'account=micro');
  await expect(app.page.getByText('Option settled').filter({ visible: true }).first()).toBeVisible();
});

for (const { key, price, net, why } of [
  { key: 'down', price: '100200', net: '\u221210.05', why: 'options.whyLostUp' },
  { key: 'up', price: '99800', net: '\u221210.05', why: 'options.whyLostDown' },
  { key: 'even', price: '100001', net: '+89.95', why: 'options.whyWonEven' },
  { key: 'up', price: '100001', net: '\u22120.05', why: 'options.whyPush' },
] as const) {
  test(`options: ${key} that ends at ${price} brings ${net}`, async ({ app, server }) => {
    const member = await buyer(app, server);
    await buy(app, key);
    await deliver(app, server, price);
    await receipt(app, server, member, net);
    await expect(app.text(why, { direction: app.t(`options.${key}`), difference: '200.00', band: '5.00' })).toBeVisible();
  });
}

test('options: the receipt of a purchase says what its check said, and the list says the same stake', async ({ app, server }) => {
  await buyer(app, server);
  await check(app, 'options.even', '10', LONG);
  await expect(app.sheet.getByText('+89.95\u00a0USDT').first()).toBeVisible();
  // Every second call right is no measure of an even end.
  await expect(app.sheet.getByText(/coin toss/)).toHaveCount(0);
  await tapTwice(app.button('options.buy', COST.even));
  await expect(app.sheet.getByRole('heading', { name: app.t('options.receipt') })).toBeVisible();
  await expect(app.sheet.getByText('+89.95\u00a0USDT')).toBeVisible();
  await app.button('ui.done').press('Enter');
  await expect(app.sheet).toHaveCount(0);
  await check(app, 'options.up', '20.000001', LONG);
  await app.button('options.buy', { direction: 'Up', amount: '20.11\u00a0USDT' }).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('options.receipt') })).toBeVisible();
  await expect(app.sheet.getByText('20.00\u00a0USDT')).toBeVisible();
  await app.button('ui.done').click();
  await expect(app.page.getByText('20.00', { exact: true }).filter({ visible: true })).toBeVisible();
});

test('options: without a valid price at the end everything comes back', async ({ app, server }) => {
  const member = await buyer(app, server);
  await buy(app, 'up');
  await server.call('/sandbox/price', { symbol: SYMBOL, halt: '1' });
  await advance(server, 90_000);
  await expect.poll(async () => (await options(server, member))[0]?.result, { timeout: 60_000 }).toBe('refunded');
  await app.release(SYMBOL);
  await receipt(app, server, member, '0.00');
  await expect(app.text('options.whyRefunded')).toBeVisible();
  await app.sound('the receipt of a refund');
  await app.button('options.how').click();
  await expect(app.sheet).toBeVisible();
  await app.sound('how a refund settled');
  expect(await free(server, member)).toBe('500.000000');
});

test('options: the tab keeps its results, by result and for the own record', async ({ app, server }) => {
  const member = await buyer(app, server);
  await buy(app, 'up');
  await deliver(app, server, '100300');
  await receipt(app, server, member, '+6.95');
  await app.open('option/detail', 'tab=settled');
  await expect(app.page.locator('a[href*="order="]').filter({ visible: true })).toHaveCount(1);
  await expect(app.text('options.record', { right: 1, count: 1, net: '+6.95' })).toBeVisible();
  expect((await app.page.getByRole('button', { name: app.t('orders.all'), exact: true }).filter({ visible: true }).boundingBox())?.x).toBeGreaterThanOrEqual(16);
  await app.sound('settled options');
  await app.picture('option-settled');
  await app.page.getByRole('button', { name: app.t('options.lost'), exact: true }).click();
  await expect(app.text('orders.noneFiltered')).toBeVisible();
  await form(app, 'options.up', '10');
  await expect(app.sheet.getByText(app.t('options.own', { right: 1, count: 1, percent: '100%' }))).toBeVisible();
});
