import { Console, submitBasic, TRON, withdrawal } from '../support/console.ts';
import { otp } from '../support/otp.ts';
import { holds } from '../support/said.ts';
import { expect, test } from '../support/test.ts';

interface Row {
  id: number;
}

test('roles see their areas, and who only reads has nothing to press', async ({ browser, server }) => {
  const desk = await Console.open(browser, server);
  await desk.enter('support', 'sam');
  const areas = desk.page.getByRole('navigation', { name: 'Areas' });
  await expect(areas.getByRole('link', { name: 'Tickets' })).toBeVisible();
  await expect(areas.getByRole('link', { name: 'Withdrawals' })).toHaveCount(0);
  await desk.go('withdrawal');
  await expect(desk.page.getByRole('heading', { name: 'Not found' })).toBeAttached();
  await desk.go('me');
  await desk.button('Log out').click();
  await expect(desk.button('Log in')).toBeVisible();
  expect(await desk.page.evaluate(() => sessionStorage.length)).toBe(0);

  await desk.enter('auditor', 'olga');
  await desk.go('treasury');
  await expect(desk.page.getByRole('table', { name: 'House accounts' })).toBeVisible();
  await expect(desk.button('Propose a move')).toHaveCount(0);
  await desk.close();
});

test('a person is verified, and the money leaves only when two others signed exactly what they saw', async ({ app, browser, server }) => {
  const member = await app.member();
  await submitBasic(server, member);

  const vera = await Console.open(browser, server);
  await vera.enter('verifier', 'vera');
  await expect(vera.page.getByRole('heading', { name: 'Identity', level: 1 })).toBeVisible();
  const first = vera.page.locator('tbody tr').last();
  await expect(first).toBeVisible();
  await expect(first.getByRole('cell', { name: 'Basic', exact: true })).toBeVisible();
  await expect(first.getByRole('cell', { name: 'Open to check' })).toBeVisible();
  // Masked until a reason is given.
  await expect(vera.page.getByText('Ann Marie Lee')).toHaveCount(0);
  // The newest is last, below what other journeys left.
  for (let row = await vera.page.locator('tbody tr').count(); row > 0; row--) await vera.page.keyboard.press('j');
  await vera.page.keyboard.press('Enter');
  await expect(vera.page.getByRole('complementary', { name: /^K-/ })).toContainText('Details are masked');
  await vera.page.keyboard.type('Review from the queue');
  await vera.page.keyboard.press('Tab');
  await vera.page.keyboard.press('Enter');
  await expect(vera.page.getByText('Ann Marie Lee')).toBeVisible();
  await vera.accessible('an identity case');
  // The key only opens the confirmation.
  await vera.page.keyboard.press('a');
  await expect(vera.dialog).toContainText('Ann Marie Lee');
  await vera.press(vera.dialog.getByRole('button', { name: /^Approve K-/ }), 'approved');
  await vera.close();

  await withdrawal(server, member);
  const [ada, bob] = [await Console.open(browser, server), await Console.open(browser, server)];
  await ada.enter('treasury', 'ada');
  await bob.enter('treasury', 'bob');
  await expect(ada.page.getByRole('heading', { name: 'Withdrawals', level: 1 })).toBeVisible();
  const token = (await server.call<{ token: string }>('/sandbox/operator', { role: 'auditor', name: 'olga' })).token;
  const { data } = await server.read<{ data: Row[] }>('/operator/api/queue', { kind: 'withdrawal' }, token);
  const id = Math.max(...data.map((row) => row.id));

  // The address was stored a day ago: the row shows that there is something to read, and the case shows what.
  const line = ada.page.getByRole('row', { name: new RegExp(`W-${id}`) });
  await expect(line.getByRole('cell', { name: 'Medium' })).toBeVisible();
  await ada.page.getByLabel('Order of this page').selectOption({ label: 'Newest' });
  await expect(ada.page.locator('tbody tr').first()).toContainText(`W-${id}`);
  await ada.button(/^High risk/).click();
  await expect(line).toHaveCount(0);
  await ada.accessible('the queue of what is risky');
  await ada.button(/^Waiting/).click();
  await bob.openCase('withdrawal', id);
  await expect(bob.page.getByText('Destination is younger than a week')).toBeVisible();
  await ada.openCase('withdrawal', id);
  await expect(ada.page.getByText('User receives')).toBeVisible();
  await ada.accessible('a withdrawal case');
  await ada.button(`Approve W-${id}`).click();
  await expect(ada.dialog).toContainText((TRON.match(/.{1,4}/g) ?? []).join(' '));
  await ada.accessible('a confirmation');
  await ada.press(ada.dialog.getByRole('button', { name: `Approve W-${id}` }), 'needs another person');
  // The same operator cannot approve twice.
  await ada.openCase('withdrawal', id);
  await expect(ada.page.getByText('Needs another').first()).toBeVisible();
  await expect(ada.button(`Approve W-${id}`)).toHaveCount(0);

  // Bob's view is older than the first approval, so it is refused or marked, and read again.
  await bob.page.keyboard.press('u');
  await bob.button('Reload the case').click();
  await expect(bob.page.getByText('Second: you')).toBeVisible();
  await bob.page.keyboard.press('a');
  const told = bob.said(`W-${id} approved`);
  await holds(told, () => bob.dialog.getByRole('button', { name: `Approve W-${id}` }).click());
  // The message is on the left, because the buttons of a case and the pointer are on the right.
  const box = await told.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 1280)).toBeLessThan(640);

  await bob.openCase('withdrawal', id);
  await bob.button('Enter transaction').click();
  await bob.dialog.getByLabel('Transaction or bank reference').fill('ab'.repeat(31));
  await bob.dialog.getByRole('button', { name: 'Mark as sent' }).click();
  await expect(bob.dialog.getByRole('button', { name: 'A transaction has 64 digits and letters a to f' })).toBeVisible();
  await bob.dialog.getByLabel('Transaction or bank reference').fill('ab'.repeat(32));
  await bob.press(bob.dialog.getByRole('button', { name: 'Mark as sent' }), 'marked as sent');
  const record = await server.read<{ data: { state: string }[] }>('charge_mention/log3', {}, member.token);
  expect(record.data[0]?.state).toBe('sent');
  // The member reads who viewed the account.
  const looks = await server.read<{ data: { reason: string }[] }>('user/access_log', {}, member.token);
  expect(looks.data.some(({ reason }) => reason === 'Review from the queue')).toBe(true);
  await ada.close();
  await bob.close();
});

