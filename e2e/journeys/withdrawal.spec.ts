import { approve, FUND_PASSWORD, operator, ready, storeAddress } from '../support/desk.ts';
import type { App, Member } from '../support/app.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

const DAY = 86_400_000;

/** The form of a member who can withdraw at once. */
async function usableForm(app: App, server: Server): Promise<Member> {
  const member = await ready(app, server);
  await storeAddress(server, member);
  await server.call('/sandbox/clock', { advance_ms: String(8 * DAY) });
  await app.signIn(member);
  await app.open('assets/withdraw/index');
  return member;
}

test('withdrawal: the cost before, two people in between, the transaction at the end', async ({ app, server }) => {
  const { page } = app;
  const member = await ready(app, server);
  await app.onlyTold();
  await app.signIn(member);
  // Before there is an address, its network's minimum is not shown.
  await app.open('assets/withdraw/index');
  await expect(page.getByText(app.t('withdraw.leftToday', { left: 3, max: 3 }), { exact: true })).toBeVisible();
  await storeAddress(server, member);
  await app.reload();
  await expect(page.getByText(/3 of 3 .* 10\.00/)).toBeVisible();
  // A new address waits a day, and says so.
  await expect(page.getByText(/usable from/)).toBeVisible();
  await server.call('/sandbox/clock', { advance_ms: String(DAY) });
  await app.reload();
  // If the amount exceeds the balance, nothing would arrive, and nothing is frozen until an amount can be sent.
  const frozen = page.getByText(app.t('withdraw.frozen', { amount: '' }));
  const receive = page.locator('dl > div').filter({ hasText: app.t('withdraw.receive') });
  await app.field('assets.amount').fill('99999999');
  await expect(receive).toContainText('—');
  await expect(frozen).toHaveCount(0);
  await app.field('assets.amount').fill('300');
  await expect(receive).toContainText('299.00\u00a0USDT');
  await expect(frozen).toHaveText(app.t('withdraw.frozen', { amount: '300.00\u00a0USDT' }));
  await app.picture('withdraw-form');
  await app.sound('a withdrawal');
  await app.field('funding.fundPassword').fill('000000');
  await app.button('withdraw.review').click();
  await expect(app.sheet.getByText('TJRa bPrw')).toBeVisible();
  await app.sheet.getByRole('checkbox').check({ force: true });
  await app.accessible('the check of a withdrawal');
  await app.picture('withdraw-check');
  await app.button('withdraw.submit', { amount: '300.00\u00a0USDT' }).click();

  // A wrong fund password leads back to its field, with the tries that are left.
  await expect(page.getByRole('alert').filter({ hasText: /fund password is wrong/ })).toBeVisible();
  await expect(app.field('funding.fundPassword')).toBeFocused();
  await app.field('funding.fundPassword').fill(FUND_PASSWORD);
  await app.button('withdraw.review').click();
  // This is another review, so a tick in the first one does not count.
  await app.sheet.getByRole('checkbox').check({ force: true });
  await app.button('withdraw.submit', { amount: '300.00\u00a0USDT' }).click();
  await expect(app.text('withdraw.state.review')).toBeVisible();
  await expect(page.getByRole('timer')).toContainText(/1[12] h/);
  await expect(app.text('withdraw.stage.sentText')).toBeVisible();
  await app.sound('a withdrawal in review');
  await app.picture('withdraw-review');

  // Home shows it as well, and leads back to it.
  await app.open();
  await expect(app.text('home.reviewTitle')).toBeVisible();
  await app.settled();
  await app.accessible('a home with a withdrawal in review');
  await app.picture('home-review');
  await app.text('home.reviewTitle').click();
  await expect(app.text('withdraw.state.review')).toBeVisible();

  // The page follows the operators' decisions by itself.
  const id = await approve(server, 'withdrawal', 'treasury', ['ann', 'ben']);
  await expect(app.text('withdraw.state.passed')).toBeVisible();
  await app.picture('withdraw-passed');
  await expect(app.button('withdraw.cancel')).toHaveCount(0);
  // A transaction stands for one withdrawal; no other journey uses this one.
  const tx = String(id).padStart(64, 'd');
  await server.call('/operator/api/withdrawal/sent', { id: String(id), tx }, await operator(server, 'treasury', 'ann'));
  await expect(app.text('withdraw.state.sent')).toBeVisible();
  await expect(app.link('withdraw.explorer')).toHaveAttribute('href', new RegExp(`${tx}$`));
  await app.sound('a withdrawal that was sent');
  await app.picture('withdraw-sent');
  // A member who asks about it need not copy its number.
  await app.link('ui.getHelp').click();
  await app.link('help.requests').click();
  await app.link('tickets.new').click();
  await expect(app.field('tickets.subject')).toHaveValue(`${app.t('tickets.category.withdrawal')} ${id}`);
  await app.open('assets/record', 'tab=withdrawals');
  await expect(page.getByRole('link', { name: /USDT TRC20/ })).toContainText(app.t('records.sent'));
});

