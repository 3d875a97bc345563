import { card, open, positions, SYMBOL, trader } from '../support/contracts.ts';
import { numbered } from '../support/receipt.ts';
import { expect, test } from '../support/test.ts';

interface Receipt {
  position: { returned: string; stop_loss_price: string };
  stop_seqs: number[] | null;
}

test('contracts: a stop that was moved and is reached is told, leads to the contract, and its receipt is checked on the phone', async ({ app, server }) => {
  await app.pin(SYMBOL, '100000');
  const member = await trader(app, server);
  await open(app, 'long', { stop: '94000', profit: null });
  const [opened] = await positions(server, member);
  await app.pin(SYMBOL, '100000');
  await server.call('lever/setstop', { id: String(opened?.id), target_profit_price: '0', stop_loss_price: '95000' }, member.token);
  await app.pin(SYMBOL, '95000');
  await expect(card(app)).toHaveCount(0);
  const [position] = await positions(server, member);
  expect(position).toMatchObject({ status: 3, reason: 'SL' });
  await app.open('notice/index');
  const notice = app.page.getByText('Stop-loss reached: BTC/USDT').filter({ visible: true });
  await notice.click();
  await expect(app.sheet).toContainText('Your BTC/USDT position closed at 94,990.5 at its stop-loss.');
  await app.sheet.getByRole('link', { name: app.t('messages.open') }).click();
  await expect(app.page).toHaveURL(new RegExp(`lever/index\\?order=${position?.id}`));
  await numbered(app, 'contract', position?.id ?? 0, 'trade.copyNumber');
  await app.button('contracts.howClosed').click();
  await expect(app.sheet).toContainText(app.t('contracts.closeMark'));
  const { stop_seqs: set } = await server.read<{ stop_seqs: number[] }>('lever/receipt', { id: String(position?.id) }, member.token);
  const last = app.t('proof.contract.stopsSet', { seq: String(set[0]) });
  expect(set).toHaveLength(1);
  await expect(app.sheet).toContainText(last);
  await app.sound('how a contract was closed');
  await app.picture('contract-how-closed');
  await app.dismiss();

  // As soon as a signed head covers it.
  await server.call('/sandbox/clock', { advance_ms: '60001' });
  await expect.poll(async () => (await server.read<{ proof: unknown }>('lever/receipt', { id: String(position?.id) }, member.token)).proof !== null, { timeout: 60_000 }).toBe(true);
  await app.reload();
  await app.button('proof.receipt.title').click();
  await expect(app.sheet).toContainText(app.t('proof.receipt.good'));
  await expect(app.sheet).toContainText(app.t('proof.contract.close'));
  await expect(app.sheet.getByRole('listitem').filter({ hasText: app.t('proof.contract.stops') })).toContainText(last);
  await app.sound('the check of a contract');
  await app.picture('contract-check');
  await app.dismiss();

  // One altered figure makes the check fail, and a receipt of an earlier release leaves open what set its stops.
  const altered = async (change: (receipt: Receipt) => void, ...texts: string[]) => {
    await app.page.route('**/api/lever/receipt*', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { message: Receipt };
      change(body.message);
      await route.fulfill({ response: answer, json: body });
    });
    await app.reload();
    await app.button('proof.receipt.title').click();
    for (const text of texts) await expect(app.sheet).toContainText(text);
    await app.dismiss();
    await app.page.unrouteAll({ behavior: 'wait' });
  };
  await altered(({ position: told }) => (told.returned = '0.000001'), app.t('proof.receipt.bad'), app.t('proof.contract.wrongPaid'));
  await altered(({ position: told }) => (told.stop_loss_price = '96000.00'), app.t('proof.receipt.bad'), app.t('proof.reasons.stops'));
  await altered((receipt) => (receipt.stop_seqs = null), app.t('proof.receipt.good'), app.t('proof.unshown.stops'));
});
