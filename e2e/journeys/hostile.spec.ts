import { Console, TRON } from '../support/console.ts';
import { approve, forgetFundPassword, FUND_PASSWORD, operator, setFundPassword, upload } from '../support/desk.ts';
import { HOSTILE } from '../support/hostile.ts';
import { expect, test } from '../support/test.ts';
import type { Page } from '@playwright/test';

interface Watched extends Window {
  hit?: unknown;
  violations?: string[];
}
/** Payloads of one member. */
const EACH = 10;
/** How many of a member's payloads a case of the queue shows. If all, each member has a case. */
const SHOWN = { ticket: EACH, chat: EACH, identity: EACH, withdrawal: 1, deposit: 1, bank_deposit: 1, fund_reset: 0 };
const ROLES = ['support', 'verifier', 'treasury', 'market', 'auditor', 'admin'];

/** No payload ran, no request went to another host, and no member's markup became an element. */
async function untouched(page: Page, what: string): Promise<void> {
  const found = await page.evaluate(() => ({
    hit: (window as Watched).hit,
    violations: (window as Watched).violations,
    elements: [...document.querySelectorAll('#root :is(script, iframe, object, embed, base, meta, style, form[action], math, template, video, audio, [srcset], a[href^="javascript" i])')].map((one) => one.outerHTML),
    handlers: [...document.querySelectorAll('#root *')].flatMap((one) => one.getAttributeNames().filter((name) => name.startsWith('on'))),
  }));
  expect(found, what).toEqual({ hit: undefined, violations: [], elements: [], handlers: [] });
}

