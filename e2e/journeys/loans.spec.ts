import type { App, Member } from '../support/app.ts';
import { Console } from '../support/console.ts';
import { approve, operator } from '../support/desk.ts';
import { free, loans, reviewed } from '../support/loans.ts';
import type { Server } from '../support/server.ts';
import { askAbout, numbered } from '../support/receipt.ts';
import { expect, test } from '../support/test.ts';
import { days, followMessage, line, test as lonely, weeks } from '../support/wealth.ts';
import { worstAbove } from '../support/worst.ts';

const price = (server: Server, at: string) => server.call('/sandbox/price', { symbol: 'BTC/USDT', price: at });

/** The same member after applying. */
async function applied(app: App, server: Server): Promise<Member> {
  const member = await reviewed(app, server);
  await app.sound('the review of a loan');
  const submit = app.sheet.getByRole('button', { name: app.t('loans.submit', { amount: '600.00\u00a0USDT' }) });
  await worstAbove(app, '2.10\u00a0USDT', submit);
  await submit.click();
  await expect(app.sheet.getByText(app.t('loans.applied'), { exact: true })).toBeVisible();
  // The receipt has the lines of the review and the number of the loan.
  await expect(line(app.sheet, app.t('loans.saleAtDue'))).toHaveText('72,542.16');
  await expect(app.sheet.getByText('602.10\u00a0USDT', { exact: true })).toBeVisible();
  await numbered(app, 'loan', (await loans(server, member))[0]?.id ?? 0, 'loans.copyNumber');
  await app.sound('the receipt of an application');
  await app.sheet.getByRole('button', { name: app.t('ui.done'), exact: true }).click();
  return member;
}

/** The line of debt against collateral: its figure, its marks, and their positions. */
async function onLine(app: App, part: ReturnType<App['page']['locator']>, ltv: string, fill: string): Promise<void> {
  await expect(part.getByText(app.t('loans.ltvText', { ltv, call: '75%', sale: '83%' }), { exact: true })).toBeAttached();
  await expect(part.getByText(ltv, { exact: true })).toBeVisible();
  for (const mark of ['75%', '83%']) {
    const drawn = part.locator('[aria-hidden="true"] > span').filter({ hasText: mark });
    // The form below has a line of its own until it is empty again.
    await expect(drawn).toHaveCount(1);
    await expect(drawn).toBeVisible();
  }
  const drawn = part.locator('[aria-hidden="true"]').filter({ has: app.page.locator('s') });
  expect(await drawn.locator('i').evaluate((bar) => (bar as HTMLElement).style.width)).toBe(fill);
  expect(await drawn.locator('s').evaluateAll((marks) => marks.map((mark) => (mark as HTMLElement).style.left))).toEqual(['75%', '83%']);
}

test.afterEach(async ({ app }) => {
  await app.release('BTC/USDT');
});

test('a loan goes through its margin call to its sale, and what is left over comes back', async ({ app, server }) => {
  const member = await applied(app, server);
  await approve(server, 'loan', 'treasury', ['ann']);
  await expect(app.page.getByText(app.t('loans.owed'), { exact: true }).first()).toBeVisible();
  await onLine(app, app.page.getByRole('main').filter({ visible: true }), '60.1%', '60.03%');
  // With the present debt the collateral is sold at a slightly lower price than with all the interest of the review.
  await expect(app.text('loans.salePrice')).toHaveText(`${app.t('loans.salePrice')} 72,325.30`);
  await app.sound('a running loan');
  expect(await free(server, member, 'USDT')).toBe('1600.000000');
  await price(server, '80000');
  await expect(app.text('loans.calledText', { price: '72,325.30' })).toBeVisible();
  await onLine(app, app.page.getByRole('main').filter({ visible: true }), '75.1%', '75.04%');
  await app.sound('a loan that was called');
  // The message leads to the loan.
  await followMessage(app, 'Margin call', 'You owe 600.3 USDT');
  await expect(app.page).toHaveURL(new RegExp(`index/jied\\?id=${(await loans(server, member))[0]?.id}$`));
  await expect(app.sheet.getByText(app.t('loans.calledText', { price: '72,325.30' }))).toBeVisible();
  // Help is asked for from there as well, and afterwards the loan is still shown.
  const [called] = await loans(server, member);
  await askAbout(app, `${app.t('tickets.receipt.loan')} ${called?.id}`);
  await app.open('index/jied', `id=${called?.id}`);
  await expect(app.sheet.getByText(app.t('loans.calledText', { price: '72,325.30' }))).toBeVisible();
  // It was opened by its address, so it has no history entry of its own.
  await app.page.keyboard.press('Escape');
  await expect(app.sheet).toHaveCount(0);
  await price(server, '72000');
  await expect.poll(async () => (await loans(server, member))[0]?.reason).toBe('LIQUIDATED');
  expect([await free(server, member, 'USDT'), await free(server, member, 'BTC')]).toEqual(['1600.000000', '0.01149575']);
  const [loan] = await loans(server, member);
  await app.open('index/jied', `id=${loan?.id}`);
  await expect(app.text('loans.reason.LIQUIDATED')).toBeVisible();
  // At which price, for what, and what came back: what is free in Spot says the same.
  const sale = { soldAt: '72,000.00', soldFor: '600.3', saleFee: '2%', cameBack: '0.00149575\u00a0BTC' } as const;
  for (const [line, value] of Object.entries(sale)) await expect(app.sheet.locator('dl > div').filter({ hasText: app.t(`loans.${line}`) })).toContainText(value);
  await app.sound('a loan whose collateral was sold');
});

