import { advance } from '../support/clock.ts';
import { operator, ready } from '../support/desk.ts';
import { buy, buyer, check, COST, dock, form, free, LONG, options, read, SYMBOL } from '../support/options.ts';
import { expect, test } from '../support/test.ts';

test.beforeEach(async ({ app }) => app.pin(SYMBOL, '100000'));

test('options: what would be refused is said before it is sent, and what is refused all the same is said too', async ({ app, server }) => {
  const member = await buyer(app, server);
  await form(app, 'options.up', '4.99');
  await expect(app.button('options.min', { amount: '5.00\u00a0USDT' })).toBeVisible();
  await app.field('options.stake').fill('1000.01');
  await expect(app.button('options.max', { amount: '1,000.00\u00a0USDT' })).toBeVisible();
  await app.field('options.stake').fill('600');
  await expect(app.button('trade.reason.insufficient', { quote: 'USDT', more: '103.00' })).toBeVisible();
  await expect(app.link('trade.transfer')).toBeVisible();
  await expect(app.sheet.getByText(app.t('options.leftAfter'))).toHaveCount(0);
  await app.field('options.stake').fill('1.0000001');
  await expect(app.button('trade.reason.decimals', { unit: 'USDT', most: '6' })).toBeVisible();
  await app.field('options.stake').fill('0');
  await expect(app.button('trade.reason.empty')).toBeVisible();
  // A stake above a quarter of the account needs a box to be ticked.
  await app.field('options.stake').fill('200');
  await app.button('options.review', { direction: 'Up' }).click();
  await expect(app.button('trade.tickFirst')).toBeVisible();
  await app.sheet.getByRole('checkbox').check({ force: true });
  // Meanwhile the member sets a limit on another device, so only the server knows it.
  await server.call('user/limits', { option_stake_day: '50' }, member.token);
  await app.button('options.buy', { direction: 'Up', amount: '201.00\u00a0USDT' }).click();
  await expect(app.sheet.getByRole('alert')).toContainText(app.t('errors.E_SELF_LIMIT'));
  await app.sound('a purchase that was refused');
  // From now on the sheet knows it too: a breach of the limit is shown before sending, in the same words.
  await expect(app.button('errors.E_SELF_LIMIT')).toHaveAttribute('aria-disabled', 'true');
  await app.sheet.getByRole('button', { name: app.t('ui.back') }).click();
  await app.field('options.stake').fill('50.01');
  await expect(app.button('errors.E_SELF_LIMIT')).toHaveAttribute('aria-disabled', 'true');
  await app.sound('a stake over the own limit');
  await app.field('options.stake').fill('50');
  await expect(app.button('options.review', { direction: 'Up' })).toBeEnabled();
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
  await server.call('/sandbox/price', { symbol: SYMBOL, halt: '1' });
  try {
    await expect(app.text('trade.reason.stale')).toBeVisible();
    await app.sound('an option tab without a price');
  } finally {
    await app.release(SYMBOL);
  }
  await expect(app.text('options.risk')).toBeVisible();
});

test('options: a clock that leaps and terms that change under an open review', async ({ app, server }) => {
  const member = await buyer(app, server);
  await check(app, 'options.up', '10');
  await advance(server, 3_600_000);
  // The reviewed option is bought, at the time of the purchase. Right after the jump of the clock there may be no live price, and an answer
  // may be late.
  const press = app.button('options.buy', COST.up);
  await expect(async () => {
    if (await press.isVisible()) await press.click({ timeout: 1_000 });
    await expect(app.sheet.getByRole('heading', { name: app.t('options.receipt') })).toBeVisible({ timeout: 3_000 });
  }).toPass({ timeout: 120_000 });
  expect(await options(server, member)).toHaveLength(1);
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
    await expect(app.sheet.getByText('+5.95\u00a0USDT').first()).toBeVisible();
    await app.button('options.buy', COST.up).click();
    await expect(app.sheet.getByRole('heading', { name: app.t('options.receipt') })).toBeVisible();
  } finally {
    await setRate('70');
  }
});

test('options: an answer that is lost is asked for, also by a page that was loaded anew, and bought once', async ({ app, server }) => {
  const member = await buyer(app, server);
  // Long enough to be running when its outcome is known.
  await check(app, 'options.up', '10', LONG);
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
  // Both run until everything was checked.
  await buy(app, 'up', LONG);
  await other.open('option/detail');
  await expect(other.text('options.none')).toBeVisible();
  await buy(other, 'down', LONG);
  expect([(await options(server, ann)).map(({ type }) => type), (await options(server, bob)).map(({ type }) => type)]).toEqual([[1], [2]]);
  // Ann buys another one on a third device, and her open tab shows it without a request.
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
    await expect(app.sheet.getByText(app.t('risk.questions'), { exact: true })).toBeVisible();
    await app.fits(`risk and questions in ${code}`);
    await app.dismiss();
    await read(app, server, member);
    const [order] = await options(server, member);
    await app.open('option/detail', `order=${order?.id}`);
    await app.fits(`a receipt in ${code}`);
  }
});
