import { isLiquidated, levelsOf, profitAt, within, type Opening, type Requirement, type Stake, type Terms } from '../contracts';

/** When a contract may open and what a sample does to it, as far as its order, its terms and prices show (4.4, 4.6). */

/** Ticks; null if not set. */
export interface Stops {
  takeProfit: bigint | null;
  stopLoss: bigint | null;
}

/** The first guard of 4.4 that refuses an order before its price is considered. */
export function sizeRefusal({ maxLots, multiples }: Terms, lots: bigint, multiple: number): 'E_LOTS' | 'E_LOTS_MAX' | 'E_LEVERAGE' | null {
  if (lots < 1n) return 'E_LOTS';
  if (lots > maxLots) return 'E_LOTS_MAX';
  return multiples.includes(multiple) ? null : 'E_LEVERAGE';
}

/**
 * The first guard of 4.4 that refuses a position at its price; `opening` is undefined above the last tier. Balance and pool are checked
 * later.
 */
export function openingRefusal(opening: Opening | undefined, multiple: number, mark: bigint, { takeProfit, stopLoss }: Stops): 'E_TIER' | 'E_LEVERAGE' | 'E_LIQ_AT_OPEN' | 'E_TP' | 'E_SL' | null {
  if (!opening) return 'E_TIER';
  const { stake, margin, required, tier, liquidation, capPrice } = opening;
  if (multiple > tier.maxMultiple) return 'E_LEVERAGE';
  if (isLiquidated(stake, margin, required, mark)) return 'E_LIQ_AT_OPEN';
  const levels = levelsOf(stake.side, mark, liquidation, capPrice);
  if (takeProfit !== null && !within(takeProfit, levels.takeProfit)) return 'E_TP';
  return stopLoss !== null && !within(stopLoss, levels.stopLoss) ? 'E_SL' : null;
}

export type Trigger = 'LIQUIDATION' | 'PROFIT_CAP' | 'SL' | 'TP';

/** What a sample does to a position: the first match (4.6). */
export function triggerAt({ stake, cap, required }: { stake: Stake; cap: bigint; required: Requirement }, margin: bigint, { takeProfit, stopLoss }: Stops, mark: bigint): Trigger | null {
  const isLong = stake.side === 'long';
  if (isLiquidated(stake, margin, required, mark)) return 'LIQUIDATION';
  if (profitAt(stake, mark) >= cap) return 'PROFIT_CAP';
  if (stopLoss !== null && (isLong ? mark <= stopLoss : mark >= stopLoss)) return 'SL';
  if (takeProfit !== null && (isLong ? mark >= takeProfit : mark <= takeProfit)) return 'TP';
  return null;
}
