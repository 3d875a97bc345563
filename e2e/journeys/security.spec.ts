import { Buffer } from 'node:buffer';
import { operator, ready } from '../support/desk.ts';
import { otp } from '../support/otp.ts';
import { expect, test } from '../support/test.ts';

test('with an authenticator a log-in takes its code, and a recovery code when the phone is lost', async ({ app, other }) => {
  const { page } = app;
  const member = await app.member();
  await app.signIn(member);
  await app.open('settings/security/index');
  await expect(app.text('security.todo', { count: 2 })).toBeVisible();
  await app.accessible('security centre');
  await page.getByRole('link', { name: app.t('security.totp') }).first().click();
  await app.field('profile.loginPassword').fill('wrong');
  await app.button('security.totpStart').click();
  await expect(page.getByRole('alert').filter({ hasText: app.t('errors.E_PASSWORD_OLD') })).toBeVisible();
  await app.field('profile.loginPassword').fill(member.password);
  await app.button('security.totpStart').click();
  await expect(page.getByRole('img', { name: app.t('security.totpQr') })).toBeVisible();
  await app.accessible('authenticator, to scan');
  await app.fits('authenticator, to scan');
  const secret = (await page.locator('form .code').innerText()).replace(/\s/g, '');
  await app.field('auth.otp').fill('000000');
  await app.button('security.totpOn').click();
  await expect(page.getByRole('alert').filter({ hasText: app.t('errors.E_2FA_WRONG') })).toBeVisible();
  await app.field('auth.otp').fill(otp(secret));
  await app.button('security.totpOn').click();
  const codes = page.getByRole('list', { name: app.t('security.codes') }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  await app.accessible('recovery codes');
  await app.fits('recovery codes');
  const downloaded = page.waitForEvent('download');
  await app.button('security.download').click();
  expect((await downloaded).suggestedFilename()).toBe('meridian-recovery-codes.txt');
  const recovery = await codes.first().innerText();
  await app.button('security.codesKept').click();
  await expect(app.text('security.todo', { count: 1 })).toBeVisible();
  await expect(app.text('security.todoFund')).toBeVisible();

  // On another device the password alone does not log in.
  await other.open('user/login/login');
  await other.logIn(member.email, member.password);
  await expect(other.text('auth.secondTitle')).toBeVisible();
  await other.accessible('second step of a log-in');
  await other.fits('second step of a log-in');
  await other.field('auth.otp').fill('000000');
  await expect(other.page.getByRole('alert').filter({ hasText: other.t('errors.E_2FA_WRONG') })).toBeVisible();
  // The code of the next step: the present one was used to turn it on.
  await other.field('auth.otp').fill(otp(secret, 1));
  await expect(other.text('home.total')).toBeVisible();

  await other.button('menu.open').click();
  await other.sheet.getByRole('button', { name: other.t('menu.logOut') }).click();
  await other.button('ui.logIn').first().click();
  await other.logIn(member.email, member.password);
  await other.button('auth.useRecovery').click();
  await expect(other.field('auth.recovery')).toBeFocused();
  await other.field('auth.recovery').fill('AAAAA-BBBBB');
  await other.button('ui.logIn').click();
  await expect(other.text('auth.wrongRecovery')).toBeVisible();
  await expect(other.button('auth.needRecovery')).toBeVisible();
  await other.field('auth.recovery').fill(recovery);
  await other.button('ui.logIn').click();
  await expect(other.text('home.total')).toBeVisible();
});

test('a session that is ended from another device is logged out there at once', async ({ app, other }) => {
  const member = await app.member();
  await app.signIn(member);
  await other.open('user/login/login');
  await other.logIn(member.email, member.password);
  await expect(other.text('home.total')).toBeVisible();
  await app.open('settings/security/devices');
  await expect(app.text('profile.thisDevice')).toBeVisible();
  await app.accessible('devices');
  await app.fits('devices');
  // The message is visible only for seconds, so the wait for it starts before.
  const said = expect(other.said(other.t('errors.E_AUTH'))).toBeVisible();
  await app.press(app.button('security.endOthers'), app.t('security.ended', { count: 1 }));
  await said;
  await expect(other.text('home.guestTitle')).toBeVisible();
  await expect(app.button('security.endOthers')).toHaveCount(0);
  await app.button('security.history').click();
  await expect(app.text('security.loginOk')).toBeVisible();
  await app.accessible('log-in history');
  await app.open('settings/security/access');
  await expect(app.text('security.noAccess')).toBeVisible();
});

test('a member sets and changes the fund password, and a wrong one is told at its field', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.signIn(member);
  await app.open('settings/security/changePayPassword');
  await app.field('profile.loginPassword').fill(member.password);
  await app.button('funding.sendCode').click();
  await app.field('security.sandboxTo').fill(member.email);
  await app.enterCode();
  await app.field('security.fundNew').fill('123456');
  await expect(app.text('security.fundWeak')).toBeVisible();
  await app.field('security.fundNew').fill('847261');
  await app.field('auth.repeat').fill('847262');
  await expect(page.getByRole('alert').filter({ hasText: app.t('security.fundMismatch') })).toBeVisible();
  await app.accessible('set a fund password');
  await app.fits('set a fund password');
  await app.field('auth.repeat').fill('847261');
  await app.press(app.button('ui.save'), app.t('security.fundSaved'));

  await app.open('settings/security/changePayPassword', 'again=1');
  await app.field('security.fundOld').fill('111111');
  await app.field('security.fundNew').fill('950312');
  await app.field('auth.repeat').fill('950312');
  await app.button('ui.save').click();
  await expect(app.field('security.fundOld')).toHaveAttribute('aria-invalid', 'true');
  await app.field('security.fundOld').fill('847261');
  await app.press(app.button('ui.save'), app.t('security.fundSaved'));
});

