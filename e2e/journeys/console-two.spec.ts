import { Console } from '../support/console.ts';
import type { App, Member } from '../support/app.ts';
import { approve, FUND_PASSWORD, operator, ready, storeAddress, upload } from '../support/desk.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

/** What one operator does shows in the window of another. */

const CHANGED = 'This case changed while you had it open.';

/** A member with a withdrawal that waits, to an address that is old enough. */
async function withdrawing(app: App, server: Server): Promise<Member> {
  const member = await ready(app, server);
  await storeAddress(server, member);
  await server.call('/sandbox/clock', { advance_ms: String(8 * 86_400_000) });
  const [stored] = await server.read<{ id: number }[]>('wallet/get_address', { currency: '3' }, member.token);
  await server.call('wallet/out', { currency: '3', number: '30', address_id: String(stored?.id), pay_password: FUND_PASSWORD }, member.token);
  return member;
}

test('a withdrawal that a colleague paid is not to be paid in a second window', async ({ app, browser, server }) => {
  await withdrawing(app, server);
  const id = await approve(server, 'withdrawal', 'treasury', ['ann', 'ben']);
  const bob = await Console.open(browser, server);
  await bob.enter('treasury', 'bob');
  await bob.openCase('withdrawal', id);
  await expect(bob.page.getByText('Pay it from the wallet')).toBeVisible();
  await bob.button('Enter transaction').click();
  await bob.dialog.getByLabel('Transaction or bank reference').fill('cd'.repeat(32));
  // Elsewhere Ada pays it first. Nothing is pressed here until the list was read again.
  await server.call('/operator/api/withdrawal/sent', { id: String(id), tx: String(id).padStart(64, 'e') }, await operator(server, 'treasury', 'ada'));
  await expect(bob.dialog.getByRole('alert')).toContainText('Nothing was submitted.');
  await expect(bob.dialog.getByLabel('Transaction or bank reference')).toHaveValue('cd'.repeat(32));
  await bob.accessible('a payment of what was paid');
  await expect(bob.dialog.getByRole('button', { name: 'Mark as sent' })).toHaveCount(0);
  await bob.dialog.getByRole('button', { name: 'Not now' }).click();
  await expect(bob.page.getByText(CHANGED)).toBeVisible();
  await expect(bob.page.getByText('Pay nothing')).toBeVisible();
  await expect(bob.page.getByText('Pay it from the wallet')).toHaveCount(0);
  await expect(bob.button('Enter transaction')).toHaveCount(0);
  await expect(bob.button('Propose return')).toHaveCount(0);
  await bob.accessible('a case that left its queue');
  await bob.button('Reload the case').click();
  await expect(bob.page.getByText('Marked as sent.')).toBeVisible();
  await expect(bob.page.getByText(CHANGED)).toHaveCount(0);
  await bob.close();
});

test('a payment that was seen credits a second notice after the first was rejected', async ({ app, browser, server }) => {
  const member = await app.member();
  const { TRC20: address = '' } = await server.read<Record<string, string>>('wallet/get_in_address', { currency: '3' }, member.token);
  const seen = { chain: 'TRC20', tx: Date.now().toString(16).padStart(64, 'f'), output: '0', address, currency_id: '3', amount: '25.5', confirmations: '40' };
  for (const name of ['ann', 'ben']) await server.call('/operator/api/observation', seen, await operator(server, 'treasury', name));
  // It opened a notice of its own.
  const token = await operator(server, 'treasury', 'ann');
  const waiting = async () => (await server.read<{ data: { id: number; version: number; hash: string }[] }>('/operator/api/queue', { kind: 'deposit', limit: '100' }, token)).data.toSorted((a, b) => b.id - a.id)[0];
  const first = await waiting();
  await server.call('/operator/api/decide', { kind: 'deposit', id: String(first?.id), decision: 'reject', version: String(first?.version), hash: first?.hash ?? '', reason: 'No such transfer arrived at your address' }, token);
  const [imgs = ''] = await upload(app, member, 'deposit', 1);
  await server.call('wallet/charge_req', { currency: '3', netType: 'TRC20', amount: '25.5', imgs }, member.token);

  const bob = await Console.open(browser, server);
  await bob.enter('treasury', 'bob');
  const id = await bob.newest('deposit');
  expect(id).not.toBe(first?.id);
  await bob.openCase('deposit', id);
  await expect(bob.page.getByText('this payment has not been seen')).toHaveCount(0);
  await bob.button(`Approve D-${id}`).click();
  await bob.dialog.getByLabel('Observed transfer that pays this claim').selectOption({ index: 1 });
  await bob.accessible('an approval with a payment that was seen');
  await bob.press(bob.dialog.getByRole('button', { name: `Approve D-${id}` }), `D-${id} approved`);
  const { data } = await server.read<{ data: { credited: string | null }[] }>('charge_mention/log2', {}, member.token);
  expect(data.map(({ credited }) => credited)).toContain('25.500000');
  await bob.close();
});

test('an approval that ended meanwhile is not taken for the first of two', async ({ app, browser, server }) => {
  const member = await withdrawing(app, server);
  const id = await approve(server, 'withdrawal', 'treasury', ['ann']);
  const bob = await Console.open(browser, server);
  await bob.enter('treasury', 'bob');
  await bob.openCase('withdrawal', id);
  await expect(bob.page.getByText('Second: you')).toBeVisible();
  // A new password ends what was approved before it, and is one more thing to read.
  await server.call('user/e_pwd', { old_password: member.password, password: 'another pass word', re_password: 'another pass word' }, member.token);
  await expect(bob.page.getByText(CHANGED)).toBeVisible();
  await expect(bob.button(`Approve W-${id}`)).toHaveCount(0);
  await bob.button('Reload the case').click();
  await expect(bob.page.getByText('A password or contact changed within a week').first()).toBeVisible();
  await bob.button(`Approve W-${id}`).click();
  await expect(bob.dialog).toContainText('Your approval is number 1 of 2.');
  await bob.press(bob.dialog.getByRole('button', { name: `Approve W-${id}` }), 'needs another person');
  await bob.close();
});
