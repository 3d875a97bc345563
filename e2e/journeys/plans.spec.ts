import { expect } from '@playwright/test';
import type { App } from '../support/app.ts';
import { beyond, moveCapital } from '../support/capital.ts';
import { nextDay, until } from '../support/clock.ts';
import { operator } from '../support/desk.ts';
import { askAbout, numbered } from '../support/receipt.ts';
import { tapTwice } from '../support/tap.ts';
import { followMessage, free, hostings, line, test, understand, weeks } from '../support/wealth.ts';
import { worstAbove } from '../support/worst.ts';

const DAY = 86_400_000;

const USDT = '\u00a0USDT';

/** The page of plans shows who pays, with public figures, before and after one is sold. */
async function payer(app: App): Promise<{ balance: string; reserve: string; free: string }> {
  const pools = await app.server.read<{ account: string; currency_name: string; balance: string; reserve: string; free: string }[]>('public/pools');
  const pool = pools.find(({ account, currency_name }) => account === 'plan_treasury' && currency_name === 'USDT');
  if (!pool) throw new Error('plans in USDT have no treasury');
  for (const [key, value] of [
    ['holds', pool.balance],
    ['promised', pool.reserve],
    ['free', pool.free],
  ] as const) {
    const line = app.page.locator('dl > div').filter({ hasText: app.t(`plans.payer.${key}`) }).filter({ visible: true });
    await expect(line).toHaveText(`${app.t(`plans.payer.${key}`)}${app.number(value, 2)}${USDT}`);
  }
  // The entries behind them, as Check us shows them.
  await expect(app.page.getByText(new RegExp(`^${app.t('plans.payer.from', { from: 1, to: '[\\d,]+' })}$`)).filter({ visible: true })).toHaveCount(1);
  return pool;
}

