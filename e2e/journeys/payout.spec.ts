import { Console } from '../support/console.ts';
import { FUND_PASSWORD, operator, ready, storeAddress } from '../support/desk.ts';
import { otp } from '../support/otp.ts';
import type { Member } from '../support/app.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Moves the sandbox's time forward. */
const later = (server: Server, ms: number) => server.call('/sandbox/clock', { advance_ms: String(ms) });

/** Requests a withdrawal to the stored address; returns its number. */
async function ask(server: Server, member: Member, amount: string): Promise<number> {
  const [stored] = await server.read<{ id: number }[]>('wallet/get_address', { currency: '3' }, member.token);
  await server.call('wallet/out', { currency: '3', number: amount, address_id: String(stored?.id), pay_password: FUND_PASSWORD }, member.token);
  const { data } = await server.read<{ data: { id: number }[] }>('charge_mention/log3', {}, member.token);
  return data[0]?.id ?? 0;
}

test('a withdrawal that is late says so, and a rejected one gives its reason and the money back at once', async ({ app, browser, server }) => {
  const { page } = app;
  const member = await ready(app, server);
  await storeAddress(server, member);
  await later(server, DAY);
  const id = await ask(server, member, '400');
  await app.onlyTold();
  await app.signIn(member);
  await app.theme('dark');
  await app.open('assets/withdraw/detail', `id=${id}`);
  await expect(page.getByRole('timer')).toContainText(/1[12] h/);
  await later(server, 12 * HOUR);
  await app.reload();
  await expect(app.text('withdraw.late')).toBeVisible();
  await expect(page.getByRole('timer')).toHaveCount(0);
  await app.sound('a late withdrawal');
  await app.picture('withdraw-late');

  const desk = await Console.open(browser, server);
  await desk.enter('treasury', 'ann');
  await desk.openCase('withdrawal', id);
  await expect(desk.page.getByRole('complementary', { name: `W-${id}` })).toContainText(/late/i);
  await desk.button('Reject').click();
  const why = 'The address could not be confirmed with you';
  await desk.dialog.getByRole('button', { name: why }).click();
  await desk.accessible('a rejection');
  await desk.picture('console-reject');
  await desk.press(desk.dialog.getByRole('button', { name: `Reject W-${id}` }), `W-${id} rejected`);
  await desk.close();

  // The member's open page updates by itself.
  await expect(app.text('withdraw.state.rejected')).toBeVisible();
  await expect(page.getByText(app.t('withdraw.reason', { reason: why }))).toBeVisible();
  await expect(page.getByText(app.t('withdraw.freeAgain', { amount: '400.00\u00a0USDT' }))).toBeVisible();
  // Nothing was charged for a withdrawal that did not leave.
  await expect(page.getByText(app.t('withdraw.networkFee'))).toHaveCount(0);
  await app.sound('a rejected withdrawal');
  await app.picture('withdraw-rejected');
  await app.open('assets/record', 'tab=withdrawals');
  await expect(page.getByRole('link', { name: /USDT TRC20/ })).toContainText(why);
  await app.sound('records with a rejection');
  await app.picture('records-rejected');
  const money = await server.read<{ balance: string; lock_balance: string }>('wallet/detail', { currency: '3', type: 'change' }, member.token);
  expect(money).toMatchObject({ balance: '1000.000000' });
});

test('with an authenticator a withdrawal takes its code too', async ({ app, server }) => {
  const { page } = app;
  const member = await ready(app, server);
  await storeAddress(server, member);
  const { setup_id, secret } = await server.call<{ setup_id: string; secret: string }>('user/totp/setup', { password: member.password }, member.token);
  await server.call('user/totp/enable', { setup_id, code: otp(secret) }, member.token);
  await later(server, DAY);
  await app.signIn(member);
  await app.theme('dark');
  await app.open('assets/withdraw/index');
  await app.field('assets.amount').fill('50');
  await app.field('funding.fundPassword').fill(FUND_PASSWORD);
  await expect(app.button('withdraw.needOtp')).toBeVisible();
  await app.sound('a withdrawal that needs a code');
  await app.picture('withdraw-totp');
  const submit = async (code: string) => {
    await app.field('withdraw.otp').fill(code);
    await app.button('withdraw.review').click();
    await app.sheet.getByRole('checkbox').check({ force: true });
    await app.button('withdraw.submit', { amount: '50.00\u00a0USDT' }).click();
  };
  await submit('000000');
  await expect(page.getByRole('alert').filter({ hasText: app.t('errors.E_2FA_WRONG') })).toBeVisible();
  await expect(app.field('withdraw.otp')).toHaveValue('');
  await app.accessible('a withdrawal with a wrong code');
  await app.picture('withdraw-totp-wrong');
  // The code of the next step: the present one was used to turn it on.
  await submit(otp(secret, 1));
  await expect(app.text('withdraw.state.review')).toBeVisible();
});

test('a frozen account is told so wherever it would try, and nothing moves', async ({ app, server }) => {
  const { page } = app;
  const member = await ready(app, server);
  await app.signIn(member);
  await app.theme('dark');
  const { id } = await server.read<{ id: number }>('user/center', {}, member.token);
  await server.call('/operator/api/user/freeze', { id: String(id), scope: 'all', reason: 'A journey' }, await operator(server, 'treasury', 'ann'));
  // The freeze ended the session; the member reads of it at the next log-in.
  const token = await server.call<string>('user/login', { user_string: member.email, password: member.password });
  await app.signIn({ ...member, token });
  const refused = page.getByText(app.t('errors.E_ACCOUNT_FROZEN')).filter({ visible: true });

  await expect(refused).toBeVisible();
  await app.sound('home of a frozen account');
  await app.picture('frozen-home');
  await page.getByRole('link', { name: app.t('errors.E_ACCOUNT_FROZEN') }).click();
  await expect(app.text('security.frozenByUs')).toBeVisible();
  await app.sound('security centre of a frozen account');

  for (const place of ['assets/withdraw/index', 'assets/withdraw/bank/bank']) {
    await app.open(place);
    await expect(app.text('withdraw.frozenTitle')).toBeVisible();
    await app.sound(place);
  }
  await app.picture('frozen-withdraw');

  const stopped = app.button('errors.E_ACCOUNT_FROZEN');
  await test.step('a transfer', async () => {
    await app.open('assets/transfer/index');
    await app.field('transfer.amount').fill('100');
    await expect(stopped).toBeDisabled();
    await app.accessible('a transfer of a frozen account');
    await app.picture('frozen-transfer');
  });
  await test.step('an order', async () => {
    await app.open('trade/kline', 'symbol=BTC/USDT');
    await app.field('trade.price').fill('90000');
    await app.field('trade.amount').fill('0.001');
    await expect(stopped).toBeDisabled();
    await app.accessible('an order of a frozen account');
    await app.picture('frozen-order');
  });
  await test.step('an address', async () => {
    await app.open('user/address/create');
    await expect(app.text('addresses.frozenText')).toBeVisible();
    await app.accessible('an address of a frozen account');
    await app.picture('frozen-address');
  });
  const money = await server.read<{ balance: string }>('wallet/detail', { currency: '3', type: 'change' }, token);
  expect(money).toMatchObject({ balance: '1000.000000' });
});
