import { App } from '../support/app.ts';
import { card, check, form, lots, lotsField, open, positions, send, SYMBOL, trader } from '../support/contracts.ts';
import { operator } from '../support/desk.ts';
import { expect, test } from '../support/test.ts';

/** What keeps an order from being sent or opened, and what happens to one without its owner. */
test.beforeEach(async ({ app }) => app.pin(SYMBOL, '100000'));

test('contracts: what would be refused is said before it is sent', async ({ app, server }) => {
  await trader(app, server, '100');
  await form(app, 'long', { lots: '0' });
  await expect(app.button('errors.E_LOTS')).toBeVisible();
  for (const wrong of ['1.5', '1e3', '-1']) {
    await lotsField(app).fill(wrong);
    await expect(app.button('errors.E_LOTS')).toBeVisible();
  }
  await lotsField(app).fill('100001');
  await expect(app.button('errors.E_LOTS_MAX', { max: '100,000' })).toBeVisible();
  // 100.01 of margin and 0.50005 of fee are needed, and 100 are available.
  await lotsField(app).fill('10');
  // By key, because a forced click hits the button's former position while the sheet grows.
  await app.button('contracts.reason.insufficient', { amount: '0.52\u00a0USDT' }).press('Enter');
  await expect(lotsField(app)).toBeFocused();
  await expect(app.sheet.getByRole('alert').getByText(app.t('contracts.reason.insufficient', { amount: '0.52\u00a0USDT' }))).toBeVisible();
  await app.sound('too little margin');
  await lotsField(app).fill('5');
  await app.sheet.getByLabel(app.t('contracts.stopLoss'), { exact: true }).fill('100001');
  await expect(app.button('errors.E_SL', { low: '90,734.88', high: '99,999.99' })).toBeVisible();
  await app.sheet.getByRole('button', { name: `${app.t('contracts.stopLoss')}: ${app.t('contracts.none')}` }).click();
  // A take-profit on the wrong side has no gain to show.
  await app.sheet.getByLabel(app.t('contracts.takeProfit'), { exact: true }).fill('99000');
  await expect(app.sheet.getByText(/you gain —\.$/)).toHaveCount(1);
  await app.sheet.getByLabel(app.t('contracts.takeProfit'), { exact: true }).fill('104000');
  await expect(app.sheet.getByText(/you gain \+\d/)).toHaveCount(1);
  await app.sheet.getByRole('combobox').selectOption('50');
  await app.button('contracts.reviewLong', { lots: lots(app, '5') }).click();
  // 50 times is risky: the box is ticked first.
  await expect(app.button('contracts.tickFirst')).toBeVisible();
  await app.sheet.getByRole('checkbox').check({ force: true });
  await expect(send(app, 'long', '5')).toBeVisible();
});

test('contracts: what the server refuses is said on the sheet, and nothing was opened', async ({ app, server }) => {
  const member = await trader(app, server, '250');
  await check(app, 'long');
  // The money is moved elsewhere while the order is being sent.
  await app.page.route('**/api/lever/submit', async (route) => {
    await server.call('wallet/change', { currency_id: '3', number: '200', from_field: 'lever', to_field: 'change' }, member.token);
    await route.continue();
  });
  await send(app, 'long').click();
  await expect(app.sheet.getByRole('alert')).toContainText('50.51005 USDT more than you have');
  expect(await positions(server, member)).toHaveLength(0);
});

test('contracts: a price that moves under an open review is marked, and the order opens at the price of then', async ({ app, server }) => {
  const member = await trader(app, server);
  await check(app, 'long', { stop: null, profit: '104000' });
  await app.pin(SYMBOL, '101000');
  await expect(app.sheet.getByText(app.t('trade.updated')).first()).toBeVisible();
  await expect(send(app, 'long')).toBeVisible();
  await app.accessible('a review whose price moved');
  await app.picture('contracts-moved');
  // Past the take-profit the order would be refused: the sheet says so and sends nothing.
  await app.pin(SYMBOL, '104500');
  await expect(send(app, 'long')).toHaveCount(0);
  await app.pin(SYMBOL, '101000');
  await send(app, 'long').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.receipt') })).toBeVisible();
  expect((await positions(server, member))[0]?.price).toBe('101010.10');
});

