import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';

// Free workers take the tests one by one.
test.describe.configure({ mode: 'parallel' });

/** Every list: its page, the call behind it, its texts for a failure and for an empty list, and the tab that it is under. */
const LISTS: readonly { path: string; query?: string; call: string; failed: string; empty?: string; choose?: string }[] = [
  { path: 'assets/index', call: 'wallet/list', failed: 'assets.error', empty: 'assets.emptyTitle' },
  { path: 'assets/tradeAccount', call: 'wallet/legal_log', failed: 'assets.logError', empty: 'assets.logEmpty' },
  { path: 'assets/transfer/record', call: 'wallet/hzhistory', failed: 'transfer.recordError', empty: 'transfer.none' },
  { path: 'assets/record', call: 'charge_mention/log2', failed: 'records.error', empty: 'records.noDeposits' },
  { path: 'user/address/address', call: 'wallet/get_address', failed: 'addresses.error', empty: 'addresses.empty' },
  { path: 'bankbind/index', call: 'user/cash_list', failed: 'cards.error', empty: 'cards.empty' },
  { path: 'verification/history', call: 'charge_mention/verification_log', failed: 'identity.historyError', empty: 'identity.noAttempts' },
  { path: 'finance/ordersPage', call: 'lh/deposit/order', failed: 'plans.error', empty: 'plans.mineText' },
  { path: 'publication/index', query: 'tab=mine', call: 'lh/send/order_list', failed: 'coins.mineError', empty: 'coins.mineText' },
  { path: 'index/jied', call: 'user/bosslist', failed: 'loans.error', empty: 'loans.none' },
  { path: 'assets/flashpair', call: 'wallet/flash_history', failed: 'convert.error', empty: 'convert.none' },
  { path: 'promotion/index', call: 'user/my_account_return', failed: 'invite.rebatesError', empty: 'invite.rebatesEmpty', choose: 'invite.rebates' },
  { path: 'index/orderlist', call: 'coin/list', failed: 'orders.errorTitle', empty: 'orders.none' },
  { path: 'trade/index', call: 'currency/quotation_new', failed: 'home.errorTitle' },
  { path: 'index/notice/notice', call: 'news/list', failed: 'notices.error' },
  { path: 'help-center', call: 'news/list', failed: 'help.error' },
];

/** Holds back the answers to a call; the returned function releases them. */
async function hold(page: Page, call: string): Promise<() => void> {
  let open = () => {};
  const gate = new Promise<void>((done) => (open = done));
  await page.route(`**/api/${call}**`, async (route) => {
    await gate;
    await route.fallback();
  });
  return open;
}

for (const { path, query, call, failed, empty, choose } of LISTS) {
  test(`${path} waits with placeholders, says what failed, and can be tried again`, async ({ app }) => {
    const { page } = app;
    await app.signIn(await app.member());
    await app.open(path, query);
    const release = await hold(page, call);
    // The app is reloaded, so that nothing is known yet.
    const load = async () => {
      await page.reload();
      if (choose) await app.button(choose).click();
    };
    await load();
    const skeleton = page.locator('[aria-busy="true"]').filter({ visible: true });
    await expect(skeleton.first()).toBeVisible();
    await expect(skeleton.locator('[aria-hidden="true"]').first()).toBeVisible();
    await app.accessible(`${path} while it loads`);
    release();
    await expect(skeleton).toHaveCount(0);
    if (empty) {
      await expect(app.text(empty)).toBeVisible();
      await app.accessible(`${path} with nothing in it`);
    }

    const pattern = `**/api/${call}**`;
    let fails = true;
    await page.route(pattern, (route) =>
      fails ? route.fulfill({ json: { type: 'error', code: 0, message: 'no', data: { error: 'E_INTERNAL' } } }) : route.fallback(),
    );
    await load();
    await expect(app.text(failed)).toBeVisible();
    await app.accessible(`${path} that failed`);
    const again = app.button('ui.tryAgain').filter({ visible: true }).first();
    const asked = page.waitForRequest(pattern);
    await again.click();
    await asked;
    fails = false;
    // A page whose socket connects late reads again by itself, perhaps before the test asks for it.
    await expect(async () => {
      if (await again.isVisible()) await again.click({ timeout: 1_000 });
      await expect(page.getByText(app.t(failed)).filter({ visible: true })).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
    await app.settled();
  });
}

test.afterEach(({ app }) => app.release('BTC/USDT'));

test('a price that stops is told, blocks a new order, and never a cancel', async ({ app, server }) => {
  const { page } = app;
  const member = await app.member();
  await app.fund(member, 'USDC', '5000');
  await app.fund(member, 'USDT', '5000');
  await app.pin('BTC/USDT', '60000');
  await server.call('coin/trade', { legal_id: '3', currency_id: '1', type: '1', order_type: 'limit', target_price: '59000', amount: '0.01' }, member.token);
  await app.signIn(member);
  await app.open('trade/kline', 'symbol=BTC/USDT');
  await app.settled();
  await app.field('trade.price').fill('59500');
  await app.field('trade.amount').fill('0.01');
  await expect(app.button('trade.reviewBuy')).toBeVisible();
  await server.call('/sandbox/price', { symbol: 'BTC/USDT', halt: '1' });
  await expect(app.button('trade.reason.stale')).toBeVisible();
  await expect(page.getByRole('region', { name: app.t('trade.priceOf', { symbol: 'BTC/USDT' }) })).toContainText(/\d+ s old|not live/);
  await app.accessible('a chart with a price that stopped');
  const open = page.getByRole('region', { name: app.t('orders.open') });
  await open.getByRole('button', { name: app.t('orders.open') }).click();
  await open.getByRole('button', { name: /^Cancel order/ }).click();
  await expect(app.text('orders.noneOpen')).toBeVisible();
  await app.release('BTC/USDT');
  await expect(app.button('trade.reason.stale')).toHaveCount(0);
});

test('an order that the server refuses says why, and keeps the form', async ({ app }) => {
  const { page } = app;
  const member = await app.member();
  await app.fund(member, 'USDT', '100');
  await app.pin('BTC/USDT', '60000');
  await app.signIn(member);
  await app.open('trade/kline', 'symbol=BTC/USDT');
  await app.settled();
  await app.field('trade.price').fill('59000');
  await app.field('trade.amount').fill('0.01');
  await expect(page.getByRole('button', { name: /^Not enough USDT/ })).toBeVisible();
  await expect(app.link('trade.paperMoney')).toBeVisible();
  await app.accessible('an order over the balance');
  await app.field('trade.price').fill('20000');
  await expect(page.getByRole('button', { name: /Too far from the market/ })).toBeVisible();
  await app.field('trade.price').fill('59000');
  await app.field('trade.amount').fill('0.001');
  await page.route('**/api/coin/trade', (route) => route.fulfill({ json: { type: 'error', code: 0, message: 'no', data: { error: 'E_PRICE_STALE' } } }));
  await app.button('trade.reviewBuy').click();
  await app.sheet.getByRole('button', { name: /0\.0010/ }).click();
  await expect(app.sheet.getByRole('alert')).toContainText(app.t('errors.E_PRICE_STALE'));
  await app.accessible('a refused order');
  await app.button('trade.edit').click();
  await expect(app.field('trade.amount')).toHaveValue(/^0\.0010?$/);
  await page.unroute('**/api/coin/trade');
  await app.release('BTC/USDT');
});
