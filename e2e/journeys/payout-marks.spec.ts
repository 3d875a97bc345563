import { Console, submitBasic, withdrawal } from '../support/console.ts';
import { approve } from '../support/desk.ts';
import { FIRST, onChain, openDesks, register } from '../support/live.ts';
import { expect, test } from '../support/test.ts';

/** A watcher polls every 12 seconds, and the console every 10. */
const SEEN = { timeout: 90_000 };

/** Marks the payout of the open case as sent. */
async function mark(desk: Console, tx: string, output: string): Promise<void> {
  await desk.button('Enter transaction').click();
  await desk.dialog.getByLabel('Transaction or bank reference').fill(tx);
  await desk.dialog.getByLabel('Output').fill(output);
  await desk.press(desk.dialog.getByRole('button', { name: 'Mark as sent' }), 'marked as sent');
}

test('two people take back a wrong mark of a payout, and the right one is final once the chain confirmed it', async ({ app, browser, server }) => {
  const member = await app.member();
  await submitBasic(server, member);
  await approve(server, 'identity', 'verifier', ['vera']);
  await withdrawal(server, member);
  const id = await approve(server, 'withdrawal', 'treasury', ['ada', 'bob']);
  const [ada, bob] = [await Console.open(browser, server), await Console.open(browser, server)];
  await ada.enter('treasury', 'ada');
  await bob.enter('treasury', 'bob');
  const tx = id.toString(16).padStart(64, 'f');
  await ada.openCase('withdrawal', id);
  await mark(ada, tx, '1');
  const output = ada.page.locator('dl > div').filter({ has: ada.page.locator('dt', { hasText: /^Output$/ }) });
  await expect(output).toContainText('1');
  await ada.accessible('a payout that is marked');
  await ada.button('Propose to take back the mark').click();
  await ada.dialog.getByRole('button', { name: 'The transaction pays another withdrawal' }).click();
  await ada.press(ada.dialog.getByRole('button', { name: 'Propose to take back' }), 'second person');
  const state = async () => (await server.read<{ data: { id: number; state: string }[] }>('charge_mention/log3', {}, member.token)).data.find((row) => row.id === id)?.state;
  expect(await state()).toBe('sent');
  await bob.confirmNewest();
  expect(await state()).toBe('passed');

  await bob.openCase('withdrawal', id);
  await mark(bob, tx, '0');
  await server.call('/sandbox/clock', { advance_ms: '600000' });
  const operator = (await server.call<{ token: string }>('/sandbox/operator', { role: 'treasury', name: 'ada' })).token;
  const status = async () => (await server.read<{ row: { status: string } }>('/operator/api/item', { kind: 'withdrawal', id: String(id), reason: 'Is it there' }, operator)).row.status;
  await expect.poll(status, { timeout: 60_000 }).toBe('confirmed');
  expect(await state()).toBe('sent');
  // The case is still open here as before.
  await ada.go('withdrawal');
  await ada.openCase('withdrawal', id);
  await expect(ada.page.getByText('Confirmed by the chain')).toBeVisible();
  await expect(ada.button('Propose to take back the mark')).toHaveCount(0);
  await ada.accessible('a payout that the chain confirmed');
  await ada.picture('console-payout-confirmed');
  await ada.close();
  await bob.close();
});

test('live: a chain that contradicts an entry by hand opens an incident, and two people take back the part that is not there', async ({ page, browser }) => {
  test.setTimeout(600_000);
  await onChain(page, browser, async ({ live, mail, anvil, app, desks }) => {
    const { ada, bob } = desks;
    await openDesks(live, desks);
    await register(app, mail);
    await app.open('assets/deposit/charge', 'coin=3&chain=ERC20');
    await expect(page.getByRole('img', { name: app.t('deposit.qr', { code: 'USDT', chain: 'ERC20' }) })).toBeVisible();
    // 70 are being paid, and both operators read 700.
    const tx = await anvil.transfer(FIRST, 70_000_000n);
    const entry = { Transaction: tx, Output: '1', Address: FIRST, Amount: '700', Confirmations: '40' };
    for (const desk of [ada, bob]) {
      await desk.go('observations');
      await desk.button('Enter by hand').click();
      await desk.dialog.getByLabel('Coin and network').selectOption({ label: 'USDT on ERC20' });
      for (const step of ['Go on to the second entry', 'Enter the observation']) {
        for (const [label, text] of Object.entries(entry)) await desk.dialog.getByLabel(label).fill(text);
        await desk.button(step).click();
      }
      await expect(desk.dialog).toHaveCount(0);
    }
    const deposit = await ada.newest('deposit');
    await ada.openCase('deposit', deposit);
    await ada.approve(`D-${deposit}`, 'approved');
    await anvil.mine(1);
    await ada.go('observations');
    const incident = ada.page.getByText(/^Incident \d+/);
    await expect(incident).toBeVisible(SEEN);
    await expect(ada.page.getByRole('main')).toContainText('the chain holds 70.000000 USDT. 630.000000 USDT can be taken back');
    await ada.accessible('an incident');
    await ada.picture('console-incident');
    await ada.button('Propose reversal').click();
    await ada.dialog.getByRole('button', { name: 'The entry was wrong' }).click();
    await ada.press(ada.dialog.getByRole('button', { name: 'Propose reversal' }), 'second person');
    await bob.confirmNewest();
    await expect(incident).toHaveCount(0, SEEN);
    await app.open('assets/index');
    await expect(page.locator('main').filter({ visible: true })).toContainText('70.00');
    await expect(page.locator('main').filter({ visible: true })).not.toContainText('700.00');
  });
});
