import { App } from '../support/app.ts';
import { expect, test } from '../support/test.ts';

test('a page that needs a session asks for it, comes back, and back does not lead to login again', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.open();
  await app.open('assets/transfer/record');
  await expect(page).toHaveURL(/user\/login\/login\?.*backpage=.*transfer%2Frecord/);
  await app.accessible('log in');
  await app.logIn(member.email, member.password);
  await expect(page).toHaveURL(/#\/pages\/assets\/transfer\/record/);
  await expect(app.text('transfer.none')).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/#\/(pages\/index\/index)?$/);
  await expect(app.text('home.total')).toBeVisible();
});

test('a guest who wants to trade comes back to the same pair and order', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.open('trade/kline', 'symbol=ETH/USDT');
  await app.settled();
  await app.field('trade.amount').fill('0.5');
  await app.button('trade.reason.guest').click();
  await expect(page).toHaveURL(/user\/login\/login/);
  await app.logIn(member.email, member.password);
  await expect(page).toHaveURL(/trade\/kline\?symbol=ETH/);
  await expect(app.field('trade.amount')).toHaveValue(/^0\.50?$/);
});

test('a tab asks for a session in place and stays the tab', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.open();
  await app.open('assets/index');
  await app.button('ui.logIn').click();
  await app.logIn(member.email, member.password);
  await expect(page).toHaveURL(/#\/pages\/assets\/index/);
  await expect(app.text('assets.total')).toBeVisible();
  await expect(app.tab('tab.assets')).toHaveAttribute('aria-current', 'page');
  // Login has removed its own entry: back leads to the previous tab at once.
  await page.goBack();
  await expect(page).toHaveURL(/#\/pages\/index\/index$/);
  await expect(app.text('home.total')).toBeVisible();
});

test('a wrong password and an unknown account get the same answer; many tries must wait', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.open('user/login/login');
  const alert = page.getByRole('alert').filter({ hasText: app.t('errors.E_CREDENTIALS') });
  await app.logIn('nobody.at.all@example.org', member.password);
  await expect(alert).toBeVisible();
  await app.logIn(member.email, 'not this one');
  await expect(alert).toBeVisible();
  await app.accessible('log in with a wrong password');
  // After nine wrong ones in a row the wait is long enough to be seen; shorter ones pass by the sandbox's clock.
  const again = () => app.server.call('user/login', { user_string: member.email, password: 'not this one' });
  for (let failures = 1; failures < 8; failures++) {
    await expect(again()).rejects.toThrow('E_CREDENTIALS');
    await app.server.call('/sandbox/clock', { advance_ms: '60000' });
  }
  await expect(again()).rejects.toThrow('E_CREDENTIALS');
  const wait = page.getByRole('button', { name: /^Wait \d+ seconds?$/ });
  for (let attempt = 0; attempt < 8 && !(await wait.isVisible()); attempt++) {
    const answered = page.waitForResponse('**/api/user/login');
    await app.button('ui.logIn').click();
    await answered;
    await expect(wait.or(app.button('ui.logIn')).and(page.locator(':not([aria-busy])'))).toBeVisible();
  }
  await expect(wait).toBeVisible();
  await app.accessible('log in that must wait');
  await expect(app.button('ui.logIn')).toBeVisible({ timeout: 120_000 });
});

test('a forgotten password is replaced by a code, and all devices are logged out', async ({ app, other }) => {
  const { page } = app;
  const member = await app.member();
  await other.signIn(member);
  await expect(other.text('home.total')).toBeVisible();
  await app.open('user/login/login');
  await app.link('auth.forgot').click();
  await expect(page.getByRole('link', { name: app.t('auth.emailText') })).toBeVisible();
  await app.accessible('choose how to recover');
  await page.getByRole('link', { name: app.t('auth.emailText') }).click();
  await app.field('auth.email').fill(member.email);
  await app.button('auth.sendCode').click();
  await app.field('auth.code').fill('000000');
  await expect(page.getByRole('alert').filter({ hasText: app.t('errors.E_CODE') })).toBeVisible();
  await app.enterCode();
  await app.field('auth.newPassword').fill('another pass word');
  await app.field('auth.repeat').fill('another pass word');
  await app.accessible('new password');
  await app.button('auth.setPassword').click();
  await expect(app.text('auth.changed')).toBeVisible();
  await app.accessible('password changed');
  await expect(other.text('home.guestTitle')).toBeVisible();
  await app.button('ui.logIn').click();
  await app.logIn(member.email, member.password);
  await expect(page.getByRole('alert').filter({ hasText: app.t('errors.E_CREDENTIALS') })).toBeVisible();
  await app.logIn(member.email, 'another pass word');
  await expect(app.text('home.total')).toBeVisible();
});

