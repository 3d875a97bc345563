import { expect } from '@playwright/test';
import { App, type Member } from '../support/app.ts';
import { until } from '../support/clock.ts';
import { approve, ready } from '../support/desk.ts';
import type { Server } from '../support/server.ts';
import { days, followMessage, free, hostings, type Offering, readRisks, test, weeks } from '../support/wealth.ts';

const USDT = '\u00a0USDT';
const DAY = 86_400_000;

interface Loan {
  id: number;
  status: number;
  reason: string | null;
  debt: string;
  paid: string;
  collateral: string;
}
const loans = async (server: Server, member: Member) => (await server.read<{ data: Loan[] }>('user/bosslist', {}, member.token)).data;
const payments = async (server: Server, member: Member) => (await server.read<{ order_list: { amount: string }[] }>('lh/send/order_list', {}, member.token)).order_list;
const conversions = async (server: Server, member: Member) => (await server.read<{ data: unknown[] }>('wallet/flash_history', {}, member.token)).data;

/** A verified member with money in Plans, USDT and bitcoin in Spot, who read the risk texts on this device. */
async function rich(app: App): Promise<Member> {
  const member = await ready(app, app.server);
  await app.fund(member, 'USDT', '1000', 'trust');
  await app.fund(member, 'BTC', '0.05');
  return member;
}

/** Each screen up to its review, its field, and the button that would send it. */
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
      // Another member logs in, in another tab of the same browser: this tab becomes theirs too.
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
    /** Seven days from now: midnight may pass during the test. */
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
    // Changed by the clock alone, without any input.
    await expect(app.sheet.getByText(app.t('review.changed'))).toBeVisible();
    await expect(app.sheet.getByRole('button', { name: app.t('review.first'), exact: true })).toBeVisible();
    await app.button('review.show').click();
    await expect(app.sheet.getByRole('button', { name: app.t('loans.repayAll', { amount: `600.60${USDT}` }), exact: true })).toBeVisible();
    await app.sheet.getByRole('textbox').fill('600.3');
    await app.sheet.getByRole('button', { name: app.t('loans.repayPart', { amount: `600.30${USDT}` }), exact: true }).click();
    await expect(app.sheet.getByText(app.t('loans.repaid', { amount: `600.30${USDT}` }), { exact: true })).toBeVisible();
    await app.button('ui.done').click();
    expect((await loans(server, ann))[0]).toMatchObject({ status: 2, debt: '0.300000', paid: '600.300000' });
  });

  await test.step('a loan ends under more collateral', async () => {
    await app.page.getByRole('button', { name: app.t('loans.add'), exact: true }).first().click();
    await app.sheet.getByRole('textbox').fill('0.01');
    await expect(app.sheet.getByRole('button', { name: app.t('loans.addSubmit', { amount: '0.0100\u00a0BTC' }), exact: true })).toBeVisible();
    // On the due date the debt is taken from Spot.
    await weeks(server, ann, 7);
    await expect(app.sheet.getByRole('alert')).toContainText(app.t('review.gone'));
    await expect(app.sheet.getByRole('button', { name: app.t('loans.addSubmit', { amount: '0.0100\u00a0BTC' }), exact: true })).toHaveCount(0);
    await app.sound('more collateral for a loan that has ended');
    expect((await loans(server, ann))[0]).toMatchObject({ status: 3, reason: 'AUTO_DEBIT' });
    expect(await free(server, ann, 'change', 'BTC')).toBe('0.05000000');
    await app.dismiss();
  });

  await test.step('the messages about its due date lead to the loan', async () => {
    const [loan] = await loans(server, ann);
    // 0.30 of it was left, and costs 0.05 % for each of five more days; the first message comes as the last of them begins.
    for (const [title, text] of [
      ['Loan due soon', 'due within 24 hours. You owe 0.30075 USDT.'],
      ['Loan repaid automatically', '0.30075 USDT was taken from your spot account.'],
    ] as const) {
      await followMessage(app, title, text);
      await expect(app.page).toHaveURL(new RegExp(`index/jied\\?id=${loan?.id}$`));
      await expect(app.sheet.getByText(app.t('loans.reason.AUTO_DEBIT'), { exact: true })).toBeVisible();
      // It was opened by its address, so it has no history entry of its own.
      await app.page.keyboard.press('Escape');
      await expect(app.sheet).toHaveCount(0);
    }
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