test('capital moves when a second person confirms the very proposal', async ({ browser, server }) => {
  const [ada, bob] = [await Console.open(browser, server), await Console.open(browser, server)];
  await ada.enter('treasury', 'ada');
  await ada.go('treasury');
  await ada.button('Propose a move').click();
  await ada.dialog.getByLabel('To').selectOption('insurance');
  await ada.dialog.getByLabel('Coin').selectOption({ label: 'USDT' });
  await ada.dialog.getByLabel('Amount').fill('12.5');
  await ada.dialog.getByRole('button', { name: 'Capital for the pool' }).click();
  await ada.press(ada.dialog.getByRole('button', { name: /^Propose to move/ }), 'second person');
  await ada.openNewest();
  await expect(ada.dialog).toContainText('It needs another person');
  await expect(ada.dialog.getByRole('button', { name: 'Confirm' })).toHaveCount(0);
  await ada.close();

  await bob.enter('treasury', 'bob');
  await bob.openNewest();
  await expect(bob.dialog).toContainText('12.500000');
  await bob.accessible('a proposal');
  await bob.dialog.getByRole('button', { name: 'Confirm' }).click();
  await bob.press(bob.dialog.getByRole('button', { name: /^Confirm treasury move/ }), 'in force');
  await bob.close();
});