test('a person registers and logs in by phone', async ({ app }) => {
  const { page } = app;
  const phone = `151${Date.now() % 100_000_000}`.padEnd(11, '0');
  await app.open('user/login/register');
  await page.getByRole('button', { name: app.t('auth.byPhone'), exact: true }).click();
  await page.getByRole('button', { name: new RegExp(`^${app.t('auth.country')}`) }).click();
  await app.sheet.getByRole('searchbox').fill('german');
  await app.accessible('countries');
  await app.sheet.getByRole('radio', { name: /Germany/ }).click();
  await app.field('auth.phone').fill(phone);
  await app.button('auth.sendCode').click();
  await app.enterCode();
  await app.field('auth.password').fill('a phone pass word');
  await app.field('auth.repeat').fill('a phone pass word');
  await page.getByText(app.t('auth.agree')).click();
  await app.button('ui.createAccount').click();
  await expect(app.text('home.total')).toBeVisible();
  await app.button('menu.open').click();
  await app.sheet.getByRole('button', { name: app.t('menu.logOut') }).click();
  await app.button('ui.logIn').first().click();
  await app.button('auth.byPhone').click();
  await expect(page.getByRole('button', { name: new RegExp(`^${app.t('auth.country')} \\+49`) })).toBeVisible();
  await app.field('auth.phone').fill(phone);
  await app.field('auth.password').fill('a phone pass word');
  await app.button('ui.logIn').click();
  await expect(app.text('home.total')).toBeVisible();
});

test('a log-in and a log-out in another tab count here at once, with a live connection', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  await app.fund(member, 'USDT', '1000');
  await app.open('assets/index');
  await expect(app.text('assets.guestTitle')).toBeVisible();
  const tab = new App(await page.context().newPage(), server);
  await tab.open('user/login/login');
  await tab.logIn(member.email, member.password);
  await expect(tab.text('home.total')).toBeVisible();
  await expect(page.getByText('1,000.00').first()).toBeVisible();
  await app.onlyTold();
  await app.fund(member, 'USDT', '500');
  await expect(page.getByText('1,500.00').first()).toBeVisible();
  await tab.button('menu.open').click();
  await tab.sheet.getByRole('button', { name: tab.t('menu.logOut') }).click();
  await expect(app.text('assets.guestTitle')).toBeVisible();
  await app.open();
  await expect(page.getByRole('link', { name: /BTC\s*\/\s*USDT/ })).not.toContainText(app.t('ui.notLive'));
  await tab.page.close();
});

test('a session that ends elsewhere says so, and the form is as it was after the next login', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  await app.fund(member, 'USDT', '1000');
  await app.signIn(member);
  await app.open('assets/transfer/index');
  await app.settled();
  await app.field('transfer.amount').fill('123');
  // The message is visible only for seconds, so the wait for it starts before.
  const said = expect(app.said(app.t('errors.E_AUTH'))).toBeVisible();
  await server.call('user/logout', {}, member.token);
  await said;
  await expect(page).toHaveURL(/user\/login\/login\?.*backpage=/);
  await app.logIn(member.email, member.password);
  await expect(page).toHaveURL(/#\/pages\/assets\/transfer\/index/);
  await expect(app.field('transfer.amount')).toHaveValue(/^123(\.00)?$/);
  // A write that moves money is never sent by itself.
  await app.open('assets/transfer/record');
  await expect(app.text('transfer.none')).toBeVisible();
});

test('a changed password logs the other device out and keeps this one', async ({ app, other }) => {
  const { page } = app;
  const member = await app.member();
  await app.signIn(member);
  await other.open('user/login/login');
  await other.logIn(member.email, member.password);
  await expect(other.text('home.total')).toBeVisible();
  await app.open('settings/security/index');
  await page.getByRole('link', { name: app.t('profile.loginPassword') }).click();
  await app.field('profile.oldPassword').fill('wrong');
  await app.field('auth.newPassword').fill('a new pass word 9');
  await app.field('auth.repeat').fill('a new pass word 9');
  await app.button('profile.changePassword').click();
  await expect(page.getByRole('alert').filter({ hasText: app.t('errors.E_PASSWORD_OLD') })).toBeVisible();
  await app.accessible('change the password');
  await app.field('profile.oldPassword').fill(member.password);
  // The message is visible only for seconds, so the wait for it starts before.
  const said = expect(other.said(other.t('errors.E_AUTH'))).toBeVisible();
  await app.press(app.button('profile.changePassword'), app.t('auth.changed'));
  await said;
  await expect(other.text('home.guestTitle')).toBeVisible();
  await app.open();
  await expect(app.text('home.total')).toBeVisible();
});