test('plans: a plan of 15 days runs to its end, and one is left on day 5 for exactly what was shown', async ({ app }) => {
  const { server } = app;
  await nextDay(server);
  const member = await app.member();
  await app.fund(member, 'USDT', '2000', 'trust');
  await app.signIn(member);
  await app.tab('tab.plans').click();
  await expect(app.text('plans.noteTitle')).toBeVisible();
  await app.sound('plans on sale');
  await app.picture('plans');
  await expect(app.text('plans.payer.title')).toBeVisible();
  const before = await payer(app);
  expect(before.reserve).toBe('0.000000');
  await app.page.getByRole('link', { name: /USDT, 15 days/ }).click();

  // The worst case and every day of the calculator, before a purchase.
  await app.field('plans.amount').fill('500');
  await expect(app.page.getByText(`−33.00${USDT}`).first()).toBeVisible();
  await expect(app.page.getByText(`487.00${USDT}`)).toBeVisible();
  for (const tick of ['+30', '0', '\u221233']) await expect(app.page.locator('svg').getByText(tick, { exact: true })).toBeVisible();
  await app.page.getByRole('slider').press('End');
  await expect(app.page.getByText(`530.00${USDT}`).first()).toBeVisible();
  await app.page.getByRole('slider').press('Home');
  await expect(app.page.getByText(`467.00${USDT}`)).toBeVisible();
  // The day can be typed as well; a day outside the plan is an error.
  const day = app.page.getByRole('textbox', { name: app.t('plans.leaveOn') });
  await expect(day).toHaveValue('0');
  await day.fill('16');
  await expect(app.text('plans.dayRange', { days: 15 })).toBeVisible();
  await day.fill('5');
  await expect(app.page.getByText(`487.00${USDT}`)).toBeVisible();
  await expect(app.page.getByRole('slider')).toHaveValue('5');
  await app.sound('a plan with its exit');
  await app.picture('plan-buy');

  // A refusal is predicted before sending.
  await app.field('plans.amount').fill('99.999999');
  await expect(app.button('plans.min', { amount: `100.00${USDT}` })).toBeVisible();
  await app.field('plans.amount').fill('2000.000001');
  await expect(app.button('transfer.tooMuch', { more: `0.01${USDT}` })).toBeVisible();
  await app.field('plans.amount').fill('1000');
  await expect(app.button('plans.tick')).toBeVisible();
  await app.page.getByRole('checkbox').check({ force: true });

  await app.button('plans.review', { amount: `1,000.00${USDT}` }).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('risk.questions') })).toBeVisible();
  await app.sound('the risk of plans');
  await understand(app);
  await worstAbove(app, `−66.00${USDT}`, app.button('plans.lock', { amount: `1,000.00${USDT}` }));
  await app.sound('the review of a plan');
  await app.button('plans.lock', { amount: `1,000.00${USDT}` }).click();
  await expect(app.text('plans.done', { amount: `1,000.00${USDT}` })).toBeVisible();
  await app.sound('the receipt of a plan');
  const [first] = await hostings(server, member);
  await numbered(app, 'plan', first?.id ?? 0, 'trade.copyNumber');
  await app.button('ui.done').click();

  // The interest of 1,000 for 15 days is set aside, and that much less is free.
  await expect.poll(async () => (await payer(app)).reserve).toBe('60.000000');
  expect((await payer(app)).balance).toBe(before.balance);

  // The second one; the risk text is read only once.
  await app.page.getByRole('link', { name: /USDT, 15 days/ }).click();
  const review = async () => {
    await app.field('plans.amount').fill('1000');
    await app.page.getByRole('checkbox').check({ force: true });
    await app.button('plans.review', { amount: `1,000.00${USDT}` }).click();
    await expect(app.button('plans.lock', { amount: `1,000.00${USDT}` })).toBeVisible();
  };
  await review();
  // A reload closes the sheet; then back closes the next one at the first press.
  await app.reload();
  await review();
  await app.page.goBack();
  await expect(app.sheet).toHaveCount(0);
  await expect(app.field('plans.amount')).toHaveValue('1,000.00');
  await app.button('plans.review', { amount: `1,000.00${USDT}` }).click();
  await tapTwice(app.button('plans.lock', { amount: `1,000.00${USDT}` }));
  await expect(app.text('plans.done', { amount: `1,000.00${USDT}` })).toBeVisible();
  expect(await hostings(server, member)).toHaveLength(2);
  expect(await free(server, member, 'trust', 'USDT')).toBe('0.000000');

  // The principal is frozen, and a link leads from there to what holds it.
  await app.open('assets/tradeAccount', 'account=trust');
  await expect(app.text('assets.frozenPlans')).toBeVisible();
  await app.link('assets.seePlans').click();
  await expect(app.page).toHaveURL(/finance\/ordersPage/);
  await app.open('finance/index');

  // Five full days were earned on the sixth day after the purchase.
  await weeks(server, member, 6);
  await app.open('finance/ordersPage');
  await expect(app.page.getByText(`20.00${USDT}`, { exact: true }).filter({ visible: true }).first()).toBeVisible();
  // The total includes what both have earned so far, although none of it is paid yet.
  const totals = (key: string) => line(app.page.getByRole('main').filter({ visible: true }), app.t(key));
  await expect(totals('plans.hosting')).toHaveText(`2,000.00${USDT}`);
  await expect(totals('plans.earned')).toHaveText(`40.00${USDT}`);
  await expect(totals('plans.received')).toHaveText(`0.00${USDT}`);
  const card = app.page.getByRole('button', { name: /USDT, 15 days/ }).first();
  await expect(card).toContainText(`${app.t('plans.atEnd')}60.00${USDT}`);
  await expect(card).toContainText(app.t('plans.bought'));
  await app.sound('plans that run');
  // The page that sells plans shows how far the next one is, and how many there are.
  await app.open('finance/index');
  const summary = app.page.getByRole('link', { name: new RegExp(app.t('plans.hosting')) });
  for (const text of [app.t('plans.day', { day: 5, days: 15 }), app.t('plans.running', { count: 2 }), `40.00${USDT}`]) await expect(summary).toContainText(text);
  await app.picture('plans-held');
  await app.open('finance/ordersPage');
  await app.picture('plan-orders');
  await app.page.getByRole('button', { name: /USDT, 15 days/ }).first().click();
  await expect(app.sheet.getByText(`974.00${USDT}`, { exact: true }).first()).toBeVisible();
  await app.sound('a plan that runs');
  await app.button('plans.redeem').click();
  await expect(app.sheet.getByText(`86.00${USDT}`).filter({ visible: true }).first()).toBeVisible();
  await app.sound('leaving a plan');
  await app.picture('plan-redeem');
  await app.button('plans.redeemNow', { amount: `974.00${USDT}` }).click();
  await expect(app.sheet.getByText(app.t('plans.paidBack', { amount: `974.00${USDT}` }))).toBeVisible();
  // The receipt has the lines of the review, and they add up.
  const lines: [label: string, amount: string][] = [
    [app.t('plans.locked'), '1,000.00'],
    [app.t('plans.current'), '+20.00'],
    [app.t('plans.damagesLeft', { days: 10 }), '\u221240.00'],
    [app.t('plans.penalty'), '\u22126.00'],
    [app.t('plans.returned'), '974.00'],
  ];
  for (const [label, amount] of lines) await expect(line(app.sheet, label)).toHaveText(`${amount}${USDT}`);
  await app.button('ui.done').click();
  expect(await free(server, member, 'trust', 'USDT')).toBe('974.000000');

  // The message about its end leads to the plans.
  await weeks(server, member, 10);
  await app.reload();
  await followMessage(app, 'Your plan has ended', '1,060 USDT is back in your plan account, 60 USDT of it interest.');
  await expect(app.page).toHaveURL(/finance\/ordersPage$/);
  await app.page.getByRole('button', { name: app.t('plans.state.completed') }).click();
  await expect(app.page.getByText(`1,060.00${USDT}`)).toBeVisible();
  // 20 of the one that was left early, and 60 of the other.
  await expect(totals('plans.earned')).toHaveText(`80.00${USDT}`);
  await app.sound('plans that ended');
  expect(await free(server, member, 'trust', 'USDT')).toBe('2034.000000');
  expect((await hostings(server, member, 2)).map(({ returned }) => returned).toSorted()).toEqual(['1060.000000', '974.000000']);
  await app.page.getByRole('button', { name: app.t('plans.state.redeemed') }).click();
  await expect(app.page.getByText(`974.00${USDT}`)).toBeVisible();
  const [left] = (await hostings(server, member, 2)).filter((one) => one.is_cancel === 1);
  // The list of all orders can be filtered to them, and each leads to its own receipt.
  await app.open('index/orderlist', 'tab=plans');
  const rows = app.page.getByRole('link', { name: /USDT, 15 days/ }).filter({ visible: true });
  await expect(rows).toHaveCount(2);
  await app.sound('plans among the orders');
  await app.button('plans.state.running').click();
  await expect(app.text('orders.noneFiltered')).toBeVisible();
  await app.button('plans.state.redeemed').click();
  await expect(rows).toHaveCount(1);
  await rows.click();
  await expect(app.sheet.getByText(app.t('plans.paidBack', { amount: `974.00${USDT}` }))).toBeVisible();
  // A member who asks about it need not copy its number.
  await askAbout(app, `${app.t('tickets.receipt.plan')} ${left?.id}`);

  await app.open('finance/rulePage');
  await expect(app.text('plans.risk.insured')).toBeVisible();
  await app.sound('the rules of plans');
});

