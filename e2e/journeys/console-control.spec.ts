import { Console, submitBasic } from '../support/console.ts';
import { approve } from '../support/desk.ts';
import { expect, test } from '../support/test.ts';

const HOUR = 3_600_000;

test('a transfer entered by hand counts once two people entered the same, each twice', async ({ app, browser, server }) => {
  const member = await app.member();
  const { TRC20: address } = await server.read<{ TRC20: string }>('wallet/get_in_address', { currency: '3' }, member.token);
  const entry = { Transaction: 'ab'.repeat(28) + Date.now().toString(16).slice(-8), Output: '0', Address: address, Amount: '25.5', Confirmations: '40' };
  const desks = [await Console.open(browser, server), await Console.open(browser, server)];
  for (const [at, desk] of desks.entries()) {
    const write = async (fields: Readonly<Record<string, string>>) => {
      for (const [name, text] of Object.entries(fields)) await desk.dialog.getByLabel(name, { exact: true }).fill(text);
    };
    await desk.enter('treasury', ['ada', 'bob'][at] ?? '');
    await desk.go('observations');
    await desk.button('Enter by hand').click();
    await desk.dialog.getByLabel('Coin and network').selectOption({ label: 'USDT on TRC20' });
    await write(entry);
    await desk.button('Go on to the second entry').click();
    // A typing error is shown before anything is sent.
    await write({ ...entry, Amount: '255' });
    await desk.button('Enter the observation').click();
    await expect(desk.dialog).toContainText('Not what you entered before');
    await write({ Amount: entry.Amount });
    await desk.press(desk.button('Enter the observation'), at === 0 ? 'Another person must enter the same' : 'matches the entry of your colleague');
  }
  for (const desk of desks) {
    await desk.page.keyboard.press('u');
    await expect(desk.page.getByRole('row', { name: new RegExp(entry.Transaction) })).toContainText('matched');
    await desk.close();
  }
});

test('a session that ends before its log-out is answered leaves a log-in that works', async ({ browser, server }) => {
  const desk = await Console.open(browser, server);
  await desk.enter('support', 'sam');
  await desk.go('me');
  let answer = () => {};
  const held = new Promise<void>((done) => (answer = done));
  await desk.page.route('**/operator/api/logout', async (route) => {
    const response = await route.fetch();
    await held;
    await route.fulfill({ response });
  });
  const ended = desk.page.waitForResponse('**/operator/api/logout');
  // The log-in's own read is still in progress when the answer comes.
  await desk.page.route('**/app/config', async (route) => {
    await ended;
    await route.continue();
  });
  await desk.button('Log out').click();
  // A list that is read now is told that the session has ended, before the log-out is answered.
  await expect(async () => {
    await desk.page.keyboard.press('u');
    await expect(desk.button('Log in')).toBeVisible({ timeout: 500 });
  }).toPass();
  answer();
  await ended;
  await desk.enter('auditor', 'olga');
  await expect(desk.page.getByRole('link', { name: /olga/ })).toBeVisible();
  await desk.close();
});

test('openings are paused and resumed by one person', async ({ browser, server }) => {
  const isOpen = async () => (await server.read<{ products: { product: string; on: number }[] }>('app/config')).products.find(({ product }) => product === 'deposit_bank')?.on;
  const desk = await Console.open(browser, server);
  await desk.enter('market', 'mia');
  await desk.go('catalog');
  for (const [what, reason, on] of [
    ['Pause opening', 'Maintenance', 0],
    ['Resume opening', 'The cause is gone', 1],
  ] as const) {
    await desk.button('Pause or resume').click();
    await desk.dialog.getByLabel('Product').selectOption({ label: 'Bank deposits' });
    await desk.dialog.getByLabel('What').selectOption({ label: what });
    await desk.dialog.getByRole('button', { name: reason }).click();
    await desk.press(desk.dialog.getByRole('button', { name: what }), on ? 'Resumed' : 'Paused');
    expect(await isOpen()).toBe(on);
  }
  await desk.close();
});

test('the catalog changes when a second person confirms, and the end of a pair is proposed and taken back', async ({ browser, server }) => {
  const [mia, moe] = [await Console.open(browser, server), await Console.open(browser, server)];
  await mia.enter('market', 'mia');
  await mia.go('catalog/limit');
  await mia.button('Propose a change of limits').click();
  await expect(mia.dialog.getByRole('button', { name: 'Propose the change' })).toBeVisible();
  const cards = mia.dialog.getByLabel('Cards', { exact: true });
  const more = String(parseInt(await cards.inputValue(), 10) + 1);
  await cards.fill(more);
  await expect(mia.dialog.getByRole('table', { name: 'Changes' }).getByRole('row', { name: /^Cards/ })).toContainText(more);
  await mia.dialog.getByLabel('Reason').fill('members ask for it');
  await mia.accessible('a change of the catalog');
  await mia.press(mia.dialog.getByRole('button', { name: 'Propose the change' }), 'second person');
  await moe.enter('market', 'moe');
  // Changes of limits act a day later at the earliest.
  await moe.confirmNewest('confirmed');
  const allowed = async () => (await server.read<{ limits: { cards: number } }>('app/config')).limits.cards;
  expect(await allowed()).toBe(parseInt(more, 10) - 1);
  await server.call('/sandbox/clock', { advance_ms: String(72 * HOUR) });
  expect(await allowed()).toBe(parseInt(more, 10));
  await moe.close();

  await mia.go('catalog/market');
  await mia.button('Propose the end of ETH/BTC').click();
  await mia.dialog.getByLabel('Reason').fill('no volume');
  await mia.dialog.getByRole('button', { name: 'Propose the end' }).click();
  await expect(mia.dialog).toContainText('A pair ends after 24 hours at the earliest');
  const { server_time_ms } = await server.read<{ server_time_ms: number }>('app/config');
  // The console is in Berlin.
  const there = new Date(server_time_ms + 48 * HOUR).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' });
  await mia.dialog.getByLabel('Ends').fill(there.replace(' ', 'T').slice(0, 16));
  await mia.dialog.getByRole('button', { name: 'Propose the end' }).click();
  await expect(mia.dialog).toHaveCount(0);
  await mia.openNewest();
  await expect(mia.dialog).toContainText('no volume');
  await mia.dialog.getByRole('button', { name: /^Cancel/ }).click();
  await mia.press(mia.dialog.getByRole('button', { name: /^Cancel/ }), 'cancelled');
  await mia.close();
});

