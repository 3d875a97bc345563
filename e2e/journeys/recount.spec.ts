import { expect, type Route } from '@playwright/test';
import { nextDay, now, until } from '../support/clock.ts';
import { test } from '../support/wealth.ts';

const DAY = 86_400_000;

interface Parts {
  message: Record<string, string>[];
}
/** Answers a call as the server does, except for one field of the first part. */
const altered = (name: string, value: string) => async (route: Route) => {
  const response = await route.fetch();
  const json = (await response.json()) as Parts;
  const [first, ...rest] = json.message;
  if (first) json.message = [{ ...first, [name]: value }, ...rest];
  await route.fulfill({ response, json });
};

test('public figures are added up on the phone, and one changed part is noticed', async ({ app }) => {
  const { page, server } = app;
  const main = page.locator('main').filter({ visible: true });
  /** Once the last count has ended, which takes a while on a slow processor. */
  const run = async (key: string) => {
    await expect(main.locator('button[aria-busy="true"]')).toHaveCount(0, { timeout: 120_000 });
    await app.button(key).last().click();
  };
  const verdicts = (state: string) => main.getByText(app.t(`proof.states.${state}`), { exact: true });

  // All of it is bought on one day.
  await nextDay(server);
  // Nothing was promised and the list is empty; that is verified as well.
  await app.open('settings/proof');
  await run('proof.recount.run');
  await expect(app.text('proof.recount.plansNone')).toBeVisible();
  await expect(app.text('proof.recount.boardNone')).toBeVisible();
  await expect(app.text('proof.recount.coinsNone')).toBeVisible();

  await app.pin('BTC/USDT', '100000');
  const [ada, seller] = [await app.member(), await app.member()];
  const { extension_code } = await server.read<{ extension_code: string }>('user/invite', {}, ada.token);
  const email = `bob.${Date.now()}@example.org`;
  const password = 'a long pass word';
  await server.call('sms_mail', { user_string: email, type: 'register' });
  await server.call('user/register', { type: 'email', user_string: email, code: await server.code(email), password, re_password: password, agree: '1', extension_code });
  const bob = { email, password, token: await server.call<string>('user/login', { user_string: email, password }) };
  await app.fund(bob, 'USDT', '1000', 'trust');
  await app.fund(bob, 'USDT', '1000');
  await app.fund(seller, 'BTC', '0.01');
  for (const amount of ['500', '123.456789']) await server.call('lh/deposit', { config_id: '2', amount, agree: '1' }, bob.token);
  await app.fund(bob, 'USDT', '20');
  await server.call('lh/send/order', { config_id: '1', amount: '20' }, bob.token);
  const order = { currency_id: '1', legal_id: '3', target_price: '100000', amount: '0.01', order_type: 'limit' };
  await server.call('coin/trade', { ...order, type: '2' }, seller.token);
  await server.call('coin/trade', { ...order, type: '1' }, bob.token);
  const midnight = (Math.floor((await now(server)) / DAY) + 1) * DAY;
  // A sample is taken before the day ends, and its price counts.
  await until(server, midnight - 60_000);
  const samples = () => server.read<unknown[]>('market/index', { symbol: 'BTC/USDT', from_ms: String(midnight - 60_000), to_ms: String(midnight) });
  await expect.poll(async () => (await samples()).length).toBeGreaterThan(0);
  await until(server, midnight + 61_000);

  // Once the log is signed again, both purchases are found in it.
  await expect(async () => {
    await run('proof.again');
    await expect(main.getByText(app.t('proof.recount.plansGood', { count: 2 }))).toBeVisible({ timeout: 5_000 });
    await expect(main.getByText(app.t('proof.recount.lookedUp', { count: 2 }))).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 120_000 });
  await expect(main.getByText(app.t('proof.recount.boardGood', { count: 1, places: 1 }).replace('1 days', '1 day'))).toBeVisible();
  await expect(main.getByText(`${app.t('proof.recount.coinsGood', { count: 1 })} ${app.t('proof.recount.lookedUp', { count: 1 })}`)).toBeVisible();
  // One minute with one trade, and its order.
  await expect(main.getByText(`${app.t('proof.recount.figuresGood', { count: 6, parts: 1 })} ${app.t('proof.recount.lookedUp', { count: 1 })}`)).toBeVisible();
  // All house accounts, with the entries that last changed them.
  await expect(main.getByText(app.t('proof.recount.lookedUp', { count: 5 }))).toBeVisible();
  // 500 and 123.456789 at 0.4 % for 15 days, each rounded down once.
  await expect(main.getByText('37.407407\u00a0USDT', { exact: true })).toBeVisible();
  await main.getByRole('heading', { name: app.t('proof.recount.title') }).scrollIntoViewIfNeeded();
  await app.sound('figures that were added up');
  await app.picture('proof-recount');

  for (const [call, name, value, reason] of [
    ['public/movements', 'received', '5.000001', 'sum'],
    ['public/promises', 'interest', '31.000000', 'part'],
    ['public/promises', 'plan_id', '3', 'purchase'],
    ['public/commitments', 'amount', '20.000001', 'part'],
    ['lh/send/config', 'committed_value', '21.000000', 'sum'],
    ['public/volumes', 'quote_volume', '1000.000001', 'sum'],
    ['market/trades', 'price', '100000.1', 'sum'],
    ['public/rebates', 'usdt', '0.300000', 'sum'],
    ['public/stats', 'value', '5.000000', 'sum'],
  ] as const) {
    await page.route(`**/api/${call}*`, altered(name, value));
    await run('proof.again');
    await expect(verdicts('bad')).toHaveCount(1);
    await expect(app.text(`proof.reasons.${reason}`)).toBeVisible();
    await page.unrouteAll();
  }
  await app.accessible('a figure that does not add up');
});