test('a freeze that a member set until support lifts it is lifted by two, and one of withdrawals can be made wider', async ({ app, browser, server }) => {
  const member = await app.member();
  // A freeze by an operator ends the sessions.
  const again = () => server.call<string>('user/login', { user_string: member.email, password: member.password });
  const frozen = async (token: string) => (await server.read<{ id: number; status: number }>('user/center', {}, token)).status;
  const { id } = await server.read<{ id: number }>('user/center', {}, member.token);
  await server.call('user/freeze', { password: member.password, days: '0' }, member.token);
  expect(await frozen(member.token)).not.toBe(0);
  const [vera, vic] = [await Console.open(browser, server), await Console.open(browser, server)];
  await vera.enter('verifier', 'vera');
  await vera.go(`users/${id}`);
  await vera.button('The user asked for help').click();
  await vera.button(`Show user ${id}`).click();
  await expect(vera.page.getByText('Frozen by the user')).toBeVisible();
  for (const [what, button] of [
    ['withdraw', 'Freeze withdrawals'],
    ['all', 'Freeze everything'],
  ] as const) {
    await vera.button('Freeze').click();
    await vera.dialog.getByLabel('Scope of the freeze').selectOption(what);
    await vera.dialog.getByRole('button', { name: 'You asked us to freeze it' }).click();
    await vera.dialog.getByRole('button', { name: button }).click();
    await expect(vera.dialog).toHaveCount(0);
    // A dialog that opened before the page read the freeze rightly asks for another review.
    await expect(vera.page.getByText('Frozen by us')).toBeVisible();
  }
  await vera.button('Propose to unfreeze').click();
  await vera.dialog.getByRole('button', { name: 'The user proved who they are' }).click();
  await vera.press(vera.dialog.getByRole('button', { name: 'Propose to unfreeze' }), 'second person');
  await vic.enter('verifier', 'vic');
  await vic.openNewest();
  await vic.dialog.getByRole('button', { name: 'Confirm' }).click();
  await vic.press(vic.dialog.getByRole('button', { name: /^Confirm unfreeze/ }), 'in force');
  expect(await frozen(await again())).toBe(0);
  await vera.close();
  await vic.close();
});

