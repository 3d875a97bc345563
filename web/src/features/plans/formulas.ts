/** The arithmetic of locked plans in whole units (P-1 to P-7): every figure that is shown before or instead of the server's comes from here. */

const E8 = 100_000_000n;
const DAY = 86_400_000;
const up = (n: bigint, d: bigint) => (n + d - 1n) / d;

export interface Terms {
  /** Whole days that earn. */
  cycle: number;
  /** Hundred-millionths a day. */
  yield: bigint;
  /** Hundred-millionths for each day that is left. */
  damage: bigint;
}

export interface Exit {
  /** Full days that were earned. */
  days: number;
  left: number;
  interest: bigint;
  damages: bigint;
  penalty: bigint;
  /** Taken from the principal, never more than all of it. */
  deduction: bigint;
  back: bigint;
  /** What comes back less what was put in. */
  net: bigint;
}

const utcDay = (ms: number) => Math.floor(ms / DAY);

/** P-3: one rounding of the whole, so that the last day brings the total to exactly what was promised. */
export const interest = (amount: bigint, daily: bigint, days: number) => (amount * daily * BigInt(days)) / E8;

/** P-3: full UTC days that have earned; the first is the day after the purchase. */
export const daysEarned = (cycle: number, bought: number, now: number) => Math.max(0, Math.min(cycle, utcDay(now) - utcDay(bought) - 1));

/** P-2, P-4: the day that earns first begins, and the money is free again. */
export const firstDay = (bought: number) => (utcDay(bought) + 1) * DAY;
export const maturity = (cycle: number, bought: number) => (utcDay(bought) + cycle + 1) * DAY;

/** P-5 after so many earned days; P-4 after all of them. */
export function exitAfter(amount: bigint, terms: Terms, days: number): Exit {
  const left = terms.cycle - days;
  const earned = interest(amount, terms.yield, days);
  const damages = up(amount * terms.damage * BigInt(left), E8);
  const penalty = left === 0 ? 0n : up(3n * amount * terms.yield, 2n * E8);
  const deduction = damages + penalty < amount ? damages + penalty : amount;
  const net = earned - deduction;
  return { days, left, interest: earned, damages, penalty, deduction, back: amount + net, net };
}

/** Every day on which one can leave, and the last one. */
export const exits = (amount: bigint, terms: Terms): Exit[] => Array.from({ length: terms.cycle + 1 }, (_, day) => exitAfter(amount, terms, day));

/** The first day on which leaving costs nothing. */
export const evenDay = (all: readonly Exit[]): number => all.findIndex(({ net }) => net >= 0n);
