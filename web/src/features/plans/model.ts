import type { Hosting, Plan, PlanReport } from '../../generated/api';
import { plain } from '../../lib/digits';
import { add, amount, cmp, isZero, make, min, rescale, sign, sub, zero, type Amount, type Parsed } from '../../lib/money';
import type { ProductContext } from '../../lib/productContext';
import { worth } from '../../lib/total';
import { daysEarned, exits, type Exit, type Terms } from './formulas';

const USDT = 6;
/** A fraction, or a percentage, in hundred-millionths. */
const fraction = (text: string) => rescale(amount(text), 8).units;
const percent = (text: string) => rescale(amount(text), 6).units;

export const termsOf = (plan: Plan): Terms => ({ cycle: plan.day, yield: fraction(plan.day_rate), damage: percent(plan.damage_rate) });

/** The terms of a plan order. Its damages are those of the plan on sale, as long as these agree with the server's present figures. */
export function heldTerms(order: Hosting, plan: Plan | undefined, today: { accrued_days: number; damages: string; penalty: string } | undefined): Terms | undefined {
  if (!plan || !today) return undefined;
  const terms: Terms = { cycle: order.day, yield: fraction(order.day_rate), damage: percent(plan.damage_rate) };
  const held = amount(order.amount);
  const exit = exits(held.units, terms)[today.accrued_days];
  const agrees = exit && cmp(make(exit.damages, held.scale), amount(today.damages)) === 0 && cmp(make(exit.penalty, held.scale), amount(today.penalty)) === 0;
  return agrees ? terms : undefined;
}

/** Worst case and full interest in percent, for comparing plans. */
export function rates(terms: Terms): { worst: Amount; best: Amount } {
  const E8 = 100_000_000n;
  const all = terms.damage * BigInt(terms.cycle) + (3n * terms.yield + 1n) / 2n;
  return { worst: make(all < E8 ? all : E8, 6), best: make(terms.yield * BigInt(terms.cycle), 6) };
}

/** The redemptions of an amount of money, day by day. */
export const exitsOf = (value: Amount, terms: Terms): Exit[] => exits(value.units, terms);

/** The parts of the principal that damages and penalty take, P-5: together at most all of it. */
export function takenOf({ damages, penalty, cancel_fee: fee }: Pick<Hosting, 'damages' | 'penalty' | 'cancel_fee'>): { damages: Amount; penalty: Amount } {
  const all = amount(fee);
  const first = min(amount(damages), all);
  return { damages: first, penalty: min(amount(penalty), sub(all, first)) };
}

/** Days left of a plan's cycle when it was redeemed. */
export const daysLeft = (order: Hosting): number => order.day - daysEarned(order.day, order.created_at_ms, order.updated_at_ms);

/** The typed day of the cycle, if there is such a day. */
export function typedDay(text: string, days: number): number | undefined {
  const digits = plain(text);
  const day = /^\d{1,4}$/.test(digits) ? parseInt(digits, 10) : undefined;
  return day !== undefined && day <= days ? day : undefined;
}

/** The present day of a plan's cycle; 0 on the day of its purchase. */
export const dayOf = (order: Hosting, now: number): number => daysEarned(order.day, order.created_at_ms, now);

/**
 * The interest of plans so far, coin by coin: what was paid, and what running ones have earned by today. Undefined if the two answers do
 * not cover the same orders.
 */
export function earnedOf({ total_order, by_currency }: PlanReport, running: readonly Hosting[]): { id: number; value: Amount }[] | undefined {
  if (running.length !== total_order) return undefined;
  const accrued = (id: number) => running.filter((order) => order.currency_id === id).map((order) => amount(order.current_interest));
  return by_currency.map(({ currency_id: id, total_profit: paid }) => ({ id, value: accrued(id).reduce(add, amount(paid)) }));
}

/** Amounts of several coins in USDT, each coin rounded down; undefined if a coin has no price. */
export function totalWorth(rows: readonly { code: string; value: Amount }[], price: (code: string) => string | undefined): Amount | undefined {
  let sum = zero(USDT);
  for (const { code, value } of rows.filter((row) => !isZero(row.value))) {
    const at = price(code);
    if (at === undefined) return undefined;
    sum = add(sum, worth(value, at));
  }
  return sum;
}

export interface OrderContext extends ProductContext {
  available: Amount | undefined;
  /** The largest amount whose interest the treasury can still set aside; undefined while unknown. */
  covered: Amount | undefined;
}

export type Reason =
  | { name: 'guest' | 'offline' | 'frozen' | 'paused' | 'country' | 'unknown' | 'empty' | 'format' | 'scale' | 'waiting' | 'agreement' | 'full' }
  | { name: 'min' | 'max' | 'short' | 'covered'; value: Amount };

/** The largest amount whose whole interest fits the free treasury: P-1. */
export function coverable(free: Amount, terms: Terms): Amount {
  const each = terms.yield * BigInt(terms.cycle);
  // floor(a * each / E8) <= free holds for every a below (free + 1) * E8 / each.
  return each === 0n ? make(10n ** 18n, free.scale) : make(((free.units + 1n) * 100_000_000n - 1n) / each, free.scale);
}

/** Why a plan cannot be bought, the first reason first. */
export function validate(plan: Plan, typed: Parsed, agreed: boolean, context: OrderContext): Reason | undefined {
  if (!context.loggedIn) return { name: 'guest' };
  if (!context.online) return { name: 'offline' };
  if (context.forbidden) return { name: context.forbidden };
  if (!context.open || plan.status !== 1) return { name: 'paused' };
  if (context.frozen) return { name: 'frozen' };
  if (!typed.ok) return { name: typed.reason };
  const { value } = typed;
  const [least, most] = [amount(plan.save_min), amount(plan.save_max)];
  if (sign(value) === 0 || cmp(value, least) < 0) return { name: 'min', value: least };
  if (cmp(value, most) > 0) return { name: 'max', value: most };
  if (!context.available || !context.covered) return { name: 'waiting' };
  if (cmp(value, context.available) > 0) return { name: 'short', value: sub(value, context.available) };
  if (cmp(value, context.covered) > 0) return cmp(context.covered, least) < 0 ? { name: 'full' } : { name: 'covered', value: context.covered };
  return agreed ? undefined : { name: 'agreement' };
}

/** Whether no amount that can be bought is covered any more. */
export const isFull = (plan: Plan, free: Amount | undefined): boolean => free !== undefined && cmp(coverable(free, termsOf(plan)), amount(plan.save_min)) < 0;