test('contracts: an answer that is lost is waited for, and nothing is opened twice', async ({ app, server }) => {
  const member = await trader(app, server);
  await check(app, 'long');
  let lost = true;
  await app.page.route('**/api/lever/submit', async (route) => {
    if (!lost) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await send(app, 'long').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.unknownTitle') })).toBeVisible({ timeout: 60_000 });
  await app.accessible('an order of which nobody knows');
  lost = false;
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.receipt') })).toBeVisible({ timeout: 60_000 });
  expect(await positions(server, member)).toHaveLength(1);
});

test('contracts: who closed the sheet of an order before its outcome was known is told it', async ({ app, server }) => {
  const member = await trader(app, server, '250');
  await check(app, 'long');
  let lost = true;
  await app.page.route('**/api/lever/submit', (route) => (lost ? route.abort() : route.continue()));
  await send(app, 'long').click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.unknownTitle') })).toBeVisible({ timeout: 60_000 });
  await app.dismiss();
  await server.call('wallet/change', { currency_id: '3', number: '200', from_field: 'lever', to_field: 'change' }, member.token);
  lost = false;
  await expect(app.page.getByRole('status').filter({ hasText: app.t('pending.refused', { what: app.t('pending.kind.contract') }) })).toBeVisible({ timeout: 60_000 });
  await app.sound('an order that was refused after its sheet was closed');
  expect(await positions(server, member)).toHaveLength(0);
});

test('contracts: two tabs of one member agree, and another member sees nothing of it', async ({ app, other, server }) => {
  const member = await trader(app, server);
  const stranger = await trader(other, server);
  const second = new App(await app.page.context().newPage(), server);
  await second.page.goto(`${server.url}/h5/#/pages/lever/index`);
  await expect(second.text('contracts.noneOpen')).toBeVisible();
  await open(app, 'short', { stop: null, profit: null });
  // By an event, without a request.
  await expect(card(second)).toHaveCount(1);
  await expect(other.text('contracts.noneOpen')).toBeVisible();
  const [position] = await positions(server, member);

  // A stop that is set in one tab changes what the other one shows: it must be reviewed before anything is sent.
  await app.button('contracts.edit').or(app.button('contracts.addStop')).click();
  await second.button('contracts.addStop').click();
  const stop = (tab: App) => tab.sheet.getByRole('textbox', { name: app.t('contracts.stopLoss') });
  await stop(second).fill('103000');
  await stop(app).fill('102000');
  await app.button('ui.save').click();
  await expect(app.sheet).toHaveCount(0);
  await expect(second.sheet.getByRole('alert')).toContainText(app.t('review.changed'));
  await expect(second.button('contracts.removeBoth')).toBeDisabled();
  await expect(stop(second)).toHaveValue('103000');
  await second.sound('triggers that were changed in another tab');
  await second.button('review.first').click({ force: true });
  await second.button('review.show').click();
  await expect(stop(second)).toHaveValue('102,000.00');
  expect((await positions(server, member))[0]?.stop_loss_price).toBe('102000.00');
  await stop(second).fill('103000');
  await second.button('ui.save').click();
  await expect(second.sheet).toHaveCount(0);
  expect((await positions(server, member))[0]?.stop_loss_price).toBe('103000.00');

  // Triggers do not change a close, but a close removes what the other tab was about to close.
  await app.button('contracts.close').click();
  await server.call('lever/setstop', { id: String(position?.id), target_profit_price: '0', stop_loss_price: '0' }, member.token);
  await expect(second.button('contracts.addStop')).toBeVisible();
  await expect(app.button('contracts.closeLots', { lots: lots(app, '10') })).toBeEnabled();
  await expect(app.sheet.getByRole('alert')).toHaveCount(0);
  await second.button('contracts.close').click();
  await second.button('contracts.closeLots', { lots: lots(app, '10') }).click();
  await expect(second.sheet.getByRole('heading', { name: app.t('contracts.closedTitle') })).toBeVisible();
  await expect(app.sheet.getByRole('alert')).toContainText(app.t('review.gone'));
  await expect(app.button('contracts.closeLots', { lots: lots(app, '10') })).toHaveCount(0);
  await app.sound('a close of what was closed in another tab');
  await app.picture('contracts-close-gone');
  await app.button('ui.cancel').click();
  await expect(card(app)).toHaveCount(0);
  const refused = await fetch(`${server.url}/api/lever/setstop`, { method: 'POST', headers: { authorization: stranger.token, 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': 'f'.repeat(32) }, body: new URLSearchParams({ id: String(position?.id), target_profit_price: '0', stop_loss_price: '0' }) });
  expect(((await refused.json()) as { data: { error: string } }).data.error).toBe('E_NOT_FOUND');
  await second.page.close();
});

test('contracts: where the rules of a country forbid them they are not offered, and who has not shown a country is led to do so', async ({ app, server }) => {
  const [mia, max] = [await operator(server, 'market', 'mia'), await operator(server, 'market', 'max')];
  const agree = async (contract: string) => {
    const values = JSON.stringify({ country: 'IS', spot: 'on', option: 'on', contract, plan: 'on', subscription: 'on', loan: 'on', flash: 'on', deposit_coin: 'on', deposit_bank: 'on', withdraw_coin: 'on', withdraw_bank: 'on' });
    const { id, hash } = await server.call<{ id: number; hash: string }>('/operator/api/catalog/propose', { kind: 'country', values, reason: 'agreed' }, mia);
    await server.call('/operator/api/proposal/confirm', { id: String(id), hash }, max);
  };
  await agree('off');
  const email = `jon.${Date.now()}@example.org`;
  const password = 'a long pass word';
  await server.call('sms_mail', { user_string: email, type: 'register' });
  const code = await server.code(email);
  await server.call('user/register', { type: 'email', user_string: email, code, password, re_password: password, agree: '1', country: 'IS' });
  await app.signIn({ email, password, token: await server.call<string>('user/login', { user_string: email, password }) });
  await app.open('lever/index');
  await expect(app.text('errors.E_COUNTRY')).toBeVisible();
  await app.sound('contracts where they are forbidden');
  await app.open('index/orderlist');
  await expect(app.page.getByRole('button', { name: app.t('account.lever'), exact: true })).toHaveCount(0);
  await agree('on');
});

test('contracts: a guest sees the market and is led to log in; paused, nothing opens', async ({ app, server }) => {
  await app.open('lever/index');
  await expect(app.text('contracts.guest')).toBeVisible();
  await app.sound('contracts for a guest');
  await app.button('contracts.openShort').click();
  await expect(app.sheet.getByRole('button', { name: app.t('trade.reason.guest') })).toBeVisible();
  await app.dismiss();
  const token = await operator(server, 'market', 'mia');
  await server.call('/operator/api/catalog/pause', { product: 'contract', on: '1', reason: 'maintenance' }, token);
  // An open page receives it as an event, and a newly opened one reads it.
  await expect(app.text('trade.reason.paused', { pair: SYMBOL })).toBeVisible();
  const member = await trader(app, server);
  await expect(app.text('trade.reason.paused', { pair: SYMBOL })).toBeVisible();
  await form(app, 'long');
  await expect(app.sheet.getByRole('button', { name: app.t('trade.reason.paused', { pair: SYMBOL }) })).toBeVisible();
  expect(await positions(server, member)).toHaveLength(0);
  await server.call('/operator/api/catalog/pause', { product: 'contract', on: '0', reason: 'done' }, token);
});