test('a new operator sets up by the link that is mailed, and logs in once the proposer has let them in', async ({ browser, server }) => {
  const [eve, fay] = [await Console.open(browser, server), await Console.open(browser, server)];
  await eve.enter('admin', 'eve');
  await eve.go('operators');
  await eve.button('Propose an operator').click();
  await eve.dialog.getByLabel('Login name').fill('gus');
  await eve.dialog.getByLabel('Account number as a member, or none').fill('none');
  await eve.dialog.getByLabel('Mail address for the link').fill('gus@work.example');
  await eve.dialog.getByLabel('verifier').check();
  await eve.dialog.getByRole('button', { name: 'New in the team' }).click();
  await eve.press(eve.dialog.getByRole('button', { name: 'Propose the operator' }), 'second person');
  await fay.enter('admin', 'fay');
  await fay.openNewest();
  await fay.dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect(fay.dialog.getByText('no account as a member')).toBeVisible();
  await expect(fay.dialog.getByText('gus@work.example').first()).toBeVisible();
  await fay.dialog.getByRole('button', { name: /^Confirm operator/ }).click();
  // The list comes back by itself and would replace the page that is opened next.
  await expect(fay.dialog).toHaveCount(0);
  await expect(fay.page.getByText(/#\/setup\//)).toHaveCount(0);

  const link = await server.code('gus@work.example');
  await fay.page.goto(`${server.url}/console/#/setup/${link}`);
  await fay.button('Begin').click();
  const secret = fay.page.getByLabel('Secret for the authenticator');
  await expect(secret).toBeVisible();
  await fay.accessible('the set-up');
  await fay.page.getByLabel('Password', { exact: true }).fill('short');
  await fay.button('Set password and finish').click();
  await expect(fay.page.getByText('Use at least 15 characters')).toBeVisible();
  // The link alone does not log its holder in.
  const [text, password] = [(await secret.textContent()) ?? '', 'seven wet llamas juggle'];
  await server.call('/operator/api/setup', { link, password, otp: otp(text.replace(/\s/g, '')) });
  await eve.button('Refresh now').click();
  await eve.button('Release the first log-in of gus').click();
  await eve.accessible('the release of a first log-in');
  await eve.press(eve.dialog.getByRole('button', { name: 'Release it' }), 'gus can log in now');
  await eve.close();
  await fay.close();
});

test('a change that redirects money is told to everybody and two stop it before it acts', async ({ browser, server }) => {
  const [ira, jon, kim] = [await Console.open(browser, server), await Console.open(browser, server), await Console.open(browser, server)];
  const token = (await server.call<{ token: string }>('/sandbox/operator', { role: 'market', name: 'ira' })).token;
  const second = (await server.call<{ token: string }>('/sandbox/operator', { role: 'market', name: 'jon' })).token;
  const [limits] = await server.read<{ values: Record<string, unknown> }[]>('/operator/api/catalog', { kind: 'limit' }, token);
  const values = JSON.stringify({ ...limits?.values, withdraw_per_day: 5 });
  const made = await server.call<{ id: number; hash: string }>('/operator/api/catalog/propose', { kind: 'limit', id: '1', values, reason: 'more a day' }, token);
  await server.call('/operator/api/proposal/confirm', { id: String(made.id), hash: made.hash }, second);
  // Every operator reads of it, whatever their role.
  await kim.enter('support', 'kim');
  await expect(kim.page.getByRole('complementary', { name: 'Coming changes' })).toContainText(`P-${made.id}`);
  await kim.accessible('the notice of a coming change');
  await ira.enter('market', 'ira');
  await ira.page.getByRole('complementary', { name: 'Coming changes' }).getByRole('link', { name: `P-${made.id}` }).click();
  await ira.dialog.getByRole('button', { name: 'Stop it' }).click();
  await ira.dialog.getByRole('button', { name: 'A mistake' }).click();
  await ira.press(ira.dialog.getByRole('button', { name: 'Propose to stop it' }), 'second person');
  await jon.enter('market', 'jon');
  await jon.openNewest();
  await jon.dialog.getByRole('button', { name: 'Confirm' }).click();
  await jon.dialog.getByRole('button', { name: /^Confirm stop/ }).click();
  await expect(jon.page.getByRole('complementary', { name: 'Coming changes' })).toHaveCount(0);
  for (const desk of [ira, jon, kim]) await desk.close();
});

test('every area has no fault in the dark and the light theme, and fits from 1024 pixels on', async ({ browser, server }) => {
  test.setTimeout(600_000);
  const desk = await Console.open(browser, server);
  await desk.accessible('the log-in');
  for (const role of ['support', 'verifier', 'treasury', 'market', 'auditor', 'admin']) {
    await desk.enter(role, 'zoe');
    await desk.go('me');
    if (role !== 'admin') await desk.button('Log out').click();
  }
  for (const theme of ['dark', 'light'] as const) {
    await desk.theme(theme);
    const links = desk.page.getByRole('navigation', { name: 'Areas' }).getByRole('link');
    await expect(links.first()).toBeVisible();
    const places = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(places.length).toBeGreaterThanOrEqual(16);
    for (const place of places) {
      await desk.go(place.slice(2));
      await expect(desk.page.locator('main h1')).toBeAttached();
      await expect(desk.page.locator('[aria-busy="true"]')).toHaveCount(0);
      await expect(desk.page.getByRole('alert')).toHaveCount(0);
      await desk.accessible(`${place} in ${theme}`);
      await desk.page.setViewportSize({ width: 1024, height: 700 });
      await desk.fits(place);
      await desk.page.setViewportSize({ width: 1280, height: 800 });
    }
  }
  await desk.page.keyboard.press('?');
  await expect(desk.dialog).toContainText('No key decides anything by itself.');
  await desk.accessible('the list of keys');
  await desk.close();
});
