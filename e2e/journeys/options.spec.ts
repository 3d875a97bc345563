import { App, type Member } from '../support/app.ts';
import { operator, ready } from '../support/desk.ts';
import { advance, buyer, check, deliver, dock, form, free, options, read } from '../support/options.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

const SYMBOL = 'BTC/USDT';
const COST = { up: { direction: 'Up', amount: '10.05\u00a0USDT' }, even: { direction: 'Even', amount: '10.05\u00a0USDT' }, down: { direction: 'Down', amount: '10.05\u00a0USDT' } };

test.beforeEach(async ({ app }) => app.pin(SYMBOL, '100000'));

/** Buys an option of a minute for 10 USDT on the screen. */
async function buy(app: App, key: 'up' | 'even' | 'down'): Promise<void> {
  await check(app, `options.${key}`, '10');
  await app.button('options.buy', COST[key]).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('options.receipt') })).toBeVisible();
  await app.button('ui.done').click();
  await expect(app.sheet).toHaveCount(0);
}

/** The receipt of the only option, once it is settled. */
async function receipt(app: App, server: Server, member: Member, net: string) {
  await expect.poll(async () => (await options(server, member))[0]?.result, { timeout: 60_000 }).not.toBe('open');
  const [order] = await options(server, member);
  // The row that was waited for shows its result by itself.
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
  // A wrong answer is said to be one, and can be corrected.
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
  // The worst case stands first, in money.
  await expect(app.sheet.getByText('\u2212100.50\u00a0USDT').first()).toBeVisible();
  await expect(app.sheet.getByText('+69.50\u00a0USDT')).toBeVisible();
  await expect(app.sheet.getByText(app.t('options.breakEven', { percent: '59.2%' }))).toBeVisible();
  await expect(app.sheet.getByText(app.t('options.toss', { cost: '15.50\u00a0USDT' }))).toBeVisible();
  await app.sound('the form of an option');
  await app.picture('option-sheet');
  await app.button('options.review', { direction: app.t('options.up') }).click();
  await app.sound('the check of an option');
  await app.picture('option-check');
  await app.button('options.buy', { direction: 'Up', amount: '100.50\u00a0USDT' }).click();
  await expect(app.sheet.getByText('100,000.00')).toBeVisible();
  await app.sound('the receipt of a purchase');
  await app.button('ui.done').click();
  const timer = app.page.getByRole('timer');
  await expect(timer).toBeVisible();
  await app.pin(SYMBOL, '100200');
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
  await expect(app.sheet.getByText(app.t('options.counted', {}), { exact: true })).toBeVisible();
  await app.sound('how an option settled');
  await app.picture('option-how');
  await app.dismiss();
  await app.button('ui.done').click();
  await expect(app.page).toHaveURL(/option\/detail/);
  expect(await free(server, member)).toBe('569.500000');
  // The same option among the orders, and its money in the account.
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

test('options: without a valid price at the end everything comes back', async ({ app, server }) => {
  const member = await buyer(app, server);
  await buy(app, 'up');
  // The clock leaps over the delivery: no sample is near it.
  await advance(server, 90_000);
  await receipt(app, server, member, '0.00');
  await expect(app.text('options.whyRefunded')).toBeVisible();
  await app.sound('the receipt of a refund');
  await app.button('options.how').click();
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
  await app.sound('settled options');
  await app.picture('option-settled');
  await app.page.getByRole('button', { name: app.t('options.lost'), exact: true }).click();
  await expect(app.text('orders.noneFiltered')).toBeVisible();
  await form(app, 'options.up', '10');
  await expect(app.sheet.getByText(app.t('options.own', { right: 1, count: 1, percent: '100%' }))).toBeVisible();
});

test('options: what would be refused is said before it is sent, and what is refused all the same is said too', async ({ app, server }) => {
  const member = await buyer(app, server);
  await form(app, 'options.up', '4.99');
  await expect(app.button('options.min', { amount: '5.00\u00a0USDT' })).toBeVisible();
  await app.field('options.stake').fill('1000.01');
  await expect(app.button('options.max', { amount: '1,000.00\u00a0USDT' })).toBeVisible();
  await app.field('options.stake').fill('600');
  await expect(app.button('trade.reason.insufficient', { quote: 'USDT', more: '103.00' })).toBeVisible();
  await expect(app.link('trade.transfer')).toBeVisible();
  await app.field('options.stake').fill('1.0000001');
  await expect(app.button('trade.reason.decimals', { unit: 'USDT', most: '6' })).toBeVisible();
  await app.field('options.stake').fill('0');
  await expect(app.button('trade.reason.empty')).toBeVisible();
  // More than a quarter of the account is said with a box of its own.
  await app.field('options.stake').fill('200');
  await app.button('options.review', { direction: 'Up' }).click();
  await expect(app.button('trade.tickFirst')).toBeVisible();
  await app.sheet.getByRole('checkbox').check({ force: true });
  // Meanwhile the member sets a limit elsewhere: the server knows it.
  await server.call('user/limits', { option_stake_day: '50' }, member.token);
  await app.button('options.buy', { direction: 'Up', amount: '201.00\u00a0USDT' }).click();
  await expect(app.sheet.getByRole('alert')).toContainText(app.t('errors.E_SELF_LIMIT'));
  await app.sound('a purchase that was refused');
  expect(await options(server, member)).toEqual([]);
});

test('options: a member who is not verified is led to it, a guest to the log-in', async ({ app }) => {
  await app.open('option/detail');
  await expect(app.text('options.guest')).toBeVisible();
  await app.sound('options for guests');
  await dock(app, 'options.up').click();
  await expect(app.page).toHaveURL(/user\/login/);
  const member = await app.member();
  await app.signIn(member);
  await app.open('option/detail');
  await dock(app, 'options.down').click();
  await expect(app.sheet.getByText(app.t('options.identityText'))).toBeVisible();
  await app.sound('options without papers');
  await app.link('menu.identity').click();
  await expect(app.page).toHaveURL(/verification\/index/);
});

test('options: a pause of the product and a stale price close the dock, and open it again', async ({ app, server }) => {
  const desk = await operator(server, 'market', 'mia');
  await buyer(app, server);
  await app.open('option/detail');
  await expect(dock(app, 'options.up')).toBeEnabled();
  const pause = (on: string) => server.call('/operator/api/catalog/pause', { product: 'option', on, reason: 'a journey' }, desk);
  await pause('1');
  await expect(app.text('options.paused', { pair: SYMBOL })).toBeVisible();
  await expect(dock(app, 'options.up')).toHaveAttribute('aria-disabled', 'true');
  await app.sound('a paused option tab');
  await pause('0');
  await expect(app.text('options.risk')).toBeVisible();
  await server.call('/sandbox/feed', { symbol: SYMBOL, on: '0' });
  try {
    await expect(app.text('trade.reason.stale')).toBeVisible();
    await app.sound('an option tab without a price');
  } finally {
    await server.call('/sandbox/feed', { symbol: SYMBOL, on: '1' });
  }
  await expect(app.text('options.risk')).toBeVisible();
});

test('options: a clock that leaps and terms that change under an open review', async ({ app, server }) => {
  const member = await buyer(app, server);
  await check(app, 'options.up', '10');
  await advance(server, 3_600_000);
  // What was reviewed is bought, at the time of the purchase.
  await app.button('options.buy', COST.up).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('options.receipt') })).toBeVisible();
  const [first] = await options(server, member);
  expect(first?.number).toBe('10.000000');
  await app.button('ui.done').click();

  await check(app, 'options.up', '10');
  const [mia, max] = [await operator(server, 'market', 'mia'), await operator(server, 'market', 'max')];
  const setRate = async (profit_ratio: string) => {
    const rows = await server.read<{ id: number; values: object }[]>('/operator/api/catalog', { kind: 'option_duration' }, mia);
    const values = JSON.stringify({ ...rows.find(({ id }) => id === 60)?.values, profit_ratio });
    const { id, hash } = await server.call<{ id: number; hash: string }>('/operator/api/catalog/propose', { kind: 'option_duration', id: '60', values, reason: 'terms' }, mia);
    await server.call('/operator/api/proposal/confirm', { id: String(id), hash }, max);
  };
  await setRate('60');
  try {
    await expect(app.sheet.getByRole('alert')).toContainText(app.t('review.changed'), { timeout: 60_000 });
    await expect(app.button('review.first')).toBeVisible();
    expect(await options(server, member)).toHaveLength(1);
    await app.button('review.show').click();
    await expect(app.sheet.getByText('+5.95\u00a0USDT')).toBeVisible();
    await app.button('options.buy', COST.up).click();
    await expect(app.sheet.getByRole('heading', { name: app.t('options.receipt') })).toBeVisible();
  } finally {
    await setRate('70');
  }
});

