import { advance } from '../support/clock.ts';
import { positions } from '../support/contracts.ts';
import { buyer, settle, SYMBOL } from '../support/options.ts';
import { expect, test } from '../support/test.ts';

test('check us: what operators can do is listed with how many must agree, and the accounts of the house are added up', async ({ app }) => {
  await app.open('settings/proof');
  await expect(app.page.getByRole('heading', { name: app.t('journal.acts.title'), exact: true })).toBeVisible();
  const group = (who: string) => app.page.locator('details').filter({ hasText: app.t(`journal.acts.${who}`) });
  for (const [who, act] of [
    ['one', 'freeze'],
    ['some', 'deposit'],
    ['two', 'withdrawal'],
    ['day', 'index'],
  ] as const) {
    await expect(app.text(`journal.acts.${act}`)).toHaveCount(0);
    await group(who).locator('summary').click();
    await expect(group(who).getByText(app.t(`journal.acts.${act}`), { exact: true })).toBeVisible();
  }
  await app.sound('what operators can do');
  await app.picture('operators');

  const pools = app.page.locator('section').filter({ hasText: app.t('proof.pools.text') });
  await pools.getByRole('button', { name: app.t('journal.check'), exact: true }).click();
  await expect(pools.getByText(app.t('proof.states.good'), { exact: true })).toBeVisible({ timeout: 60_000 });
  await app.sound('house accounts that add up');
  // A movement that claims more than there was.
  await app.page.route('**/api/public/movements*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { message: { received: string }[] };
    for (const row of body.message.slice(0, 1)) row.received = '123456.000000';
    await route.fulfill({ response: answer, json: body });
  });
  await pools.getByRole('button', { name: app.t('proof.again'), exact: true }).click();
  await expect(pools.getByText(app.t('proof.states.bad'), { exact: true })).toBeVisible({ timeout: 60_000 });
  await app.page.unrouteAll({ behavior: 'wait' });
});

test('check us: receipts of options and of contracts are listed and checked together', async ({ app, server }) => {
  await app.pin(SYMBOL, '100000');
  const member = await buyer(app, server);
  await app.fund(member, 'USDT', '500', 'lever');
  const open = () => server.call('lever/submit', { share: '10', multiple: '10', legal_id: '3', currency_id: '1', type: '1' }, member.token);
  await open();
  const [position] = await positions(server, member);
  await app.pin(SYMBOL, '100100');
  await server.call('lever/close', { id: String(position?.id) }, member.token);
  // An open one has no result yet and is not in the list.
  await open();
  await server.call('microtrade/submit', { match_id: '1', currency_id: '3', type: '1', seconds: '60', number: '10' }, member.token);
  await settle(server, member);
  await advance(server, 60_001);
  await app.open('settings/proof');
  await app.button('proof.mine.all', { count: 2 }).click();
  await expect(app.page.getByText(app.t('proof.states.good'), { exact: true })).toHaveCount(2, { timeout: 60_000 });
  await app.sound('own receipts of two products');
  await app.picture('check-us-mine');
  await app.page.getByRole('button', { name: /BTC\/USDT Long/ }).click();
  await expect(app.sheet.getByRole('status')).toContainText(app.t('proof.receipt.good'));
  await expect(app.sheet).toContainText(app.t('proof.contract.result'));
});