test('withdrawal: it can be cancelled until the first approval, and the money is free again', async ({ app, server }) => {
  const { page } = app;
  await usableForm(app, server);
  await app.field('assets.amount').fill('1000');
  await app.field('funding.fundPassword').fill(FUND_PASSWORD);
  await app.button('withdraw.review').click();
  // An address older than a week needs no second confirmation.
  await expect(app.sheet.getByRole('checkbox')).toHaveCount(0);
  await app.button('withdraw.submit', { amount: '1,000.00\u00a0USDT' }).click();
  await expect(app.text('withdraw.state.review')).toBeVisible();
  await app.button('withdraw.cancel').click();
  await app.sheet.getByRole('button', { name: app.t('withdraw.cancel'), exact: true }).click();
  await expect(app.text('withdraw.state.cancelled')).toBeVisible();
  await expect(page.getByText(app.t('withdraw.freeAgain', { amount: '1,000.00\u00a0USDT' }))).toBeVisible();
  await app.sound('a cancelled withdrawal');
});

test('withdrawal: what was typed outlives the choice of an address, and an answer that was lost still brings the receipt of the one withdrawal', async ({ app, server }) => {
  const { page } = app;
  const member = await usableForm(app, server);
  const remark = page.getByPlaceholder(app.t('withdraw.remarkText'));
  await app.field('assets.amount').fill('200');
  await remark.fill('Rent');
  await page.getByRole('link', { name: /Cold wallet/ }).click();
  await page.getByRole('button', { name: /Cold wallet/ }).click();
  await expect(app.field('assets.amount')).toHaveValue('200.00');
  await expect(remark).toHaveValue('Rent');

  let [sent, gone] = [0, true];
  await page.route('**/api/wallet/out', async (route) => {
    sent += 1;
    // The first attempt arrives, but its answer does not; then the connection is gone for longer than the app retries at once.
    if (sent === 1) await route.fetch();
    await (gone ? route.abort() : route.continue());
  });
  await app.field('funding.fundPassword').fill(FUND_PASSWORD);
  await app.button('withdraw.review').click();
  await app.button('withdraw.submit', { amount: '200.00\u00a0USDT' }).click();
  await expect(app.sheet.getByText(app.t('transfer.unknown', { key: '' }).split('.')[0] ?? '')).toBeVisible();
  gone = false;
  await expect(app.text('withdraw.state.review')).toBeVisible();
  const { data } = await server.read<{ data: { notes: string }[] }>('charge_mention/log3', {}, member.token);
  expect(data.map(({ notes }) => notes)).toEqual(['Rent']);
  // The next form starts empty.
  await app.open('assets/withdraw/index');
  await expect(app.field('assets.amount')).toHaveValue('');
});

