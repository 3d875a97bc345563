import { amount, cmp } from '../../lib/money';
import type { Pair } from '../../generated/api';

/** The five pairs a guest sees: USDT pairs by turnover. */
export function popular(pairs: readonly Pair[]): string[] {
  return pairs
    .filter((pair) => pair.legal_name === 'USDT')
    .toSorted((a, b) => -cmp(amount(a.quote_volume), amount(b.quote_volume)))
    .slice(0, 5)
    .map((pair) => pair.symbol);
}