test('a request is cancelled, and a loan is repaid in part and whole', async ({ app, browser, server }) => {
  const member = await applied(app, server);
  // The deciding operator reads how many loans the member has.
  const ann = await Console.open(browser, server);
  await ann.enter('treasury', 'ann');
  await ann.openCase('loan', (await loans(server, member))[0]?.id ?? 0);
  for (const name of ['Open loans of this member', 'Loan to value, %', 'Coin of the collateral']) await expect(ann.page.getByText(name, { exact: true })).toBeVisible();
  await expect(ann.page.getByText('600.000000 USDT', { exact: true })).toBeVisible();
  // From the collateral in Assets back to the loan.
  await app.open('assets/index');
  await app.page.getByRole('button', { name: /^BTC/ }).filter({ visible: true }).click();
  await expect(app.sheet).toContainText(app.t('assets.frozenLoans'));
  await app.sound('a coin that is collateral');
  await app.picture('assets-collateral');
  await app.sheet.getByRole('link', { name: app.t('assets.seeLoans'), exact: true }).click();
  await app.page.getByRole('button', { name: app.t('loans.cancel'), exact: true }).first().click();
  await app.sheet.getByRole('button', { name: app.t('loans.cancel'), exact: true }).click();
  await expect.poll(async () => (await loans(server, member))[0]?.status).toBe(4);
  expect(await free(server, member, 'BTC')).toBe('0.02000000');
  await server.call('user/bossorder', { config_id: '1', amount: '600', collateral: '0.01', collateral_currency_id: '1' }, member.token);
  // The next one is decided in the console, by the operator who read it.
  const asked = (await loans(server, member))[0]?.id ?? 0;
  await ann.openCase('loan', asked);
  await ann.accessible('the case of a loan');
  await ann.approve(`L-${asked}`, 'approved');
  await expect.poll(async () => (await loans(server, member))[0]?.status).toBe(2);
  await ann.close();
  expect(await free(server, member, 'USDT')).toBe('1600.000000');
  await app.reload();

  // More collateral: its effect is shown first and then takes place.
  const card = app.page.getByRole('main').filter({ visible: true });
  await app.page.getByRole('button', { name: app.t('loans.add'), exact: true }).first().click();
  await app.sheet.getByRole('textbox').fill('0.002');
  await expect(app.sheet.locator('dl > div').filter({ hasText: app.t('loans.salePriceAfter') })).toContainText('60,271.08');
  await onLine(app, app.sheet, '50.1%', '50.03%');
  await app.sound('more collateral for a loan');
  await app.sheet.getByRole('button', { name: app.t('loans.addSubmit', { amount: '0.0020\u00a0BTC' }), exact: true }).click();
  await expect(app.text('loans.added', { amount: '0.0020\u00a0BTC' })).toBeVisible();
  await expect(line(app.sheet, app.t('loans.frozenCollateral'))).toHaveText('0.0120\u00a0BTC');
  await app.sheet.getByRole('button', { name: app.t('ui.done'), exact: true }).click();
  await expect(app.sheet).toHaveCount(0);
  await onLine(app, card, '50.1%', '50.03%');
  expect([(await loans(server, member))[0]?.collateral, await free(server, member, 'BTC')]).toEqual(['0.01200000', '0.00800000']);

  await app.page.getByRole('button', { name: app.t('loans.repay'), exact: true }).first().click();
  await app.sheet.getByRole('textbox').fill('300');
  await app.sheet.getByRole('button', { name: app.t('loans.repayPart', { amount: '300.00\u00a0USDT' }), exact: true }).click();
  await expect(app.text('loans.repaid', { amount: '300.00\u00a0USDT' })).toBeVisible();
  for (const [key, value] of [
    ['loans.toInterest', '0.30'],
    ['loans.toPrincipal', '299.70'],
    ['loans.leftOwed', '300.30'],
  ] as const) await expect(line(app.sheet, app.t(key))).toHaveText(`${value}\u00a0USDT`);
  await numbered(app, 'loan', asked, 'loans.copyNumber');
  await app.sound('the receipt of a repayment');
  await app.sheet.getByRole('button', { name: app.t('ui.done'), exact: true }).click();
  await expect(app.sheet).toBeHidden();
  await app.page.getByRole('button', { name: app.t('loans.repay'), exact: true }).first().click();
  await app.sheet.getByRole('button', { name: app.t('ui.max'), exact: true }).click();
  await app.sheet.getByRole('button', { name: app.t('loans.repayAll', { amount: '300.30\u00a0USDT' }), exact: true }).click();
  await expect.poll(async () => (await loans(server, member))[0]?.reason).toBe('REPAID');
  expect(await free(server, member, 'BTC')).toBe('0.02000000');
});