test('options: an answer that is lost is asked for, also by a page that was loaded anew, and bought once', async ({ app, server }) => {
  const member = await buyer(app, server);
  await check(app, 'options.up', '10');
  let lost = true;
  await app.page.route('**/api/microtrade/submit', async (route) => {
    if (lost) await route.fetch();
    return lost ? route.abort() : route.continue();
  });
  await app.page.route('**/api/user/outcome', (route) => (lost ? route.abort() : route.continue()));
  await app.button('options.buy', COST.up).click();
  await expect(app.sheet.getByText(app.t('trade.unknownText'))).toBeVisible({ timeout: 60_000 });
  await app.sound('a purchase whose outcome is not known');
  await app.page.reload();
  const strip = (key: string) => app.page.getByRole('status').filter({ hasText: app.t(key, { what: app.t('pending.kind.option') }) });
  await expect(strip('pending.unknown')).toBeVisible();
  // Until it is known, nothing else is sent.
  await dock(app, 'options.up').click();
  await expect(app.sheet.getByText(app.t('trade.unknownText'))).toBeVisible();
  await app.dismiss();
  lost = false;
  await expect(strip('pending.done')).toBeVisible({ timeout: 60_000 });
  await expect(app.page.getByRole('timer')).toHaveCount(1);
  expect(await options(server, member)).toHaveLength(1);
  expect(await free(server, member)).toBe('489.950000');
});

