import { expect } from '@playwright/test';
import type { App, Member } from './app.ts';
import { advance } from './clock.ts';
import { ready } from './desk.ts';
import type { Server } from './server.ts';
import { worstAbove } from './worst.ts';

export interface OptionOrder {
  id: number;
  type: number;
  number: string;
  status: number;
  result: string;
  fact_profits: string | null;
  open_price: string;
  delivery_time_ms: number;
}

export const SYMBOL = 'BTC/USDT';
/** A stake of 10 USDT in each direction, with its fee. */
export const COST = { up: { direction: 'Up', amount: '10.05\u00a0USDT' }, even: { direction: 'Even', amount: '10.05\u00a0USDT' }, down: { direction: 'Down', amount: '10.05\u00a0USDT' } };

export const options = async (server: Server, member: Member) => (await server.read<{ data: OptionOrder[] }>('microtrade/lists', {}, member.token)).data;
export const free = async (server: Server, member: Member): Promise<string> => {
  const coins = await server.read<{ name: string; user_wallet: { micro_balance: string } }[]>('microtrade/payable_currencies', {}, member.token);
  return coins.find(({ name }) => name === 'USDT')?.user_wallet.micro_balance ?? '';
};

/** A verified member with money for options, who has read the risk text on this device. */
export async function buyer(app: App, server: Server, amount = '500'): Promise<Member> {
  const member = await ready(app, server);
  await app.fund(member, 'USDT', amount, 'micro');
  await app.signIn(member);
  await read(app, server, member);
  return member;
}

/** Marks the risk text as read, as the app itself does. */
export async function read(app: App, server: Server, member: Member): Promise<void> {
  const { id } = await server.read<{ id: number }>('user/center', {}, member.token);
  await app.page.evaluate((mark) => localStorage.setItem('meridian.firstUse', JSON.stringify({ seen: [mark] })), `${id} option 1`);
  await app.reload();
}

/** A direction of the dock, which also shows its payout. */
export const dock = (app: App, key: string) => app.page.locator('footer').filter({ visible: true }).getByRole('button', { name: new RegExp(`^${app.t(key)}`) });

/** The chip of one minute, and that of five, for an option that must not end during a check. */
const MINUTE = /^60/;
export const LONG = /^5 min/;

/** Opens the tab and its sheet in a direction, and types a stake for a minute. */
export async function form(app: App, key: string, stake: string, length = MINUTE): Promise<void> {
  await app.open('option/detail');
  await dock(app, key).click();
  await app.sheet.getByRole('button', { name: length }).click();
  await app.field('options.stake').fill(stake);
}

/** The review of an option of 60 seconds, or of another duration. */
export async function check(app: App, key: string, stake: string, length = MINUTE): Promise<void> {
  await form(app, key, stake, length);
  // The whole cost is visible without scrolling.
  await expect(app.sheet.locator('dl > div').filter({ hasText: app.t('options.payNow') })).toBeInViewport({ ratio: 1 });
  await app.button('options.review', { direction: app.t(key) }).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.check') })).toBeVisible();
}

/** Keeps the price until it is delivered, a moment from now. */
export async function deliver(app: App, server: Server, price: string): Promise<void> {
  await app.pin('BTC/USDT', price);
  await advance(server, 56_000);
}

/** Buys a one-minute option for 10 USDT on the screen, or one of another duration. */
export async function buy(app: App, key: 'up' | 'even' | 'down', length = MINUTE): Promise<void> {
  await check(app, `options.${key}`, '10', length);
  const commit = app.button('options.buy', COST[key]);
  // In either direction, stake and fee are the most that can be lost.
  await worstAbove(app, `\u2212${COST[key].amount}`, commit);
  await commit.click();
  await expect(app.sheet.getByRole('heading', { name: app.t('options.receipt') })).toBeVisible();
  await app.button('ui.done').click();
  await expect(app.sheet).toHaveCount(0);
}

/** Lets a minute pass, twice: the first settles what was bought, and in the second a head is signed that covers the samples after it. */
export async function settle(server: Server, member: Member): Promise<void> {
  await advance(server, 60_001);
  await expect.poll(async () => (await options(server, member))[0]?.result, { timeout: 60_000 }).not.toBe('open');
  const [order] = await options(server, member);
  const receipt = () => server.read<{ next_sample: unknown; proof: unknown }>('microtrade/receipt', { id: String(order?.id) }, member.token);
  await expect.poll(async () => (await receipt()).next_sample !== null).toBe(true);
  await advance(server, 60_001);
  await expect.poll(async () => (await receipt()).proof !== null, { timeout: 90_000 }).toBe(true);
}
