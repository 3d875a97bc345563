/** The arithmetic of locked plans in whole units (P-1 to P-7), for every figure that is shown before or instead of the server's. */

import { DAY } from '../../lib/time';

const E8 = 100_000_000n;
const up = (n: bigint, d: bigint) => (n + d - 1n) / d;

export interface Terms {
  /** Whole days that earn. */
  cycle: number;
  /** Hundred-millionths a day. */
  yield: bigint;
  /** Hundred-millionths for each remaining day. */
  damage: bigint;
}

export interface Exit {
  /** Full days that earned interest. */
  days: number;
  left: number;
  interest: bigint;
  damages: bigint;
  penalty: bigint;
  /** Deducted from the principal, at most all of it. */
  deduction: bigint;
  back: bigint;
  /** The returned amount less the principal. */
  net: bigint;
}

const utcDay = (ms: number) => Math.floor(ms / DAY);

/** P-3: rounded once as a whole, so that the last day brings the total to exactly what was promised. */
export const interest = (amount: bigint, daily: bigint, days: number) => (amount * daily * BigInt(days)) / E8;

/** P-3: full UTC days that have earned; the first is the day after the purchase. */
export const daysEarned = (cycle: number, bought: number, now: number) => Math.max(0, Math.min(cycle, utcDay(now) - utcDay(bought) - 1));

/** P-2, P-4: the instant at which the first earning day begins, and the one at which the money is free again. */
export const firstDay = (bought: number) => (utcDay(bought) + 1) * DAY;
export const maturity = (cycle: number, bought: number) => (utcDay(bought) + cycle + 1) * DAY;

/** P-5 after this many earned days; P-4 after all of them. */
export function exitAfter(amount: bigint, terms: Terms, days: number): Exit {
  const left = terms.cycle - days;
  const earned = interest(amount, terms.yield, days);
  const damages = up(amount * terms.damage * BigInt(left), E8);
  const penalty = left === 0 ? 0n : up(3n * amount * terms.yield, 2n * E8);
  const deduction = damages + penalty < amount ? damages + penalty : amount;
  const net = earned - deduction;
  return { days, left, interest: earned, damages, penalty, deduction, back: amount + net, net };
}

/** Every day on which an early redemption is possible, and the last one. */
export const exits = (amount: bigint, terms: Terms): Exit[] => Array.from({ length: terms.cycle + 1 }, (_, day) => exitAfter(amount, terms, day));

/** The first day on which an early redemption costs nothing. */
export const evenDay = (all: readonly Exit[]): number => all.findIndex(({ net }) => net >= 0n);