test('what members and operators write is text at every desk, whatever it says', async ({ app, browser, server }) => {
  test.setTimeout(300_000);
  expect(new Set(HOSTILE).size).toBe(60);
  const members: { id: number; texts: readonly string[] }[] = [];
  for (let from = 0; from < HOSTILE.length; from += EACH) {
    const member = await app.member();
    const texts = HOSTILE.slice(from, from + EACH);
    const [one = '', two = ''] = texts;
    const call = (path: string, fields: Record<string, string>) => server.call<unknown>(path, fields, member.token);
    const papers = { country: 'DE', name: one, card_id: `H${from}${Date.now()}`, address: texts.slice(0, 5).join(' '), residence_address: texts.slice(5).join(' ') };
    await call('user/real_name', papers);
    await call('feedback/add', { title: two, content: texts.join(' '), category: 'other' });
    await call('chat/send', { content: texts.join(' ') });
    await call('user/edit_profile', { nickname: one.slice(0, 20) });
    // The name of the device that logs in.
    const login = new URLSearchParams({ user_string: member.email, password: member.password });
    await fetch(`${server.url}/api/user/login`, { method: 'POST', body: login, headers: { 'user-agent': two.replaceAll(/[^ -~]/g, '') } });
    const { id } = await server.read<{ id: number }>('user/center', {}, member.token);
    members.push({ id, texts });
    if (from > 0) continue;
    // The first member also withdraws: the label of the address, the remark, the card.
    await approve(server, 'identity', 'verifier', ['vera']);
    await app.fund(member, 'USDT', '1000');
    await setFundPassword(server, member);
    await call('set/sms_other_mail', { type: 'operation' });
    const code = await server.code(member.email);
    await call('wallet/addaddress', { currency_id: '3', netType: 'TRC20', address: TRON, notes: texts.slice(0, 3).join(' '), pay_password: FUND_PASSWORD, code });
    await call('user/cash_save', { bank_name: two, bank_account: '1234567890', real_name: one, bank_branch: texts[2] ?? '' });
    await server.call('/sandbox/clock', { advance_ms: '86400000' });
    const [stored] = await server.read<{ id: number }[]>('wallet/get_address', {}, member.token);
    const out = { currency: '3', number: '30', pay_password: FUND_PASSWORD, notes: texts.join(' ').slice(0, 200) };
    await call('wallet/out', { ...out, address_id: String(stored?.id) });
    // They send two deposit notices, each with a transaction in their own words.
    const [coins = '', bank = ''] = await upload(app, member, 'deposit', 2);
    await call('wallet/charge_req', { currency: '3', netType: 'TRC20', amount: '25', imgs: coins, hash: one });
    await call('wallet/charge_req', { currency: '9999', amount: '25', imgs: bank, hash: one });
    await forgetFundPassword(app, member);
  }
  // Text that one operator writes is read by others.
  const treasury = await operator(server, 'treasury', 'tess');
  const support = await operator(server, 'support', 'sam');
  const market = await operator(server, 'market', 'mia');
  for (const reason of HOSTILE) {
    await server.call('/operator/api/treasury/move', { from: 'external', to: 'insurance', currency_id: '3', amount: '1', reason }, treasury);
  }
  const bank = JSON.stringify({ bank_name: HOSTILE[0], account_number: HOSTILE[8], account_name: HOSTILE[9] });
  await server.call('/operator/api/catalog/propose', { kind: 'network', id: '9998', values: bank, reason: HOSTILE[1] ?? '' }, market);
  const article = { c_id: '4', lang: 'en', title: HOSTILE[2] ?? '', content: `<p>${HOSTILE.join('</p><p>')}</p>`, sorts: '0', publish_ms: '0' };
  const { id: written } = await server.call<{ id: number }>('/operator/api/news/save', article, support);

  const desk = await Console.open(browser, server);
  const dialogs: string[] = [];
  desk.page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const foreign: string[] = [];
  desk.page.on('request', (request) => {
    if (!request.url().startsWith(server.url) && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
  });
  await desk.page.addInitScript(() => {
    const seen: string[] = ((window as Watched).violations = []);
    addEventListener('securitypolicyviolation', (event) => seen.push(`${event.violatedDirective} ${event.blockedURI}`));
  });
  await desk.page.reload();
  for (const role of ROLES) {
    await desk.enter(role, 'zed');
    await desk.go('me');
    if (role !== 'admin') await desk.button('Log out').click();
  }
  const links = desk.page.getByRole('navigation', { name: 'Areas' }).getByRole('link');
  for (const place of await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))) {
    await desk.go(place.slice(2));
    await expect(desk.page.locator('main h1')).toBeAttached();
    await expect(desk.page.locator('[aria-busy="true"]')).toHaveCount(0);
    await untouched(desk.page, place);
  }

  // The members' cases show what they wrote, letter by letter.
  const reader = await operator(server, 'support', 'zed');
  for (const [kind, count] of Object.entries(SHOWN)) {
    const { data } = await server.read<{ data: { id: number; user_id: number }[] }>('/operator/api/queue', { kind, status: 'all', limit: '100' }, reader);
    const rows = data.filter((row) => members.some(({ id }) => id === row.user_id));
    expect(rows.length, kind).toBe(count === EACH ? members.length + (kind === 'identity' ? 1 : 0) : 1);
    for (const row of rows) {
      const { texts } = members.find(({ id }) => id === row.user_id) ?? { texts: [] };
      await desk.look(kind, row.id);
      const opened = desk.page.getByRole('region', { name: /details$/ });
      await expect(opened.getByRole('heading', { name: /All that is decided/ })).toBeVisible();
      for (const text of texts.slice(0, count)) await expect(opened, `${kind} ${row.id}`).toContainText(text);
      await untouched(desk.page, `${kind} ${row.id}`);
    }
  }
  await desk.go(`news/${written}`);
  await expect(desk.page.getByLabel('Title')).toHaveValue(HOSTILE[2] ?? '');
  await expect(desk.page.getByRole('heading', { name: HOSTILE[2] ?? '' })).toBeVisible();
  await untouched(desk.page, 'an article and its preview');
  await desk.openNewest();
  await expect(desk.dialog).toBeVisible();
  await untouched(desk.page, 'a proposal');
  await desk.page.keyboard.press('Escape');
  await desk.go(`users/${members[0]?.id}`);
  await desk.page.getByLabel('Why you look').fill(HOSTILE[3] ?? '');
  await desk.button(/^Show user/).click();
  await expect(desk.page.getByRole('heading', { name: /^User \d+/ })).toBeVisible();
  await expect(desk.page.locator('[aria-busy="true"]')).toHaveCount(0);
  await untouched(desk.page, 'a user');
  await desk.go('audit');
  await expect(desk.page.getByText(HOSTILE[3] ?? '').first()).toBeVisible();
  await untouched(desk.page, 'the audit log');
  expect(dialogs).toEqual([]);
  expect(foreign).toEqual([]);
  await desk.close();
});
