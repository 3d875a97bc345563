import type { Pair } from '../../generated/api';
import { amount, cmp } from '../../lib/money';
import { finds } from '../../lib/search';

/** The pair list: which pairs, in which order. Pure. */

export type SortBy = 'volume' | 'price' | 'change';
export interface Sort {
  by: SortBy;
  /** Biggest first. */
  down: boolean;
}

/** A tap on a header: biggest first, then smallest first, then as listed. */
export function nextSort(sort: Sort | null, by: SortBy): Sort | null {
  if (sort?.by !== by) return { by, down: true };
  return sort.down ? { by, down: false } : null;
}

const FIELD = { volume: 'quote_volume', price: 'now_price', change: 'change' } as const;

interface Choice {
  text: string;
  /** A quote coin, or the watchlist. */
  list: string;
  starred: readonly number[];
  sort: Sort | null;
  /** Name of a coin, so that "bitcoin" finds BTC. */
  nameOf: (coin: number) => string;
}

/** A search covers every list. */
export function select(pairs: readonly Pair[], { text, list, starred, sort, nameOf }: Choice): Pair[] {
  const rows = text.trim()
    ? pairs.filter((pair) => finds(text, pair.symbol, `${nameOf(pair.currency_id)} ${nameOf(pair.legal_id)}`))
    : list === 'watchlist'
      ? starred.flatMap((id) => pairs.find((pair) => pair.match_id === id) ?? [])
      : pairs.filter((pair) => pair.legal_name === list);
  if (!sort) return rows;
  const field = FIELD[sort.by];
  return rows.toSorted((a, b) => (sort.down ? -1 : 1) * cmp(amount(a[field]), amount(b[field])));
}

/** Quote coins in the order of the list. */
export const quotes = (pairs: readonly Pair[]): string[] => [...new Set(pairs.map((pair) => pair.legal_name))];
