import { calls } from '../support/calls.ts';
import { test } from '../support/life.ts';
import { ROUTES } from '../support/routes.ts';
import { expect } from '../support/test.ts';

// Free workers take the tests one by one. Each visits all pages, which takes long beside other work.
test.describe.configure({ mode: 'parallel', timeout: 600_000 });

/** The table of routes of the product's specification, by folder. */
const TABLE: Readonly<Record<string, string>> = {
  index: 'index jied orderlist notice/notice',
  notice: 'index',
  trade: 'index kline',
  option: 'detail',
  lever: 'index',
  finance: 'index buyPage ordersPage rulePage',
  publication: 'index details purchase',
  assets: 'index tradeAccount flashpair transfer/index transfer/record deposit/index deposit/charge withdraw/index withdraw/detail withdraw/bank/bank record',
  'user/login': 'login register choose forgetPassword',
  'user/address': 'address create index',
  settings: 'index language/language account/index account/edit security/index security/changePassword security/changePayPassword',
  verification: 'index basic advanced history',
  bankbind: 'index addbank',
  promotion: 'index',
  'help/center': 'center chat detail',
  template: 'index',
};
const OF_SPECIFICATION = [...Object.entries(TABLE).flatMap(([folder, names]) => names.split(' ').map((name) => `${folder}/${name}`)), 'help-center', '/choose-location', '/open-location'];

/** The calls of its section 7. */
const CALLS = `
POST set/lang get/lang set/get_customer_url set/sms_other_mail
GET wallet/flashAgainstList
POST wallet/flashAgainst
GET user/bossconfig user/bossorder user/bosslist
POST user/cash_info user/cash_save
POST area_code sms_mail sms_send user/register user/login user/edit_email user/check_mobile user/check_email user/forget user/e_pwd user/has_password safe/update_password
GET user/center user/center2
POST user/real_name user/real_name2
GET charge_mention/verification_log
GET currency/quotation_new currency/new_timeshar currency/deal currency/user_currency_list
POST news/list news/detail
POST wallet/detail wallet/list wallet/legal_log wallet/change wallet/get_in_address wallet/charge_req wallet/get_info wallet/get_address wallet/out wallet/addaddress wallet/deladdress
GET wallet/hzhistory
POST coin/trade
PUT coin/trade
GET coin/list
GET microtrade/lists microtrade/seconds microtrade/payable_currencies
POST microtrade/submit
GET lh/deposit/report lh/deposit/config lh/deposit/product_info lh/deposit/order
POST lh/deposit lh/deposit/order/cancel
GET user/my_poster user/my_share user/invite
POST user/invite_list user/my_invite_list user/my_account_return
GET charge_mention/log2 charge_mention/log3
POST lever/deal lever/submit lever/my_trade lever/close lever/setstop
GET lh/send/config lh/send/product_info lh/send/order_list lh/send/get_recommend
POST lh/send/order
`;

test('the table of the specification and its calls are read, and every route of it is there', () => {
  expect(OF_SPECIFICATION).toHaveLength(55);
  const paths = ROUTES.map(({ path }) => path);
  expect(OF_SPECIFICATION.filter((path) => !paths.includes(path))).toEqual([]);
});

const CALL_LIST = CALLS.trim()
  .split('\n')
  .flatMap((line) => line.split(' ').slice(1).map((path) => `${line.split(' ')[0]} ${path}`));

test('every call of the specification does what it is asked for, asks who calls, and meets nothing at all without a fault', async ({ app, server, life }) => {
  expect(CALL_LIST).toHaveLength(77);
  await app.pin('BTC/USDT', '100000');
  const table = calls(app, life.member);
  expect(table.map(({ call }) => call).toSorted()).toEqual(CALL_LIST.toSorted());
  const answers: Record<string, unknown> = {};
  const told = (call: string, place: string) => {
    const found = place.split('.').reduce<unknown>((at, part) => (at as Record<string, unknown> | undefined)?.[part], answers[call]);
    if (found === undefined) throw new Error(`${call} told no ${place}`);
    return String(found);
  };
  for (const { call, by, mark, send = {}, message, data } of table) {
    const token = by === 'member' ? life.member.token : by === 'newcomer' ? told('POST user/login', 'message') : '';
    if (by) expect((await server.ask(call, {})).type, `${call} of nobody`).toBe('999');
    const answer = await server.ask(call, typeof send === 'function' ? await send(told) : send, { authorization: token, 'language-mark': mark?.(told) ?? 'en' });
    expect(answer, call).toMatchObject({ type: 'ok', message, ...(data === undefined ? {} : { data }) });
    answers[call] = answer;
  }
  for (const call of CALL_LIST) {
    const { type, data } = await server.ask(call, {}, { authorization: life.member.token });
    expect(['E_PATH', 'E_METHOD', 'E_INTERNAL'], `${call}: ${type}`).not.toContain((data as { error?: string } | undefined)?.error);
  }
  await app.release('BTC/USDT');
});