test('an identity is revoked and a referral role is given by two people each', async ({ app, browser, server }) => {
  const member = await app.member();
  await submitBasic(server, member);
  await approve(server, 'identity', 'verifier', ['vera']);
  const who = () => server.read<{ id: number; review_status: number; role: string }>('user/center', {}, member.token);
  const { id, ...before } = await who();
  expect(before).toMatchObject({ review_status: 2, role: 'user' });
  const own = () => server.read<{ return_rate1: string; authorization_code: string }>('user/invite', {}, member.token);
  const { return_rate1: usual } = await own();
  for (const role of ['verifier', 'admin'] as const) {
    const [one, two] = [await Console.open(browser, server), await Console.open(browser, server)];
    await one.enter(role, 'vera');
    if (role === 'verifier') {
      await one.go(`users/${id}`);
      await one.button('The user asked for help').click();
      await one.button(`Show user ${id}`).click();
      await one.button('Propose to revoke identity').click();
      await one.dialog.getByRole('button', { name: 'The document has expired' }).click();
      await one.press(one.dialog.getByRole('button', { name: 'Propose to revoke' }), 'second person');
    } else {
      await one.go('operators');
      await one.button('Referral role of a user').click();
      await one.dialog.getByLabel('Number of the user').fill(String(id));
      await one.dialog.getByLabel('Role', { exact: true }).selectOption({ label: 'Partner' });
      await one.dialog.getByRole('button', { name: 'Agreed with the user' }).click();
      await one.press(one.dialog.getByRole('button', { name: 'Propose the role' }), 'second person');
    }
    await two.enter(role, 'vic');
    await two.confirmNewest();
    await one.close();
    await two.close();
  }
  const after = await who();
  expect(after.review_status).not.toBe(2);
  expect(after.role).toBe('partner');
  // The role brings its rate and its code, and the member sees both.
  const { return_rate1: rate, authorization_code: code } = await own();
  expect(parseFloat(rate)).toBeGreaterThan(parseFloat(usual));
  await app.signIn(member);
  await app.open('promotion/index');
  await expect(app.text('invite.role.partner')).toBeVisible();
  await expect(app.text('invite.authorization', { code })).toBeVisible();
});

test('the audit log is looked through by person, time and text, and keys walk through it', async ({ browser, server }) => {
  const desk = await Console.open(browser, server);
  await desk.enter('auditor', 'olga');
  await desk.go('audit');
  const rows = desk.page.getByRole('table', { name: 'Audit log' }).locator('tbody tr');
  await expect(rows.first()).toBeVisible();
  await desk.page.getByLabel('Operator').selectOption({ label: 'olga' });
  await expect(rows.filter({ hasNotText: 'you' })).toHaveCount(0);
  await expect(rows.first()).toBeVisible();
  await desk.page.keyboard.press('Escape');
  await desk.page.getByRole('heading', { level: 1 }).click();
  await desk.page.keyboard.press('j');
  await desk.page.keyboard.press('j');
  await expect(rows.nth(1)).toBeFocused();
  await desk.page.keyboard.press('k');
  await expect(rows.first()).toBeFocused();
  await desk.page.keyboard.press('/');
  await desk.page.getByRole('searchbox').fill('no such hash');
  await expect(desk.page.getByText('Nothing for “no such hash” on this page')).toBeVisible();
  await desk.page.getByRole('searchbox').fill('');
  await desk.page.getByLabel('Did').selectOption('view');
  await desk.page.getByLabel('To what').selectOption('audit');
  await expect(rows.filter({ hasNotText: 'Audit' })).toHaveCount(0);
  await expect(rows.first()).toBeVisible();
  await desk.page.getByLabel('Its number').fill('123456');
  await expect(desk.page.getByText('Nothing fits')).toBeVisible();
  await desk.page.getByLabel('Its number').fill('');
  await expect(rows.first()).toBeVisible();
  await desk.page.getByLabel('From').fill('2099-01-01T00:00');
  await expect(desk.page.getByText('Nothing fits')).toBeVisible();
  await desk.close();
});