test('plans: a day that begins under an open review sends nothing until it was looked at again', async ({ app }) => {
  const { server } = app;
  await nextDay(server);
  const member = await app.member();
  await app.fund(member, 'USDT', '1000', 'trust');
  const plan = (await server.read<{ id: number; currency_name: string; day: number }[]>('lh/deposit/config', { limit: '100' })).find((one) => one.currency_name === 'USDT' && one.day === 15);
  await server.call('lh/deposit', { config_id: String(plan?.id), amount: '1000', agree: '1' }, member.token);
  await app.signIn(member);
  await weeks(server, member, 6);
  await app.open('finance/ordersPage');
  await app.page.getByRole('button', { name: /USDT, 15 days/ }).click();
  await app.button('plans.redeem').click();
  await expect(app.button('plans.redeemNow', { amount: `974.00${USDT}` })).toBeVisible();
  await weeks(server, member, 1);
  // The server refuses a higher deduction. It accepts a lower one on the next day: the app asks for a new review, or pays more than was
  // shown.
  await app.page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
  await expect(app.sheet.getByRole('alert')).toContainText(app.t('review.changed'), { timeout: 90_000 });
  expect(await hostings(server, member)).toHaveLength(1);
  await app.button('review.show').click();
  await app.button('plans.redeemNow', { amount: `982.00${USDT}` }).click();
  await expect(app.sheet.getByText(app.t('plans.paidBack', { amount: `982.00${USDT}` }))).toBeVisible();
  expect(await free(server, member, 'trust', 'USDT')).toBe('982.000000');
});