test('options: two members in two tabs see their own, and what each bought elsewhere', async ({ app, other, server }) => {
  const ann = await buyer(app, server);
  const bob = await ready(other, server);
  await other.fund(bob, 'USDT', '500', 'micro');
  await other.signIn(bob);
  await read(other, server, bob);
  await buy(app, 'up');
  await other.open('option/detail');
  await expect(other.text('options.none')).toBeVisible();
  await buy(other, 'down');
  expect([(await options(server, ann)).map(({ type }) => type), (await options(server, bob)).map(({ type }) => type)]).toEqual([[1], [2]]);
  // On a third device Ann buys another one: her open tab shows it without being asked.
  await server.call('microtrade/submit', { match_id: '1', currency_id: '3', type: '2', seconds: '300', number: '20' }, ann.token);
  await expect(app.page.getByRole('timer')).toHaveCount(2);
});

test('options: the whole purchase by keyboard', async ({ app, server }) => {
  const member = await buyer(app, server);
  await app.open('option/detail');
  const { keyboard } = app.page;
  await dock(app, 'options.down').focus();
  await keyboard.press('Enter');
  await expect(app.sheet.getByRole('heading', { name: app.t('options.sheet', { symbol: SYMBOL }) })).toBeFocused();
  const to = async (name: string | RegExp, role: 'button' | 'textbox' = 'button') => {
    const target = app.sheet.getByRole(role, { name }).first();
    for (let n = 0; n < 40 && !(await target.evaluate((element) => element === document.activeElement)); n++) await keyboard.press('Tab');
    await expect(target).toBeFocused();
  };
  await to(/^60/);
  await keyboard.press('Enter');
  await to(app.t('options.stake'), 'textbox');
  await keyboard.type('10');
  await to(app.t('options.review', { direction: 'Down' }));
  await keyboard.press('Enter');
  await to(app.t('options.buy', COST.down));
  await keyboard.press('Enter');
  await expect(app.sheet.getByRole('heading', { name: app.t('options.receipt') })).toBeVisible();
  await keyboard.press('Escape');
  await expect(app.page.getByRole('timer')).toHaveCount(1);
  expect(await options(server, member)).toHaveLength(1);
});

test('options: every language has every word, on a narrow phone too', async ({ app, server }) => {
  test.setTimeout(600_000);
  const member = await buyer(app, server);
  await buy(app, 'up');
  const languages = (await server.read<{ languages: { code: string }[] }>('app/config')).languages.map(({ code }) => code);
  for (const code of languages) {
    await app.language(code);
    await app.page.setViewportSize({ width: 320, height: 844 });
    await app.open('option/detail');
    await app.fits(`the option tab in ${code}`);
    await form(app, 'options.even', '10');
    await app.fits(`the form of an option in ${code}`);
    await app.dismiss();
    await app.page.evaluate(() => localStorage.removeItem('meridian.firstUse'));
    await app.page.reload();
    await app.settled();
    await dock(app, 'options.up').click();
    await expect(app.sheet.getByText(app.t('risk.questions'))).toBeVisible();
    await app.fits(`risk and questions in ${code}`);
    await app.dismiss();
    await read(app, server, member);
    const [order] = await options(server, member);
    await app.open('option/detail', `order=${order?.id}`);
    await app.fits(`a receipt in ${code}`);
  }
});
