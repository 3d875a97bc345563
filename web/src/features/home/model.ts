import { add, amount, approximate, cmp, div, isZero, max, mul, sub, zero, type Amount } from '../../lib/money';
import type { Pair, ValueHistory } from '../../generated/api';

/** The five pairs a guest sees: USDT pairs by turnover. */
export function popular(pairs: readonly Pair[]): string[] {
  return pairs
    .filter((pair) => pair.legal_name === 'USDT')
    .toSorted((a, b) => -cmp(amount(a.quote_volume), amount(b.quote_volume)))
    .slice(0, 5)
    .map((pair) => pair.symbol);
}

export interface ValueLine {
  /** Chart numbers, oldest first. */
  values: number[];
  low: Amount;
  high: Amount;
  /** From the first instant to the last. */
  from: number;
  to: number;
  /** What prices and trading did: the difference without deposits and withdrawals. */
  change: Amount;
  /** Of the value at the start and what came in after it; undefined where there was none. */
  percent: Amount | undefined;
}

/** Decimals of a percentage before it is shown: a result that is not nothing stays one. */
const EXACT = 18;

/** The line of a total and its result; undefined while there is nothing to draw. */
export function valueLine({ points, net_in_usdt }: ValueHistory): ValueLine | undefined {
  const totals = points.map(({ total_usdt }) => amount(total_usdt));
  const [first, last] = [totals[0], totals.at(-1)];
  if (totals.length < 2 || !first || !last || totals.every(isZero)) return undefined;
  const net = amount(net_in_usdt);
  const change = sub(sub(last, first), net);
  const capital = add(first, max(net, zero()));
  return {
    values: totals.map(approximate),
    low: totals.reduce((a, b) => (cmp(a, b) <= 0 ? a : b)),
    high: totals.reduce(max),
    from: points[0]?.time_ms ?? 0,
    to: points.at(-1)?.time_ms ?? 0,
    change,
    percent: isZero(capital) ? undefined : div(mul(change, amount('100')), capital, EXACT, 'floor'),
  };
}
