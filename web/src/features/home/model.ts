import { add, amount, approximate, cmp, div, isZero, max, mul, sub, type Amount } from '../../lib/money';
import type { Pair, ValueHistory } from '../../generated/api';
import { languageCode } from '../../lib/i18n';

const TWO_MEANINGS = ['zh', 'hk', 'jp', 'kr'];

/** In these languages red is a rise for some readers and a fall for others, so they are asked once. */
export const asksForColours = (asked: boolean) => !asked && TWO_MEANINGS.includes(languageCode());

/** The five pairs a guest sees: USDT pairs by turnover. */
export function popular(pairs: readonly Pair[]): string[] {
  return pairs
    .filter((pair) => pair.legal_name === 'USDT')
    .toSorted((a, b) => -cmp(amount(a.quote_volume), amount(b.quote_volume)))
    .slice(0, 5)
    .map((pair) => pair.symbol);
}

export interface ValueLine {
  /** Chart numbers, oldest first, without deposits and withdrawals, so that only prices and trading move the line. */
  values: number[];
  low: Amount;
  high: Amount;
  /** From the first instant to the last. */
  from: number;
  to: number;
  /** The effect of prices and trading. */
  change: Amount;
  /** Relative to the initial value and what came in after it; undefined if there was none. */
  percent: Amount | undefined;
}

/** Decimals of a percentage before formatting, so that a small result does not become zero. */
const EXACT = 18;

/** The line of the total up to the present value; undefined while there is nothing to draw. */
export function valueLine({ points, net_in_usdt }: ValueHistory, now?: Amount): ValueLine | undefined {
  // Later inflows are counted from the start, and outflows as if they had never been there.
  const totals = points.map((point) => add(add(amount(point.total_usdt), amount(point.open_usdt)), amount(point.net_in_usdt)));
  const first = totals[0];
  const last = now ?? totals.at(-1);
  if (totals.length < 2 || !first || !last) return undefined;
  totals[totals.length - 1] = last;
  if (totals.every(isZero)) return undefined;
  const change = sub(last, first);
  // Outflows were part of the initial capital; the first point includes inflows.
  const capital = max(first, sub(first, amount(net_in_usdt)));
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
