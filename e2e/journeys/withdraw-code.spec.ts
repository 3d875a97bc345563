import { FUND_PASSWORD, ready, storeAddress } from '../support/desk.ts';
import type { App } from '../support/app.ts';
import { Server } from '../support/server.ts';
import { expect, test as base } from '../support/test.ts';

/** A sandbox that asks for codes as a live server does. */
const test = base.extend<object, { server: Server }>({
  server: [
    async ({}, use) => {
      const server = await Server.start({ args: ['--withdrawal-code', 'on'] });
      await use(server);
      await server.stop();
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

const DAY = 86_400_000;

/** Fills in the form except for the code. */
async function fill(app: App, amount: string): Promise<void> {
  await app.open('assets/withdraw/index');
  await app.field('assets.amount').fill(amount);
  await app.field('funding.fundPassword').fill(FUND_PASSWORD);
}

async function send(app: App, amount: string): Promise<void> {
  await app.button('withdraw.review').click();
  await app.button('withdraw.submit', { amount: `${amount}.00\u00a0USDT` }).click();
}

test('withdrawal: a code is asked for until a day after it was switched off', async ({ app, server }) => {
  const { page } = app;
  const member = await ready(app, server);
  await storeAddress(server, member);
  await server.call('/sandbox/clock', { advance_ms: String(8 * DAY) });
  await app.signIn(member);

  await fill(app, '100');
  await app.accessible('a withdrawal with a code');
  await app.button('funding.sendCode').click();
  await app.field('auth.code').fill('000000');
  await send(app, '100');
  // A wrong code leads back to its field, and the money stays.
  await expect(page.getByRole('alert').filter({ hasText: app.t('errors.E_CODE') })).toBeVisible();
  await app.field('auth.code').fill(await server.code(member.email));
  await send(app, '100');
  await expect(app.text('withdraw.state.review')).toBeVisible();

  await server.call('/sandbox/clock', { advance_ms: '61000' });
  // From home by touch: the row is there if a server asks for codes.
  await app.open();
  await app.button('menu.open').click();
  await app.sheet.getByRole('link', { name: new RegExp(`^${app.t('menu.security')}`) }).click();
  await page.getByRole('link', { name: new RegExp(`^${app.t('security.withdrawCode')}`) }).click();
  await expect(page).toHaveURL(/settings\/security\/withdrawCode/);
  await app.field('profile.loginPassword').fill(member.password);
  // Writes in quick succession have to wait for a moment; the button comes back by itself.
  await expect(async () => {
    await app.button('funding.sendCode').click({ timeout: 5_000 });
    await expect(page.getByText(/^Sent to/)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await app.field('auth.code').fill(await server.code(member.email));
  await app.accessible('the code of withdrawals');
  await app.button('security.withdrawCodeOff').click();
  await expect(app.text('profile.security')).toBeVisible();
  await fill(app, '50');
  await expect(app.field('auth.code')).toBeVisible();

  await server.call('/sandbox/clock', { advance_ms: String(DAY) });
  await app.reload();
  await fill(app, '50');
  await expect(app.field('auth.code')).toHaveCount(0);
  await send(app, '50');
  await expect(app.text('withdraw.state.review')).toBeVisible();
});
