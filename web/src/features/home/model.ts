import { add, amount, cmp, div, isZero, mul, sub, wire, type Amount } from '../../lib/money';
import type { Pair } from '../../generated/api';

export interface ValueChange {
  value: Amount;
  /** Percent of the value at the start, two decimals, rounded against us. */
  percent: string | null;
}

/** Gain or loss of a range without money that was paid in or out. */
export function valueChange(points: readonly { total_usdt: string }[], total: string, netIn: string): ValueChange | null {
  const first = points[0];
  if (!first) return null;
  const base = add(amount(first.total_usdt), amount(netIn));
  const value = sub(amount(total), base);
  if (isZero(base) || base.units < 0n) return { value, percent: null };
  return { value, percent: wire(div(mul(value, amount('100')), base, 2, 'floor')) };
}

/** The five pairs a guest sees: USDT pairs by turnover. */
export function popular(pairs: readonly Pair[]): string[] {
  return pairs
    .filter((pair) => pair.legal_name === 'USDT')
    .toSorted((a, b) => -cmp(amount(a.quote_volume), amount(b.quote_volume)))
    .slice(0, 5)
    .map((pair) => pair.symbol);
}