test('an outcome that came after its review was closed is told, and the next review shows nothing of it', async ({ app, server }) => {
  const member = await reviewed(app, server);
  let lost = true;
  await app.page.route('**/api/user/bossorder', async (route) => {
    if (lost) await route.fetch();
    return lost ? route.abort() : route.continue();
  });
  const submit = (amount: string) => app.sheet.getByRole('button', { name: app.t('loans.submit', { amount }) });
  await submit('600.00\u00a0USDT').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.unknownTitle') })).toBeVisible({ timeout: 60_000 });
  await app.dismiss();
  lost = false;
  await expect(app.page.getByRole('status').filter({ hasText: app.t('pending.done', { what: app.t('pending.kind.loan') }) })).toBeVisible({ timeout: 60_000 });
  const amount = app.page.getByRole('textbox', { name: app.t('loans.amount') });
  await expect(amount).toHaveValue('');
  await amount.fill('300');
  await app.button('loans.review').click();
  await expect(submit('300.00\u00a0USDT')).toBeVisible();
  await expect(app.sheet.getByText(app.t('loans.applied'), { exact: true })).toHaveCount(0);
  expect(await loans(server, member)).toHaveLength(1);
});

lonely('a day that begins on the way of a repayment is seen before it is paid', async ({ app }) => {
  const { server } = app;
  const member = await applied(app, server);
  await approve(server, 'loan', 'treasury', ['ann']);
  await app.page.getByRole('button', { name: app.t('loans.repay'), exact: true }).first().click();
  await app.sheet.getByRole('button', { name: app.t('ui.max'), exact: true }).click();
  const all = (amount: string) => app.sheet.getByRole('button', { name: app.t('loans.repayAll', { amount: `${amount}\u00a0USDT` }), exact: true });
  await app.page.route('**/api/user/bossrepay', async (route) => days(server, 1).then(() => route.continue()), { times: 1 });
  await all('600.30').click();
  await expect(app.sheet.getByText(app.t('errors.E_DEBT_MOVED', { debt: '600.6' }))).toBeVisible();
  expect([(await loans(server, member))[0]?.debt, await free(server, member, 'USDT')]).toEqual(['600.600000', '1600.000000']);
  await expect(app.sheet.getByText(app.t('review.changed'))).toBeVisible();
  await expect(app.button('review.first')).toBeVisible();
  // A member who meant all of it still does.
  await app.button('review.show').click();
  await all('600.60').click();
  await expect.poll(async () => (await loans(server, member))[0]?.reason).toBe('REPAID');
  expect(await free(server, member, 'USDT')).toBe('999.400000');
});