test('bank card: only in the verified name, with its numbers checked, and money reaches it a day later', async ({ app, server }) => {
  const { page } = app;
  await app.onlyTold();
  await app.signIn(await ready(app, server));
  await app.open('bankbind/index');
  await app.link('cards.add').click();
  await app.settled();
  await app.button('cards.abroad').click();
  await app.field('cards.iban').fill('DE89 3704 0044 0532 0130 01');
  await app.field('cards.iban').blur();
  await expect(page.getByText(app.t('errors.E_IBAN'))).toBeVisible();
  await app.sound('an international card');
  await app.button('cards.local').click();
  await app.field('cards.holder').fill('Somebody Else');
  await app.field('cards.number').fill('1234 5678 9012');
  await app.field('cards.bank').fill('First Bank');
  await app.field('cards.branch').fill('Main');
  await app.button('cards.save').click();
  await expect(page.getByText(app.t('errors.E_HOLDER'))).toBeVisible();
  await app.field('cards.holder').fill('ada  example');
  await app.button('cards.save').click();
  await expect(page.getByText(app.t('cards.name', { bank: 'First Bank', last: '9012' }))).toBeVisible();
  await app.sound('bank cards');
  await server.call('/sandbox/clock', { advance_ms: String(DAY) });
  await app.open('assets/withdraw/bank/bank');
  await app.field('assets.amount').fill('100');
  await expect(page.getByText('95.00\u00a0USDT')).toBeVisible();
  await app.sound('a withdrawal to a bank');
  await app.picture('withdraw-bank');
  await app.field('funding.fundPassword').fill(FUND_PASSWORD);
  await app.button('withdraw.review').click();
  await expect(app.sheet.getByText(/9012/)).toBeVisible();
  await app.accessible('the check of a withdrawal to a bank');
  await app.picture('withdraw-bank-check');
  await app.button('withdraw.submit', { amount: '100.00\u00a0USDT' }).click();
  await expect(app.text('withdraw.state.review')).toBeVisible();
  // The receipt has the figures of the form and its review, so that the dollars can be traced to what left the account.
  await expect(page.getByText(app.t('withdraw.afterFee'), { exact: true }).filter({ visible: true })).toBeVisible();
  await expect(page.getByText('95.00\u00a0USDT', { exact: true }).filter({ visible: true })).toBeVisible();
  // The bank's own days come after our promised time.
  await expect(page.getByText(app.t('deposit.bankTime'), { exact: true })).toBeVisible();
  const id = await approve(server, 'withdrawal', 'treasury', ['ann', 'ben']);
  await expect(app.text('withdraw.state.passed')).toBeVisible();
  await server.call('/operator/api/withdrawal/sent', { id: String(id), tx: `WIRE-${id}` }, await operator(server, 'treasury', 'ann'));
  await expect(app.text('withdraw.state.sent')).toBeVisible();
  await expect(page.getByText(`WIRE-${id}`)).toBeVisible();
  await expect(app.link('withdraw.explorer')).toHaveCount(0);
  await app.sound('money that was sent to a bank');
  await app.picture('withdraw-bank-sent');
});

test('identity: three photos are chosen, sent and reviewed', async ({ app, server }) => {
  const { page } = app;
  await app.signIn(await ready(app, server));
  await app.open('verification/advanced');
  for (const [at, side] of ['identity.front', 'identity.back', 'identity.hand'].entries()) {
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 390, height: 260 + at } });
    const tile = page.getByRole('group', { name: app.t(side), exact: true });
    await tile.locator('input[type="file"]').setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer });
    await expect(tile.locator('img')).toBeVisible();
  }
  await app.sound('photos of a document');
  await app.button('funding.sendForReview').click();
  // Three photos are scaled down here, and decoded and encoded again on the server.
  await expect(app.text('funding.inReview')).toBeVisible({ timeout: 90_000 });
  await approve(server, 'identity', 'verifier', ['vera', 'wim']);
  await app.reload();
  await expect(page.getByText(app.t('identity.verified'))).toHaveCount(2);
});
