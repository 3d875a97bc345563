import { useEffect, useRef, useState } from 'react';
import { useCoin, useMarket } from '../../data/config';
import { usePriceStale, useTicker } from '../../data/tickers';
import type { Trade } from '../../generated/api';
import { amount } from '../../lib/money';
import { subscribe, type PublicEvent } from '../../lib/socket';
import { readBook, readTrades } from './api';
import { applyDelta, checksum, type Book, type Level } from './book';
import type { Market } from './order';

/** Live rooms of the active pair, shown four times a second. */

const REPAINT = 250;
/** Least time between two restarts of a room. */
const RESTART = 1_000;

interface State<T> {
  data: T | undefined;
  failed: boolean;
}
export interface Live<T> extends State<T> {
  /** Repeats a failed read. */
  retry: () => void;
}

/** Content of a room; `attempt` counts its restarts. */
function useRoom<T>() {
  const [state, setState] = useState<State<T>>({ data: undefined, failed: false });
  const [attempt, setAttempt] = useState(0);
  const retry = () => {
    setState({ data: undefined, failed: false });
    setAttempt((n) => n + 1);
  };
  return { state, setState, attempt, retry };
}

/** Collects changes and shows them at the repaint rate. */
function painter(show: () => void) {
  let changed = false;
  const timer = setInterval(() => {
    if (!changed) return;
    changed = false;
    show();
  }, REPAINT);
  return { mark: () => (changed = true), stop: () => clearInterval(timer) };
}

const levels = (value: unknown): Level[] => (Array.isArray(value) ? (value as Level[]) : []);

function followBook(symbol: string, show: (book: Book) => void): () => void {
  let book: Book | undefined;
  let leave = () => {};
  let restart: ReturnType<typeof setTimeout> | undefined;
  const lose = () => {
    book = undefined;
    restart ??= setTimeout(() => {
      restart = undefined;
      leave();
      join();
    }, RESTART);
  };
  const receive = (event: PublicEvent) => {
    const [bids, asks] = [levels(event.bids), levels(event.asks)];
    if (event.kind === 'snapshot') book = { seq: event.seq, bids, asks };
    else if (!book) return;
    else if (event.prev_seq !== book.seq) return lose();
    else book = applyDelta(book, event.seq, bids, asks);
    if (checksum(book) === event.checksum) show(book);
    else lose();
  };
  // After a gap the connection joins the room again by itself, and a snapshot follows.
  const join = () => {
    leave = subscribe({ channel: 'book', symbol }, receive, () => {
      book = undefined;
    });
  };
  join();
  return () => {
    clearTimeout(restart);
    leave();
  };
}

/** The order book: read once, then followed; every step is checked by its checksum. Without a symbol there is none. */
export function useBook(symbol: string): Live<Book> {
  const { state, setState, attempt, retry } = useRoom<Book>();
  useEffect(() => {
    if (!symbol) return;
    let latest: Book | undefined;
    const paint = painter(() => setState({ data: latest, failed: false }));
    const show = (book: Book) => {
      latest = book;
      paint.mark();
    };
    const leave = followBook(symbol, show);
    readBook(symbol).then(
      ({ seq, bids, asks }) => {
        if (!latest) show({ seq, bids: levels(bids), asks: levels(asks) });
      },
      () => setState((now) => ({ ...now, failed: !now.data })),
    );
    return () => {
      leave();
      paint.stop();
    };
  }, [symbol, attempt, setState]);
  return { ...state, retry };
}

/** A pair as orders see it now: its rules, its price and its book. There is no market until they are known. */
export function useMarketNow(symbol: string) {
  const rules = useMarket(symbol);
  const pair = useTicker(symbol);
  const book = useBook(symbol);
  const stale = usePriceStale(symbol);
  const base = useCoin(rules?.currency_id ?? 0);
  const quote = useCoin(rules?.legal_id ?? 0);
  const reference = rules?.index === 1 ? pair?.index_price : pair?.now_price;
  const market: Market | undefined = rules && base && quote && { rules, base, quote, reference: reference ? amount(reference) : undefined, book: book.data };
  return { rules, pair, book, stale, market };
}

const KEPT = 30;
export type PublicTrade = Pick<Trade, 'id' | 'ts' | 'direction' | 'price' | 'amount' | 'house'>;

/** The last public trades, newest first. */
export function useTrades(symbol: string): Live<PublicTrade[]> {
  const { state, setState, attempt, retry } = useRoom<PublicTrade[]>();
  const rows = useRef(new Map<number, PublicTrade>());
  useEffect(() => {
    const known = rows.current;
    known.clear();
    const paint = painter(() => {
      const newest = [...known.values()].toSorted((a, b) => b.id - a.id).slice(0, KEPT);
      known.clear();
      for (const trade of newest) known.set(trade.id, trade);
      setState({ data: newest, failed: false });
    });
    const take = (trades: readonly PublicTrade[]) => {
      for (const trade of trades) known.set(trade.id, trade);
      paint.mark();
    };
    const read = () => readTrades(symbol, KEPT).then(take, () => setState((now) => ({ ...now, failed: !now.data })));
    void read();
    const leave = subscribe({ channel: 'match_trade', symbol }, (event) => take(Array.isArray(event.data) ? (event.data as PublicTrade[]) : []), () => void read());
    return () => {
      leave();
      paint.stop();
    };
  }, [symbol, attempt, setState]);
  return { ...state, retry };
}