lonely('a loan that is overdue comes first, in red, with its days and the day of the sale, and a message tells of it', async ({ app, browser }) => {
  const { server } = app;
  const member = await applied(app, server);
  await approve(server, 'loan', 'treasury', ['ann']);
  // A newer loan continues beside it.
  await server.call('user/bossorder', { config_id: '3', amount: '100', collateral: '0.005', collateral_currency_id: '1' }, member.token);
  await approve(server, 'loan', 'treasury', ['ann']);
  // The debt cannot be taken from Spot, because nothing is left there.
  await server.call('wallet/change', { currency_id: '3', number: await free(server, member, 'USDT'), from_field: 'change', to_field: 'trust' }, member.token);
  await weeks(server, member, 7);
  await app.reload();
  const main = app.page.getByRole('main').filter({ visible: true });
  const first = main.getByText(app.t('loans.owed'), { exact: true }).first().locator('xpath=../../..');
  for (const [late, owed] of [
    [1, '603.00'],
    [2, '603.90'],
  ] as const) {
    await expect(first.getByText(app.t('loans.overdueBy', { days: late }))).toBeVisible();
    await expect(first.getByText(`${owed}\u00a0USDT`, { exact: true })).toBeVisible();
    if (late > 1) continue;
    await days(server, 1);
    // The list is read every half minute; reopening the page avoids the wait.
    await app.reload();
  }
  const red = await main.evaluate((part) => {
    const probe = part.appendChild(document.createElement('i'));
    probe.style.color = 'var(--danger)';
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });
  await expect(first.getByText(app.t('loans.state.5'), { exact: true })).toHaveCSS('color', red);
  const sale = (await loans(server, member)).find(({ status }) => status === 5)?.end_at_ms ?? 0;
  await expect(first.getByText(app.t('loans.overdueText', { date: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Berlin' }).format(sale + 72 * 3_600_000) }))).toBeVisible();
  expect((await loans(server, member)).map(({ status }) => status)).toEqual([2, 5]);
  await app.sound('a loan that is overdue');
  await app.picture('loan-overdue');
  await followMessage(app, 'Loan overdue', 'costs a penalty for each day. You owe 603');
  await expect(app.sheet.getByText(app.t('loans.state.5'), { exact: true })).toBeVisible();
  // A late day costs three times as much.
  await expect(app.sheet.getByText('0.15%', { exact: true })).toBeVisible();

  // The operator who decides about the next one reads it, with the day on which it would be due.
  await server.call('user/bossorder', { config_id: '1', amount: '100', collateral: '0.003', collateral_currency_id: '1' }, member.token);
  const ann = await Console.open(browser, server);
  await ann.enter('treasury', 'ann');
  await ann.openCase('loan', (await loans(server, member))[0]?.id ?? 0);
  await expect(ann.page.getByRole('listitem').filter({ hasText: '600.000000 USDT for 7 days' })).toContainText('overdue, 2 overdue days');
  await expect(ann.page.getByText('Another loan was overdue', { exact: true })).toBeVisible();
  for (const name of ['Due, if it is paid out now', 'Still to be repaid by the due date', 'Overdue days']) await expect(ann.page.getByText(name, { exact: true })).toBeVisible();
  await ann.accessible('the case of a loan of somebody who was late');
  await ann.picture('console-loan-case');
  await ann.close();
});

lonely('terms that change on the way of an application are seen before anything is held', async ({ app }) => {
  const { server } = app;
  const [mia, max] = [await operator(server, 'market', 'mia'), await operator(server, 'market', 'max')];
  const rows = await server.read<{ id: number; values: object }[]>('/operator/api/catalog', { kind: 'loan_product' }, mia);
  const values = JSON.stringify({ ...rows.find(({ id }) => id === 1)?.values, interest_rate: '0.1' });
  const { id, hash } = await server.call<{ id: number; hash: string }>('/operator/api/catalog/propose', { kind: 'loan_product', id: '1', values, reason: 'terms' }, mia);
  const change = async () => server.call('/operator/api/proposal/confirm', { id: String(id), hash }, max);
  const member = await reviewed(app, server);
  await app.page.route('**/api/user/bossorder', async (route) => change().then(() => route.continue()), { times: 1 });
  const submit = app.sheet.getByRole('button', { name: app.t('loans.submit', { amount: '600.00\u00a0USDT' }) });
  await submit.click();
  await expect(app.sheet.getByText(app.t('errors.E_TERMS'))).toBeVisible();
  await expect(app.sheet.getByText(app.t('review.changed'))).toBeVisible();
  expect([await loans(server, member), await free(server, member, 'BTC')]).toEqual([[], '0.02000000']);
  await app.button('review.show').click();
  await expect(app.sheet.getByText('604.20\u00a0USDT', { exact: true })).toBeVisible();
  await submit.click();
  await expect(app.sheet.getByText(app.t('loans.applied'), { exact: true })).toBeVisible();
  expect(await free(server, member, 'BTC')).toBe('0.01000000');
});
