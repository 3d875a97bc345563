/**
 * The exact arithmetic of contracts (4.3 to 4.8), as in the engine: prices are whole ticks, money is whole atoms of the quote coin, rates
 * are hundred-millionths, and every amount is rounded once. The reference vectors test it.
 */

import type { Side } from './position';

const ONE = 100_000_000n;
const floor = (n: bigint, by: bigint) => (n % by < 0n ? n / by - 1n : n / by);
const ceil = (n: bigint, by: bigint) => -floor(-n, by);
const least = (a: bigint, b: bigint) => (a < b ? a : b);
const most = (a: bigint, b: bigint) => (a > b ? a : b);

/** A step of the maintenance rate by the notional at opening. */
export interface Tier {
  /** Largest notional, atoms. */
  bound: bigint;
  maxMultiple: number;
  maintenance: bigint;
  deduction: bigint;
}

export interface Terms {
  /** Quote atoms of one lot moved by one tick. */
  lotTick: bigint;
  multiples: readonly number[];
  fee: bigint;
  spread: bigint;
  liquidationFee: bigint;
  overnight: bigint;
  /** The most a position may win, as a multiple of its margin. */
  capTimes: bigint;
  maxLots: bigint;
  tiers: readonly Tier[];
}

/** What the profit of a position is computed from. */
export interface Stake {
  side: Side;
  /** Quote atoms of one tick: V. */
  value: bigint;
  /** Ticks. */
  entry: bigint;
}

/** The equity that must be left in a position. */
export interface Requirement {
  maintenance: bigint;
  liquidationFee: bigint;
  deduction: bigint;
}

const bought = (mark: bigint, spread: bigint) => ceil(mark * (ONE + spread), ONE);
const sold = (mark: bigint, spread: bigint) => most(1n, floor(mark * (ONE - spread), ONE));
/** C-1. */
export const openingPrice = (side: Side, mark: bigint, spread: bigint) => (side === 'long' ? bought : sold)(mark, spread);
/** C-1. */
export const closingPrice = (side: Side, mark: bigint, spread: bigint) => (side === 'long' ? sold : bought)(mark, spread);
/** C-3. */
export const marginOf = (notional: bigint, multiple: bigint) => ceil(notional, multiple);
/** C-4. */
export const feeOf = (notional: bigint, rate: bigint) => ceil(notional * rate, ONE);
/** C-5, exact. */
export const profitAt = ({ side, value, entry }: Stake, price: bigint) => value * (side === 'long' ? price - entry : entry - price);
/** C-6. */
export const capOf = (notional: bigint, capTimes: bigint, multiple: bigint) => least(notional, floor(capTimes * notional, multiple));

/** C-9: the equity is at most the requirement. */
export function isLiquidated(stake: Stake, margin: bigint, { maintenance, liquidationFee, deduction }: Requirement, mark: bigint): boolean {
  const required = stake.value * mark * (maintenance + liquidationFee) - deduction * ONE;
  return (margin + profitAt(stake, mark)) * ONE <= most(0n, required);
}

/** C-10: for a long the highest tick that liquidates it, 0 for never; for a short the lowest. */
export function liquidationPrice({ side, value, entry }: Stake, margin: bigint, { maintenance, liquidationFee, deduction }: Requirement): bigint {
  const rate = maintenance + liquidationFee;
  const usedUp = ceil(margin, value);
  if (side === 'long') return most(most(floor(ONE * (value * entry - margin - deduction), value * (ONE - rate)), entry - usedUp), 0n);
  return least(ceil(ONE * (value * entry + margin + deduction), value * (ONE + rate)), entry + usedUp);
}

/** C-12: from this price on a position wins its cap. Not reachable at or below 0. */
export const capPrice = ({ side, value, entry }: Stake, cap: bigint) => (side === 'long' ? entry + ceil(cap, value) : entry - ceil(cap, value));

