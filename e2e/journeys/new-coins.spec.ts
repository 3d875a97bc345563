import { expect } from '@playwright/test';
import { App, type Member } from '../support/app.ts';
import { approve, operator, ready } from '../support/desk.ts';
import type { Server } from '../support/server.ts';
import { days, free, hostings, type Offering, readRisks, test, understand, until, weeks } from '../support/wealth.ts';

const USDT = '\u00a0USDT';
const DAY = 86_400_000;

/** Nobody has read of the coin on this device. */
const unread = test.extend({ popup: true });

unread('new coins: from the popup through commitment, allocation and launch to the first trade and the release', async ({ app }) => {
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
  // What was paid is still the member's.
  await app.open('assets/index');
  await expect(app.page.getByRole('link', { name: new RegExp(`^${app.t('explain.newCoins')}`) })).toContainText('100.00');
  await expect(app.page.getByRole('main').filter({ visible: true })).toContainText(/1,000\.00\s*USDT/);
  await app.sound('assets with a payment for a new coin');
  await app.open('publication/index', 'tab=mine');

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
  // In Assets it is held by its lock; it has no index price, so none of its prices is old, and it stays in Spot.
  await app.open('assets/index');
  await app.page.getByRole('button', { name: /^NOVA/ }).filter({ visible: true }).click();
  await expect(app.sheet).toContainText(app.t('assets.frozenNewCoins'));
  await expect(app.sheet.getByRole('link', { name: app.t('assets.trade'), exact: true })).toBeVisible();
  for (const key of ['assets.transfer', 'assets.convert']) await expect(app.sheet.getByRole('link', { name: app.t(key), exact: true })).toHaveCount(0);
  await app.sound('a coin that is locked');
  await app.picture('assets-locked');
  await app.dismiss();
  await expect(app.page.getByText(app.t('assets.stale'))).toHaveCount(0);
  await app.open('publication/index', 'tab=mine');

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

interface Loan {
  status: number;
  reason: string | null;
  debt: string;
  paid: string;
  collateral: string;
}
const loans = async (server: Server, member: Member) => (await server.read<{ data: Loan[] }>('user/bosslist', {}, member.token)).data;
const payments = async (server: Server, member: Member) => (await server.read<{ order_list: { amount: string }[] }>('lh/send/order_list', {}, member.token)).order_list;
const conversions = async (server: Server, member: Member) => (await server.read<{ data: unknown[] }>('wallet/flash_history', {}, member.token)).data;

/** A verified member with money in Plans, USDT and bitcoin in Spot, who has read the risk texts on this device. */
async function rich(app: App): Promise<Member> {
  const member = await ready(app, app.server);
  await app.fund(member, 'USDT', '1000', 'trust');
  await app.fund(member, 'BTC', '0.05');
  return member;
}

/** Each screen up to its last look, its field, and the button that would send it. */
const SCREENS = [
  {
    name: 'a plan',
    field: 'plans.amount',
    send: ['plans.lock', `100.00${USDT}`],
    look: async (app: App) => {
      const offered = await app.server.read<{ id: number; currency_name: string; day: number }[]>('lh/deposit/config', { limit: '100' });
      await app.open('finance/buyPage', `id=${offered.find((one) => one.currency_name === 'USDT' && one.day === 15)?.id}`);
      await app.field('plans.amount').fill('100');
      await app.page.getByRole('checkbox').check({ force: true });
      await app.button('plans.review', { amount: `100.00${USDT}` }).click();
    },
  },
  {
    name: 'a loan',
    field: 'loans.amount',
    send: ['loans.submit', `600.00${USDT}`],
    look: async (app: App) => {
      await app.open('index/jied');
      await app.field('loans.amount').fill('600');
      await app.page.locator('#loan-cycles').getByRole('button').first().click();
      await app.page.getByRole('textbox', { name: app.t('loans.collateral'), exact: true }).fill('0.01');
      await app.button('loans.review').click();
    },
  },
  {
    name: 'a conversion',
    field: 'convert.amount',
    send: ['convert.submit', `100.00${USDT}`],
    look: async (app: App) => {
      await app.open('assets/flashpair');
      await app.field('convert.amount').fill('100');
      await app.button('convert.review').click();
    },
  },
  {
    name: 'a new coin',
    field: 'coins.amount',
    send: ['coins.commit', `100.00${USDT}`],
    look: async (app: App) => {
      const [nova] = await app.server.read<Offering[]>('lh/send/config');
      await app.open('publication/purchase', `id=${nova?.id}`);
      await app.field('coins.amount').fill('100');
      await app.page.getByRole('checkbox').check({ force: true });
      await app.button('plans.review', { amount: `100.00${USDT}` }).click();
    },
  },
] as const;

test('wealth: what one account looks at is never sent for another that logs in, nor after its time', async ({ app }) => {
  const { server, page } = app;
  await app.pin('BTC/USDT', '100000');
  const [ann, bob] = [await rich(app), await rich(app)];
  await readRisks(app, [ann, bob]);
  const second = new App(await page.context().newPage(), server);
  for (const { name, field, send, look } of SCREENS) {
    await test.step(`${name} under another account`, async () => {
      await app.signIn(ann);
      await look(app);
      const [key, amount] = send;
      await expect(app.sheet.getByRole('button', { name: app.t(key, { amount }), exact: true })).toBeEnabled();
      // In another tab of the same browser somebody else logs in: this tab is theirs too.
      await second.signIn(bob);
      await expect(app.sheet).toHaveCount(0);
      await expect(app.field(field)).toHaveValue('');
      await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
    });
  }
  for (const member of [ann, bob]) {
    const sent = await Promise.all([hostings(server, member), loans(server, member), conversions(server, member), payments(server, member)]);
    expect(sent.map(({ length }) => length)).toEqual([0, 0, 0, 0]);
  }
  await second.page.close();
  await app.signIn(ann);

  await test.step('a day begins under the check of a loan', async () => {
    await SCREENS[1].look(app);
    const due = (ms: number) => app.sheet.getByText(app.t('loans.repayOn', { date: new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'Europe/Berlin' }).format(ms) }), { exact: true });
    /** Seven days from now: midnight may pass while it is looked at. */
    const inAWeek = () =>
      expect(async () => {
        const { server_time_ms: now } = await server.read<{ server_time_ms: number }>('app/config');
        await expect(due(now + 7 * DAY)).toBeVisible({ timeout: 1_000 });
      }).toPass({ timeout: 60_000 });
    await inAWeek();
    await days(server, 1);
    await inAWeek();
    await app.sheet.getByRole('button', { name: app.t('loans.submit', { amount: `600.00${USDT}` }), exact: true }).click();
    await expect(app.sheet.getByText(app.t('loans.applied'), { exact: true })).toBeVisible();
    await app.button('ui.done').click();
    await approve(server, 'loan', 'treasury', ['ann']);
  });

  await test.step('a day begins under a repayment', async () => {
    await app.page.getByRole('button', { name: app.t('loans.repay'), exact: true }).first().click();
    await app.sheet.getByRole('button', { name: app.t('ui.max'), exact: true }).click();
    await expect(app.sheet.getByRole('button', { name: app.t('loans.repayAll', { amount: `600.30${USDT}` }), exact: true })).toBeVisible();
    await days(server, 1);
    // Told by the clock alone: nobody touches the page.
    await expect(app.sheet.getByRole('button', { name: app.t('loans.repayPart', { amount: `600.30${USDT}` }), exact: true })).toBeVisible();
    await expect(app.sheet.getByText(`600.60${USDT}`, { exact: true })).toBeVisible();
    await app.sheet.getByRole('button', { name: app.t('loans.repayPart', { amount: `600.30${USDT}` }), exact: true }).click();
    await expect(app.sheet.getByText(app.t('loans.repaid', { amount: `600.30${USDT}` }), { exact: true })).toBeVisible();
    await app.button('ui.done').click();
    expect((await loans(server, ann))[0]).toMatchObject({ status: 2, debt: '0.300000', paid: '600.300000' });
  });

  await test.step('a loan ends under more collateral', async () => {
    await app.page.getByRole('button', { name: app.t('loans.add'), exact: true }).first().click();
    await app.sheet.getByRole('textbox').fill('0.01');
    await expect(app.sheet.getByRole('button', { name: app.t('loans.addSubmit', { amount: '0.0100\u00a0BTC' }), exact: true })).toBeVisible();
    // On the due date what is owed is taken from Spot.
    await weeks(server, ann, 7);
    await expect(app.sheet.getByRole('alert')).toContainText(app.t('review.gone'));
    await expect(app.sheet.getByRole('button', { name: app.t('loans.addSubmit', { amount: '0.0100\u00a0BTC' }), exact: true })).toHaveCount(0);
    await app.sound('more collateral for a loan that has ended');
    expect((await loans(server, ann))[0]).toMatchObject({ status: 3, reason: 'AUTO_DEBIT' });
    expect(await free(server, ann, 'change', 'BTC')).toBe('0.05000000');
    await app.dismiss();
  });

  await test.step('the window of a coin closes under its check', async () => {
    const [nova] = await server.read<Offering[]>('lh/send/config');
    await SCREENS[3].look(app);
    await expect(app.sheet.getByRole('button', { name: app.t('coins.commit', { amount: `100.00${USDT}` }), exact: true })).toBeVisible();
    await until(server, nova?.send_end_ms ?? 0);
    await expect(app.sheet.getByRole('button', { name: app.t('coins.closed'), exact: true })).toBeVisible();
    await app.sound('the check of a coin whose sale has closed');
    expect(await payments(server, ann)).toEqual([]);
  });
});
