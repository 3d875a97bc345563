import { operator } from '../support/desk.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

/** Two operators agree on what there is in a country; `rules` says what is not simply open. */
async function agree(server: Server, country: string, rules: Readonly<Record<string, string>>): Promise<void> {
  const [mia, max] = [await operator(server, 'market', 'mia'), await operator(server, 'market', 'max')];
  const values = JSON.stringify({ country, spot: 'on', option: 'on', contract: 'on', deposit_coin: 'on', deposit_bank: 'on', withdraw_coin: 'on', withdraw_bank: 'on', ...rules });
  const { id, hash } = await server.call<{ id: number; hash: string }>('/operator/api/catalog/propose', { kind: 'country', values, reason: 'agreed' }, mia);
  await server.call('/operator/api/proposal/confirm', { id: String(id), hash }, max);
}

test.describe('on a device that names no country', () => {
  test.use({ locale: 'en' });

  test('who joins by e-mail says where they live, and has what there is', async ({ app, server }) => {
    const { page } = app;
    const email = `lena.${Date.now()}@example.org`;
    await app.open('user/login/register');
    await app.button('auth.byEmail').click();
    await app.field('auth.email').fill(email);
    // Nothing is sent: the button says what is missing, and leads there.
    await app.button('auth.needResidence').click({ force: true });
    const country = app.button('auth.residence');
    await expect(country).toBeFocused();
    await app.sound('registering by e-mail');
    await expect(country).toHaveText(app.t('ui.choose'));
    await country.click();
    await app.sheet.getByRole('searchbox').fill('german');
    await app.sheet.getByRole('radio', { name: /Germany/ }).click();
    await expect(country).toHaveText('Germany');
    await app.accessible('a country of residence');
    await app.picture('register-country');
    await app.button('auth.sendCode').click();
    await app.enterCode();
    await app.field('auth.password').fill('a long pass word');
    await app.field('auth.repeat').fill('a long pass word');
    await page.getByText(app.t('auth.agree')).click();
    await app.button('ui.createAccount').click();
    await expect(app.text('home.total')).toBeVisible();
    const token = await server.call<string>('user/login', { user_string: email, password: 'a long pass word' });
    const { country: known } = await server.read<{ country: string }>('app/config', {}, token);
    expect(known).toBe('DE');
  });

  test('who asks for a new password is asked for no country', async ({ app }) => {
    await app.open('user/login/forgetPassword');
    await app.button('auth.byEmail').click();
    await expect(app.field('auth.email')).toBeVisible();
    await expect(app.button('auth.residence')).toHaveCount(0);
  });
});

test('who is refused for where they live, or for what they have not shown yet, finds the way on', async ({ app, server }) => {
  const { page } = app;
  await agree(server, 'IS', { deposit_coin: 'off', deposit_bank: 'advanced' });
  const email = `jon.${Date.now()}@example.org`;
  const password = 'a long pass word';
  await server.call('sms_mail', { user_string: email, type: 'register' });
  const code = await server.code(email);
  await server.call('user/register', { type: 'email', user_string: email, code, password, re_password: password, agree: '1', country: 'IS' });
  await app.signIn({ email, password, token: await server.call<string>('user/login', { user_string: email, password }) });

  // Whoever keeps a link to the address of a coin reads why there is none, and where to ask.
  await app.open('assets/deposit/charge', 'coin=3');
  const main = page.locator('main').filter({ visible: true });
  await expect(main.getByText(app.t('errors.E_COUNTRY'))).toBeVisible();
  await app.accessible('a coin that may not be deposited here');
  await main.getByRole('link', { name: app.t('menu.help') }).click();
  await expect(page).toHaveURL(/help-center/);
  await expect(app.text('help.question')).toBeVisible();

  await app.open('assets/deposit/charge', 'coin=9999');
  await expect(main.getByText(app.t('errors.E_KYC_ADVANCED'))).toBeVisible();
  await main.getByRole('link', { name: app.t('menu.identity') }).click();
  await expect(page).toHaveURL(/verification\/index/);
});
