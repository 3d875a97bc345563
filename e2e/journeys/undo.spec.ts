import { otp } from '../support/otp.ts';
import { expect, test } from '../support/test.ts';

test('an owner undoes an authenticator that a thief switched on, and logs in again', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  const { setup_id, secret } = await server.call<{ setup_id: string; secret: string }>('user/totp/setup', { password: member.password }, member.token);
  await server.call('user/totp/enable', { setup_id, code: otp(secret) }, member.token);
  // The message is written after the answer was sent.
  let code = '';
  await expect
    .poll(async () => {
      const letters = await server.read<{ text: string }[]>('/sandbox/outbox', { to: member.email });
      code = /\b[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}\b/.exec(letters[0]?.text ?? '')?.[0] ?? '';
      return code;
    })
    .not.toBe('');

  await app.open('user/login/login');
  await app.link('auth.stopChange').click();
  await expect(page.getByRole('heading', { level: 1, name: app.t('auth.stopChange') })).toBeVisible();
  await app.sound('undo a change');
  await expect(app.button('security.stopNeedCode')).toBeDisabled();
  await app.field('security.stopCode').fill('AAAA-BBBB-CCCC-DDDD');
  await app.button('security.stopCommit').click();
  await expect(page.getByRole('alert').filter({ hasText: app.t('errors.E_CODE') })).toBeVisible();
  await app.accessible('a wrong code');
  await app.field('security.stopCode').fill(code.toLowerCase());
  await app.button('security.stopCommit').click();
  await expect(page.getByRole('heading', { level: 1, name: app.t('security.stopped') })).toBeVisible();
  await app.sound('a change that was undone');

  const password = 'another pass word';
  await app.button('auth.setPassword').click();
  await page.getByRole('link', { name: app.t('auth.emailText') }).click();
  await app.field('auth.email').fill(member.email);
  await app.button('auth.sendCode').click();
  await app.enterCode();
  await app.field('auth.newPassword').fill(password);
  await app.field('auth.repeat').fill(password);
  await app.button('auth.setPassword').click();
  await app.button('ui.logIn').click();
  await app.logIn(member.email, password);
  await expect(app.text('home.total')).toBeVisible();
});
