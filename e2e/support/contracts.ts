import { expect } from '@playwright/test';
import type { App, Member } from './app.ts';
import { ready } from './desk.ts';
import type { Server } from './server.ts';

export const SYMBOL = 'BTC/USDT';

export interface Position {
  id: number;
  type: number;
  status: number;
  reason: string | null;
  create_time_ms: number;
  complete_time_ms: number | null;
  price: string;
  update_price: string;
  caution_money: string;
  target_profit_price: string;
  stop_loss_price: string;
  returned: string | null;
  fact_profits: string | null;
}

/** All positions of a member, newest first. */
export async function positions(server: Server, member: Member): Promise<Position[]> {
  // A screen may know by an event what is not in the history yet: the wallet's answer gives the newest entry, and this read is as new.
  await server.read('wallet/list', {}, member.token);
  return (await server.call<{ message: { data: Position[] } }>('lever/my_trade', { limit: '100' }, member.token)).message.data;
}

/** The free balance of the contract account. */
export async function free(server: Server, member: Member): Promise<string> {
  const wallet = await server.call<{ lever_wallet: { balance: { currency_name: string; lever_balance: string }[] } }>('wallet/list', {}, member.token);
  return wallet.lever_wallet.balance.find((row) => row.currency_name === 'USDT')?.lever_balance ?? '';
}

/** Marks the risk text as read, as the app itself does. */
export async function readRisk(app: App, server: Server, member: Member): Promise<void> {
  const { id } = await server.read<{ id: number }>('user/center', {}, member.token);
  await app.page.evaluate((mark) => localStorage.setItem('meridian.firstUse', JSON.stringify({ seen: [mark] })), `${id} contract 1`);
  await app.reload();
}

/** A verified member with margin, who has read the risk text on this device, on the page of contracts. */
export async function trader(app: App, server: Server, amount = '1000'): Promise<Member> {
  const member = await ready(app, server);
  await app.fund(member, 'USDT', amount, 'lever');
  await app.signIn(member);
  await readRisk(app, server, member);
  await app.open('lever/index');
  return member;
}

export interface Wanted {
  lots?: string;
  multiple?: string;
  limit?: string;
  stop?: string | null;
  profit?: string | null;
}
export type Side = 'long' | 'short';
const OPEN = { long: 'contracts.openLong', short: 'contracts.openShort' } as const;
const REVIEW = { long: 'contracts.reviewLong', short: 'contracts.reviewShort' } as const;
const SEND = { long: 'contracts.openLongLots', short: 'contracts.openShortLots' } as const;

export const lots = (app: App, count: string) => app.t('contracts.lots', { lots: count });
export const lotsField = (app: App) => app.sheet.getByLabel(app.t('contracts.lotsLabel', { size: `${app.number('0.001', 3)}\u00a0BTC` }), { exact: true });
export const card = (app: App) => app.page.locator('section[aria-label*="BTC/USDT, "]').filter({ visible: true });

/** The chart on the sheet marks these prices and names them for screen readers. */
export async function marked(app: App, lines: Record<string, string>): Promise<void> {
  for (const [key, price] of Object.entries(lines)) await expect(app.sheet.getByRole('img')).toHaveAccessibleName(new RegExp(`(^| )${app.t(`contracts.${key}`)} ${price}( |$)`));
}

/** Fills in the form; `null` means no trigger. */
export async function form(app: App, side: Side, { lots: count = '10', multiple = '10', limit, stop, profit }: Wanted = {}): Promise<void> {
  await app.button(OPEN[side]).click();
  await app.sheet.getByRole('combobox').selectOption(multiple);
  if (limit) {
    await app.sheet.getByRole('button', { name: app.t('trade.kind.limit'), exact: true }).click();
    await app.sheet.getByLabel(app.t('trade.kind.limit'), { exact: true }).fill(limit);
  }
  await lotsField(app).fill(count);
  for (const [key, value] of [
    ['contracts.stopLoss', stop],
    ['contracts.takeProfit', profit],
  ] as const) {
    if (value === null) await app.sheet.getByRole('button', { name: `${app.t(key)}: ${app.t('contracts.none')}` }).click();
    else if (value) await app.sheet.getByLabel(app.t(key), { exact: true }).fill(value);
  }
}

/** The review of an order. */
export async function check(app: App, side: Side, wanted: Wanted = {}): Promise<void> {
  await form(app, side, wanted);
  await app.button(REVIEW[side], { lots: lots(app, wanted.lots ?? '10') }).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('trade.check') })).toBeVisible();
}
export const send = (app: App, side: Side, count = '10') => app.button(SEND[side], { lots: lots(app, count) });

/** Opens a position on the screen, up to the receipt, and goes back. */
export async function open(app: App, side: Side, wanted: Wanted = {}): Promise<void> {
  await check(app, side, wanted);
  await send(app, side, wanted.lots).click();
  await expect(app.sheet.getByRole('heading', { name: app.t('contracts.receipt') })).toBeVisible();
  await app.button('ui.done').click();
  await expect(app.sheet).toHaveCount(0);
}

export const tab = (app: App, key: string) => app.page.getByRole('button', { name: new RegExp(`^${app.t(`contracts.tab.${key}`)}`) }).filter({ visible: true });
