import type { Bet } from './entry';

/** What an option costs, how it ends and what is paid (`docs/rules.md` 3, O-3 to O-9). Whole numbers only. */

export type Result = 'open' | 'won' | 'lost' | 'push' | 'refunded';
export type Tie = 'refund' | 'lose';

export interface Amounts {
  stake: bigint;
  profit: bigint;
  fee: bigint;
}

const RATE = 100_000_000n;

/** O-3: profit rounds down, fee up. */
export const amountsOf = (stake: bigint, profitRate: bigint, feeRate: bigint): Amounts => ({
  stake,
  profit: (stake * profitRate) / RATE,
  fee: (stake * feeRate + RATE - 1n) / RATE,
});

/** O-3, O-4: what the buyer pays, what they receive if they win, and what the pool reserves for either. */
export const promiseOf = ({ stake, profit, fee }: Amounts) => ({ cost: stake + fee, payout: stake + profit, reserve: stake + profit + fee });

/** Half the width of the flat band in price units, rounded down. */
export const bandOf = (open: bigint, tolerance: bigint): bigint => (open * tolerance) / RATE;

/** O-5: what the index did; the limits of the band count as flat. */
export function outcomeOf(open: bigint, delivery: bigint, band: bigint): Bet {
  const moved = delivery > open ? delivery - open : open - delivery;
  return moved <= band ? 'flat' : delivery > open ? 'up' : 'down';
}

/** O-6 to O-9: the result of an option, and the payments to its owner and as a fee; without an outcome there was no delivery price. */
export function settle(of: Amounts, bet: Bet, did: Bet | null, tie: Tie): { result: Result; received: bigint; kept: bigint } {
  const { stake, fee } = of;
  if (did === null) return { result: 'refunded', received: promiseOf(of).cost, kept: 0n };
  if (did === bet) return { result: 'won', received: promiseOf(of).payout, kept: fee };
  if (did === 'flat' && tie === 'refund') return { result: 'push', received: stake, kept: fee };
  return { result: 'lost', received: 0n, kept: fee };
}
