import type { App } from '../support/app.ts';
import { test, walk } from '../support/life.ts';
import { ROUTES } from '../support/routes.ts';
import { expect } from '../support/test.ts';

// A worker takes one after the other as it comes free. Each goes through all pages, which takes its time beside other work.
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

test('every call of the specification is answered, and none with a fault of the server', async ({ server, life }) => {
  const { member } = life;
  const calls = CALLS.trim()
    .split('\n')
    .flatMap((line) => line.split(' ').slice(1).map((path) => [line.split(' ')[0] ?? '', path] as const));
  expect(calls).toHaveLength(77);
  for (const [method, path] of calls) {
    for (const token of ['', member.token]) {
      const answer = await fetch(`${server.url}/api/${path}`, { method, headers: token ? { authorization: token } : {} });
      const { type, data } = (await answer.json()) as { type: string; data?: { error?: string } };
      expect(['E_PATH', 'E_METHOD', 'E_INTERNAL'], `${method} ${path}`).not.toContain(data?.error);
      expect([200, 401, 429], `${method} ${path}: ${type} ${data?.error}`).toContain(answer.status);
    }
  }
});

/** Pages that nothing links to: other names of a page, and what the platform itself opens (`design` 9.4, 9.45, 9.46). The row of the last one shows with an authenticator, where its own journey taps it. */
const UNLINKED = ['index/notice/notice', 'help/center/center', 'template/index', '/choose-location', '/open-location', 'settings/security/withdrawCode'];

test('every page is reached by touch, from the tabs, the menu and what they show', async ({ app, server, life }) => {
  const { page } = app;
  const reached = new Set<string>();
  const place = () => (/#\/(?:pages\/)?([^?]*)/.exec(page.url())?.[1] ?? '') || 'index/index';
  const gather = async () => {
    const links = await page.locator('a[href*="#/pages/"]').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    for (const link of links) {
      const path = /#\/pages\/([^?]*)/.exec(link)?.[1] ?? '';
      if (path !== place()) reached.add(path);
    }
  };
  const tap = async (path: string, query: string, button: ReturnType<App['button']>) => {
    await app.open(path, query);
    await button.click();
    await expect.poll(place).not.toBe(path);
    reached.add(place());
  };
  await app.open('user/login/choose', 'for=reset');
  await gather();
  await app.signIn(await app.member());
  await app.open('verification/index');
  await gather();
  await page.goto(`${server.url}/readyz`);
  await page.evaluate(() => localStorage.removeItem('meridian.session'));
  await page.goto(`${server.url}/h5/`);
  await walk(app, life, gather);
  await app.open();
  await app.button('menu.open').click();
  await expect(app.sheet).toBeVisible();
  await gather();
  await tap('finance/index', '', app.button('explain.newCoins'));
  await tap('finance/index', '', app.button('menu.loans'));
  await tap('trade/index', '', app.button('account.lever'));
  await tap('publication/details', 'id=1', app.button('coins.subscribe'));
  await tap('assets/withdraw/index', '', app.button('withdraw.toBank'));
  expect(ROUTES.map(({ path }) => path).filter((path) => !reached.has(path) && !UNLINKED.includes(path))).toEqual([]);
});