/** Two pages with two names in the specification: the one that links use, and the other. */
const OTHER_NAMES = { 'notice/index': 'index/notice/notice', 'help-center': 'help/center/center' } as const;
/** Paths without a link: the platform opens them, or they have no purpose. */
const UNLINKED = ['template/index', '/choose-location', '/open-location'];
/** Its row is on the page of security if a server asks for codes: `withdraw-code.spec.ts` taps from home to it. */
const OF_CODES = 'settings/security/withdrawCode';
/** Buttons that lead on, in order: to another page, or to a sheet with links. */
const BUTTONS: Readonly<Record<string, readonly string[]>> = {
  'index/index': ['menu.open', 'menu.open ui.logIn', 'menu.open ui.createAccount'],
  'finance/index': ['explain.newCoins', 'menu.loans'],
  'trade/index': ['account.lever'],
  'publication/details': ['coins.subscribe'],
  'assets/withdraw/index': ['withdraw.toBank'],
};
/** A page that leads elsewhere for a new member. */
const NEW = ['verification/index'];

test('every page is reached by touch, from home on', async ({ app, server, life }) => {
  const { page } = app;
  const reached = new Set<string>();
  const split = (place: string): [string, string] => [place.replace(/^\/pages\/|\?.*/g, ''), place.split('?')[1] ?? ''];
  const here = () => page.evaluate(() => location.hash.slice(1));
  const shown = async () => `${await here()} ${await app.sheet.isVisible()}`;
  const links = () => page.locator('a[href*="#/"]').filter({ visible: true }).evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).hash.slice(1)));
  /** Follows links and buttons from home: once to each page, or for each of its queries to those of guests. */
  const explore = async (again: readonly string[]) => {
    const seen = new Set<string>();
    const next = ['/pages/index/index'];
    for (let place = next.shift(); place !== undefined; place = next.shift()) {
      const [path, query] = split(place);
      const toLogin = path.startsWith('user/login/');
      const name = toLogin ? place : path;
      if (seen.has(name) || (reached.has(path) && !toLogin && path !== 'index/index' && !again.includes(path))) continue;
      seen.add(name);
      reached.add(path);
      await app.open(path, query);
      next.push(...(await links()));
      for (const keys of BUTTONS[path] ?? []) {
        for (const key of keys.split(' ')) {
          await app.settled();
          const top = (await app.sheet.isVisible()) ? app.sheet : page;
          const button = top.getByRole('button', { name: app.t(key), exact: true }).filter({ visible: true }).first();
          if (!(await button.isVisible())) break;
          const before = await shown();
          // The app opens log-in only now and then, and ignores a tap right after another.
          await expect(async () => {
            if ((await shown()) === before) await button.click({ timeout: 5_000 });
            await expect.poll(shown, { timeout: 2_000 }).not.toBe(before);
          }).toPass();
        }
        next.push(await here(), ...(await links()));
        if (await app.sheet.isVisible()) await app.dismiss();
        if ((await here()) !== place) await app.open(path, query);
      }
    }
  };
  await app.signIn(life.member);
  await explore([]);
  await app.signIn(await app.member());
  await explore(NEW);
  await page.goto(`${server.url}/readyz`);
  await page.evaluate(() => localStorage.removeItem('meridian.session'));
  await explore([]);
  const paths = ROUTES.map(({ path }) => path);
  expect(paths.filter((path) => !reached.has(path)).toSorted()).toEqual([...Object.values(OTHER_NAMES), ...UNLINKED, OF_CODES].toSorted());
  // No link leads to an address without a page.
  expect([...reached].filter((path) => !paths.includes(path))).toEqual([]);
  for (const names of Object.entries(OTHER_NAMES)) {
    const both: unknown[] = [];
    for (const name of names) {
      await app.open(name);
      both.push([await page.locator('#root main').filter({ visible: true }).innerText(), (await links()).toSorted()]);
    }
    expect(both[1], names.join(' and ')).toEqual(both[0]);
  }
  await app.open('template/index');
  await app.link('app.goHome').click();
  await expect.poll(here).toBe('/pages/index/index');
  for (const path of UNLINKED.slice(1)) {
    await app.open(path);
    await page.getByRole('main').getByRole('button', { name: app.t('ui.back'), exact: true }).filter({ visible: true }).click();
    await expect.poll(here).toBe('/pages/index/index');
  }
});
