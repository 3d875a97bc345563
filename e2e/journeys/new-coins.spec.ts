import { expect } from '@playwright/test';
import { operator } from '../support/desk.ts';
import { free, test, understand, until, weeks } from '../support/wealth.ts';

const USDT = '\u00a0USDT';

interface Offering {
  id: number;
  new_currency_name: string;
  state: string;
  send_end_ms: number;
  online_time_ms: number;
  release: { day: number }[];
}

test('new coins: from the popup through commitment, allocation and launch to the first trade and the release', async ({ app }) => {
  const { server } = app;
  const [nova] = await server.read<Offering[]>('lh/send/config');
  if (!nova) throw new Error('the sandbox offers no coin');
  const member = await app.member();
  await app.fund(member, 'USDT', '1000');
  await app.signIn(member);

  // The popup of the home page leads to the coin, once.
  await expect(app.sheet).toBeVisible();
  await app.sound('the popup of a new coin');
  await app.button('coins.details').click();
  await expect(app.text('coins.share.title')).toBeVisible();
  await app.sound('a new coin');
  await app.picture('subscription');
  await app.button('coins.subscribe').click();

  await app.field('coins.amount').fill('9.999999');
  await expect(app.button('plans.min', { amount: `10.00${USDT}` })).toBeVisible();
  await app.field('coins.amount').fill('100');
  await expect(app.page.getByText('200\u00a0NOVA').first()).toBeVisible();
  await expect(app.button('trade.tickFirst')).toBeVisible();
  await app.page.getByRole('checkbox').check({ force: true });
  await app.sound('a subscription');
  await app.button('plans.review', { amount: `100.00${USDT}` }).click();
  await understand(app);
  await app.sound('the review of a subscription');
  await app.button('coins.commit', { amount: `100.00${USDT}` }).click();
  await expect(app.text('coins.done', { amount: `100.00${USDT}` })).toBeVisible();
  await app.sound('the receipt of a subscription');
  expect(await free(server, member, 'change', 'USDT')).toBe('900.000000');

  await app.page.getByRole('link', { name: app.t('coins.tab.mine') }).click();
  await expect(app.page.getByRole('main').getByText(app.t('coins.mine.review')).filter({ visible: true }).first()).toBeVisible();
  await app.sound('subscriptions');

  // At the close everybody gets what they paid for: less was wanted than there is.
  await until(server, nova.send_end_ms);
  await app.reload();
  await app.page.getByRole('button', { name: /NOVA/ }).click();
  await expect(app.sheet.getByText(app.t('coins.about.passed'))).toBeVisible();
  await expect(app.sheet.getByText('200\u00a0NOVA').first()).toBeVisible();
  await app.dismiss();

  const [mia, max] = [await operator(server, 'market', 'mia'), await operator(server, 'market', 'max')];
  await until(server, nova.online_time_ms);
  const launch = await server.call<{ id: number; hash: string }>('/operator/api/offering/launch', { id: String(nova.id), reason: 'all is ready' }, mia);
  await server.call('/operator/api/proposal/confirm', { id: String(launch.id), hash: launch.hash }, max);
  await app.reload();
  await app.page.getByRole('button', { name: /NOVA/ }).click();
  await expect(app.sheet.getByText(app.t('coins.about.locked'))).toBeVisible();
  await app.sound('a subscription that is locked');
  await app.dismiss();

  // The lock ends at 00:00 UTC by itself; then the coins can be sold.
  const day = 86_400_000;
  const now = (await server.read<{ server_time_ms: number }>('app/config')).server_time_ms;
  await weeks(server, member, (nova.release.at(-1)?.day ?? 0) - 1);
  await until(server, (Math.floor(now / day) + (nova.release.at(-1)?.day ?? 0)) * day);
  await app.reload();
  await app.page.getByRole('button', { name: /NOVA/ }).click();
  await expect(app.sheet.getByText(app.t('coins.about.released'))).toBeVisible();
  expect(await free(server, member, 'change', 'NOVA')).toBe('200.00000000');
  await app.sound('a subscription whose coins are free');
  await app.picture('subscription-released');
  await app.page.getByRole('link', { name: app.t('coins.trade', { code: 'NOVA' }) }).click();
  await expect(app.page).toHaveURL(/trade\/kline/);

  // Its first trade: another member buys what this one sells.
  const buyer = await app.member();
  await app.fund(buyer, 'USDT', '100');
  const config = await server.read<{ markets: { symbol: string; currency_id: number; legal_id: number }[] }>('app/config');
  const pair = config.markets.find(({ symbol }) => symbol === 'NOVA/USDT');
  if (!pair) throw new Error('the coin has no pair');
  const order = { currency_id: String(pair.currency_id), legal_id: String(pair.legal_id), target_price: '0.5', amount: '20', order_type: 'limit' };
  await server.call('coin/trade', { ...order, type: '2' }, member.token);
  await server.call('coin/trade', { ...order, type: '1' }, buyer.token);
  await expect.poll(() => free(server, member, 'change', 'NOVA')).toBe('180.00000000');
});

test('new coins: guests see the coins and log in to subscribe', async ({ app }) => {
  await app.open('publication/index');
  await app.sound('new coins for guests');
  await app.page.getByRole('link', { name: /NOVA/ }).click();
  await app.button('coins.subscribe').click();
  await app.button('ui.logIn').click();
  await expect(app.page).toHaveURL(/user\/login/);
});
