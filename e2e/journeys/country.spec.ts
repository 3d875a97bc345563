import { card, lots, positions } from '../support/contracts.ts';
import { operator } from '../support/desk.ts';
import type { Server } from '../support/server.ts';
import { expect, test } from '../support/test.ts';

/** Two operators agree on what is offered in a country; `rules` lists what is not simply open. */
async function agree(server: Server, country: string, rules: Readonly<Record<string, string>>): Promise<void> {
  const [mia, max] = [await operator(server, 'market', 'mia'), await operator(server, 'market', 'max')];
  const values = JSON.stringify({ country, spot: 'on', option: 'on', contract: 'on', plan: 'on', subscription: 'on', loan: 'on', flash: 'on', deposit_coin: 'on', deposit_bank: 'on', withdraw_coin: 'on', withdraw_bank: 'on', ...rules });
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
    // Nothing is sent: the button says what is missing and leads there.
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

  // A member with a saved link to the address of a coin reads why there is none, and where to ask.
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

/** The name of the refusal of a write. */
async function refusal(server: Server, path: string, fields: Readonly<Record<string, string>>, token: string): Promise<string> {
  const headers = { authorization: token, 'content-type': 'application/x-www-form-urlencoded', 'idempotency-key': String(Date.now()).padStart(32, '0') };
  const answer = await fetch(`${server.url}/api/${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) });
  return ((await answer.json()) as { data: { error: string } }).data.error;
}

test('a country that comes to forbid options and contracts takes their entries away, and what is open can be closed', async ({ app, server }) => {
  const { page } = app;
  await app.pin('BTC/USDT', '100000');
  await agree(server, 'GL', {});
  const email = `ane.${Date.now()}@example.org`;
  const password = 'a long pass word';
  await server.call('sms_mail', { user_string: email, type: 'register' });
  const code = await server.code(email);
  await server.call('user/register', { type: 'email', user_string: email, code, password, re_password: password, agree: '1', country: 'GL' });
  const member = { email, password, token: await server.call<string>('user/login', { user_string: email, password }) };
  await app.fund(member, 'USDT', '1000', 'lever');
  const long = { share: '10', multiple: '10', legal_id: '3', currency_id: '1', type: '1' };
  await server.call('lever/submit', long, member.token);
  await agree(server, 'GL', { option: 'off', contract: 'off' });

  // Neither a tab nor an order's page links to options; the page itself says why there are none.
  await app.signIn(member);
  await app.open('index/index');
  const tabs = page.getByRole('navigation', { name: app.t('app.tabs') });
  await expect(tabs.getByRole('link', { name: app.t('tab.trade') })).toBeVisible();
  await expect(tabs.getByRole('link', { name: app.t('tab.option') })).toHaveCount(0);
  await app.open('option/detail');
  await expect(app.text('errors.E_COUNTRY')).toBeVisible();
  await app.sound('options where they are forbidden');
  const up = { match_id: '1', currency_id: '3', type: '1', seconds: '60', number: '10' };
  expect(await refusal(server, 'microtrade/submit', up, member.token)).toBe('E_COUNTRY');

  // A member with a position sees it, reads that no new one can be opened, and closes it.
  await app.open('lever/index');
  await expect(card(app)).toHaveCount(1);
  await expect(app.text('errors.E_COUNTRY')).toBeVisible();
  expect(await refusal(server, 'lever/submit', long, member.token)).toBe('E_COUNTRY');
  await app.sound('a position where contracts are forbidden');
  await app.button('contracts.close').click();
  await app.button('contracts.closeLots', { lots: lots(app, '10') }).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.closedTitle') })).toBeVisible();
  const [position] = await positions(server, member);
  expect(position).toMatchObject({ status: 3, reason: 'USER' });
  await app.button('ui.done').click();

  // After that nothing links there any more, but the history is still shown.
  await app.reload();
  await app.open('lever/index');
  await expect(app.text('errors.E_COUNTRY')).toBeVisible();
  await expect(card(app)).toHaveCount(0);
  await app.open('lever/index', `order=${position?.id}`);
  await expect(page.locator('main').filter({ visible: true }).getByText(String(position?.id))).toBeVisible();
});