test('a member changes the e-mail address with a code sent to the new one', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.signIn(member);
  await app.open('settings/account/index');
  await page.getByRole('link', { name: app.t('auth.byEmail') }).click();
  const fresh = `new.${Date.now()}@example.org`;
  await app.field('auth.email').fill(fresh);
  await app.button('funding.sendCode').click();
  await app.enterCode();
  await app.field('profile.loginPassword').fill(member.password);
  await app.accessible('change the e-mail');
  await app.fits('change the e-mail');
  await app.press(app.button('ui.save'), app.t('profile.saved'));
  await app.open('settings/security/index');
  await expect(app.text('security.hold', { until: '' }).or(page.getByText(/paused until/)).first()).toBeVisible();
});

test('a member chooses a photo, which only the own session can read', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  await app.signIn(member);
  await app.open('settings/account/edit', 'field=photo');
  await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mP4z8BAEmIY1TCqYfhqAACQ+f8B8u7oVwAAAABJRU5ErkJggg==', 'base64') });
  await app.press(app.button('ui.save'), app.t('profile.saved'));
  await app.open('settings/account/index');
  await expect(page.locator('main img')).toHaveJSProperty('naturalWidth', 16);
  const { avatar } = await server.read<{ avatar: string }>('user/center', {}, member.token);
  const stranger = await fetch(server.url + avatar);
  expect(stranger.headers.get('content-type')).not.toContain('image');
});

test('a frozen account says so, on the spot and before anything is sent', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.signIn(member);
  await app.open('settings/security/freeze');
  await app.accessible('freeze');
  await app.fits('freeze');
  await page.getByRole('radio', { name: app.t('security.days', { days: 7 }) }).click();
  await app.button('security.freezeAsk').click();
  await expect(app.sheet.getByText(app.t('security.freezeFinal'))).toBeVisible();
  await app.accessible('freeze, the last question');
  await app.sheet.getByLabel(app.t('profile.loginPassword'), { exact: true }).fill(member.password);
  await app.sheet.getByRole('button', { name: app.t('security.freezeNow') }).click();
  await expect(app.text('security.frozenSelf')).toBeVisible();
  await app.open('settings/security/index');
  await expect(page.getByRole('main').getByText(/^Frozen until/).filter({ visible: true })).toBeVisible();
  await app.open('trade/kline', 'symbol=BTC/USDT');
  await expect(app.button('errors.E_ACCOUNT_FROZEN')).toHaveAttribute('aria-disabled', 'true');
  await app.accessible('the order form of a frozen account');
  await app.open('assets/transfer/index');
  await expect(app.button('errors.E_ACCOUNT_FROZEN')).toHaveAttribute('aria-disabled', 'true');
  await app.sound('a transfer of a frozen account');
});

test('a frozen account stores no new address, and a freeze of withdrawals stops nothing else', async ({ app, server }) => {
  const { page } = app;
  const member = await ready(app, server);
  const { id } = await server.read<{ id: number }>('user/center', {}, member.token);
  // A freeze ends the sessions of its member, who logs in again.
  const freeze = async (scope: string) => {
    await server.call('/operator/api/user/freeze', { id: String(id), scope, reason: 'stolen phone' }, await operator(server, 'verifier', 'vera'));
    const token = await server.call<string>('user/login', { user_string: member.email, password: member.password });
    await app.signIn({ ...member, token });
  };
  await freeze('withdraw');
  await app.open('settings/security/index');
  await expect(app.text('security.frozenExits')).toBeVisible();
  await app.open('assets/withdraw/index');
  await expect(app.text('withdraw.frozenTitle')).toBeVisible();
  await app.open('assets/transfer/index');
  await expect(app.text('transfer.free')).toBeVisible();
  await expect(app.button('errors.E_ACCOUNT_FROZEN')).toHaveCount(0);
  await freeze('all');
  await app.open('assets/transfer/index');
  await expect(app.button('errors.E_ACCOUNT_FROZEN')).toBeVisible();
  await app.open('user/address/create');
  await expect(app.text('addresses.frozenText')).toBeVisible();
  await expect(page.getByLabel(app.t('addresses.address'), { exact: true }).filter({ visible: true })).toHaveCount(0);
  await app.sound('a new address of a frozen account');
});

test('the security centre tells how old the password is', async ({ app, server }) => {
  const member = await app.member();
  const fresh = 'another pass word';
  await server.call('user/e_pwd', { old_password: member.password, password: fresh, re_password: fresh }, member.token);
  await app.signIn(member);
  await app.open('settings/security/index');
  await expect(app.text('security.changed', { ago: '1 minute ago' })).toBeVisible();
  await app.language('deyu');
  await app.open('settings/security/index');
  await expect(app.text('security.changed', { ago: 'vor 1 Minute' })).toBeVisible();
});