export interface Closing {
  price: bigint;
  /** Uncapped. */
  profit: bigint;
  fee: bigint;
  /** The part of the fee that is paid: at most what is left. */
  feePaid: bigint;
  /** What the owner receives. */
  returned: bigint;
}

/** 4.5: how a margin is divided. `fee` is the whole fee. */
function settle(margin: bigint, profit: bigint, cap: bigint, price: bigint, fee: bigint): Closing {
  const equity = margin + least(profit, cap);
  const feePaid = equity > 0n ? least(fee, equity) : 0n;
  return { price, profit, fee, feePaid, returned: equity > 0n ? equity - feePaid : 0n };
}

/** Closing at an execution price, or liquidation at the mark, without spread and with its own fee (4.6). */
export function closeAt(stake: Stake, margin: bigint, cap: bigint, price: bigint, fee: bigint): Closing {
  return settle(margin, profitAt(stake, price), cap, price, feeOf(stake.value * price, fee));
}
/** Closing with the index at `mark` (4.5). */
export const closeNow = (stake: Stake, margin: bigint, cap: bigint, mark: bigint, terms: Pick<Terms, 'spread' | 'fee'>) => closeAt(stake, margin, cap, closingPrice(stake.side, mark, terms.spread), terms.fee);

/** 4.8, for one night. */
export const overnightFee = (value: bigint, mark: bigint, margin: bigint, rate: bigint) => least(margin, feeOf(value * mark, rate));

/** The tier of a notional; undefined above the last. */
export const tierOf = (tiers: readonly Tier[], notional: bigint) => tiers.find(({ bound }) => notional <= bound);

export interface Opening {
  stake: Stake;
  notional: bigint;
  margin: bigint;
  fee: bigint;
  cap: bigint;
  /** Ticks; at or below 0 if a short cannot reach it. */
  capPrice: bigint;
  /** Ticks; 0 is never. */
  liquidation: bigint;
  /** That of the highest multiple. */
  tier: Tier;
  required: Requirement;
}

/** A position opened at an execution price; undefined above the last tier. `used` is the notional of what is open in the pair (C-16). */
export function openAt(terms: Terms, side: Side, lots: bigint, multiple: bigint, entry: bigint, used = 0n): Opening | undefined {
  const stake: Stake = { side, value: lots * terms.lotTick, entry };
  const notional = stake.value * entry;
  const tier = tierOf(terms.tiers, notional + used);
  if (!tier) return undefined;
  const { maintenance, deduction } = tierOf(terms.tiers, notional) ?? tier;
  const margin = marginOf(notional, multiple);
  const cap = capOf(notional, terms.capTimes, multiple);
  const required = { maintenance, liquidationFee: terms.liquidationFee, deduction };
  return { stake, notional, margin, fee: feeOf(notional, terms.fee), cap, capPrice: capPrice(stake, cap), liquidation: liquidationPrice(stake, margin, required), tier, required };
}

export interface Bounds {
  /** Ticks, both bounds included. */
  low: bigint;
  high: bigint;
}
export type Levels = { takeProfit: Bounds; stopLoss: Bounds };

/** C-15: the allowed ranges of take-profit and stop-loss with the index at `mark`. A range may be empty. */
export function levelsOf(side: Side, mark: bigint, liquidation: bigint, cap: bigint): Levels {
  return side === 'long'
    ? { takeProfit: { low: mark + 1n, high: cap }, stopLoss: { low: liquidation + 1n, high: mark - 1n } }
    : { takeProfit: { low: most(cap, 1n), high: mark - 1n }, stopLoss: { low: mark + 1n, high: liquidation - 1n } };
}
export const within = (price: bigint, { low, high }: Bounds) => price >= low && price <= high;

/** What a waiting order holds (4.7). */
export const holdOf = (value: bigint, limit: bigint, multiple: bigint, fee: bigint) => marginOf(value * limit, multiple) + feeOf(value * limit, fee);
/** Whether an order executes at once or waits for its limit (4.7). */
export const fillsAt = (side: Side, limit: bigint, price: bigint) => (side === 'long' ? price <= limit : price >= limit);