test('plans: guests see terms and the exit, and log in to lock', async ({ app }) => {
  await app.open('finance/index');
  await app.page.getByRole('link', { name: /USDT, 15 days/ }).click();
  await expect(app.text('plans.early')).toBeVisible();
  await app.sound('a plan for guests');
  await app.button('ui.logIn').click();
  await expect(app.page).toHaveURL(/user\/login/);
  await app.open('finance/ordersPage');
  await expect(app.text('plans.guest')).toBeVisible();

  // The treasury can no longer promise the interest of a 15-day plan, so that plan is full and has no link.
  await app.open('finance/index');
  const { free: there } = await payer(app);
  await moveCapital(app.server, 'plan_treasury', 'external', beyond(there, '5.999999'));
  await app.reload();
  await expect(app.text('plans.full')).toBeVisible();
  await expect(app.page.getByRole('link', { name: /USDT, 7 days/ })).toHaveCount(1);
  await expect(app.page.getByRole('link', { name: /USDT, 15 days/ })).toHaveCount(0);
  await app.sound('a plan that is full');
  await app.picture('plan-full');
});

test('plans: terms that change on the way are refused, and seen and agreed to before anything is bought', async ({ app }) => {
  const { server } = app;
  const member = await app.member();
  await app.fund(member, 'USDT', '1000', 'trust');
  await app.signIn(member);
  await app.tab('tab.plans').click();
  await app.page.getByRole('link', { name: /USDT, 15 days/ }).click();
  const amount = { amount: `1,000.00${USDT}` };
  await app.field('plans.amount').fill('1000');
  await app.page.getByRole('checkbox').check({ force: true });
  await app.button('plans.review', amount).click();
  await understand(app);
  await expect(app.sheet.getByText(`1,060.00${USDT}`)).toBeVisible();
  // The day ends during the review, and everything comes back a day later than the sheet says.
  const now = (await server.read<{ server_time_ms: number }>('app/config')).server_time_ms;
  await until(server, (Math.floor(now / DAY) + 1) * DAY);
  await expect(app.sheet.getByRole('alert')).toContainText(app.t('review.changed'));
  await app.button('review.show').click();
  await expect(app.sheet.getByRole('alert')).toHaveCount(0);

  const [mia, max] = [await operator(server, 'market', 'mia'), await operator(server, 'market', 'max')];
  const rows = await server.read<{ id: number; values: object }[]>('/operator/api/catalog', { kind: 'plan' }, mia);
  const values = JSON.stringify({ ...rows.find(({ id }) => id === 2)?.values, day_percent: '0.3' });
  const { id, hash } = await server.call<{ id: number; hash: string }>('/operator/api/catalog/propose', { kind: 'plan', id: '2', values, reason: 'terms' }, mia);
  // The terms change between the tap and the server.
  const change = async () => server.call('/operator/api/proposal/confirm', { id: String(id), hash }, max);
  await app.page.route('**/api/lh/deposit', async (route) => change().then(() => route.continue()), { times: 1 });
  await app.button('plans.lock', amount).click();
  await expect(app.sheet.getByText(app.t('errors.E_TERMS'))).toBeVisible();
  await expect(app.sheet.getByRole('alert')).toContainText(app.t('review.changed'));
  expect(await hostings(server, member)).toEqual([]);
  await app.button('review.show').click();
  await expect(app.sheet.getByText(`1,045.00${USDT}`)).toBeVisible();
  // The accepted agreement had other figures.
  await expect(app.sheet.getByRole('button', { name: app.t('plans.tick'), exact: true })).toBeVisible();
  await app.sound('a plan whose terms changed');
  await app.dismiss();
  await app.page.getByRole('checkbox').check({ force: true });
  await app.button('plans.review', amount).click();
  await app.button('plans.lock', amount).click();
  await expect(app.text('plans.done', amount)).toBeVisible();
  expect((await hostings(server, member)).map(({ amount: locked }) => locked)).toEqual(['1000.000000']);
});
