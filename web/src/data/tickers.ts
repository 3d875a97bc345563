import { useEffect, useSyncExternalStore } from 'react';
import type { Pair } from '../generated/api';
import { every, useNow } from '../lib/clock';
import { api } from '../lib/http';
import { socketStatus, subscribe, type PublicEvent } from '../lib/socket';
import { heardServerTime, serverNow } from '../lib/time';

/** Live quotes: one store per pair, so that a tick re-renders one row. */

const LIST_FLUSH = 500;
const ACTIVE_FLUSH = 250;
/** Without a sample for this long, the price is stale. */
export const STALE_AFTER = 3_000;

type Listener = () => void;
const pairs = new Map<string, Pair>();
const pending = new Map<string, Pair>();
const listeners = new Map<string, Set<Listener>>();
const listListeners = new Set<Listener>();
const active = new Map<string, number>();
/** Events received while a list was read, which may be older; by read. */
const told = new Map<number, Map<string, Partial<Pair> & { at: number }>>();
let reads = 0;
let shown = 0;
let order: readonly string[] = [];
let state: 'loading' | 'ready' | 'error' = 'loading';
let timer: ReturnType<typeof setInterval> | undefined;
let turn = 0;

const FIELDS = ['now_price', 'open', 'high', 'low', 'volume', 'quote_volume', 'index_price', 'change'] as const;

/** Shows waiting values: of the active pair four times a second, of lists twice. */
function flush(): void {
  turn += 1;
  for (const [symbol, pair] of pending) {
    if (!active.has(symbol) && turn % (LIST_FLUSH / ACTIVE_FLUSH)) continue;
    pending.delete(symbol);
    pairs.set(symbol, pair);
    for (const listener of listeners.get(symbol) ?? []) listener();
  }
  if (!pending.size) {
    clearInterval(timer);
    timer = undefined;
  }
}

/** An event. A price that the connection delayed for long is older than the known one. */
function change(symbol: string, part: Partial<Pair>, at = Infinity): void {
  const pair = pending.get(symbol) ?? pairs.get(symbol);
  if (!pair || at < (pair.index_at_ms ?? 0)) return;
  pending.set(symbol, { ...pair, ...part });
  for (const news of told.values()) news.set(symbol, { ...news.get(symbol), ...part, at });
  timer ??= setInterval(flush, ACTIVE_FLUSH);
}

function onDay(event: PublicEvent): void {
  heardServerTime(event.time_ms);
  const part: Record<string, unknown> = { stale: event.stale === 1 || event.stale === true ? 1 : 0 };
  for (const field of FIELDS) {
    const value = event[field];
    if (typeof value === 'string') part[field] = value;
  }
  if (part.stale === 0 && typeof event.index_price === 'string') part.index_at_ms = event.time_ms;
  change(event.symbol, part, event.time_ms);
}

function onIndex(event: PublicEvent): void {
  heardServerTime(event.time_ms);
  const sample = event.data as { price?: unknown; time_ms?: unknown } | undefined;
  if (typeof sample?.price !== 'string' || typeof sample.time_ms !== 'number') return;
  change(event.symbol, { now_price: sample.price, index_price: sample.price, index_at_ms: sample.time_ms, stale: 0 }, sample.time_ms);
}

function onStatus(event: PublicEvent): void {
  const flag = (name: string) => (event[name] === 1 || event[name] === true ? 1 : 0);
  change(event.symbol, { open_coin_trade: flag('open_coin_trade'), open_lever: flag('open_lever'), open_microtrade: flag('open_microtrade') });
}

let missed: ReturnType<typeof setTimeout> | undefined;
/** Every room reports its own gap; after a lost connection one read serves them all. */
function readMissed(): void {
  missed ??= setTimeout(() => {
    missed = undefined;
    void loadTickers();
  }, 0);
}

/** Reads all quotes and follows them. */
export async function loadTickers(): Promise<void> {
  const read = ++reads;
  const news = new Map<string, Partial<Pair> & { at: number }>();
  told.set(read, news);
  try {
    const { message } = await api.get('currency/quotation_new');
    if (read < shown) return;
    shown = read;
    const rows = message.flatMap((group) => group.quotation).filter((pair) => pair.is_display === 1);
    for (const pair of rows) {
      const fresh = !pairs.has(pair.symbol);
      const { at = -1, ...since } = news.get(pair.symbol) ?? {};
      pairs.set(pair.symbol, at < (pair.index_at_ms ?? 0) ? pair : { ...pair, ...since });
      pending.delete(pair.symbol);
      if (fresh) {
        subscribe({ channel: 'daymarket', symbol: pair.symbol }, onDay, readMissed);
        subscribe({ channel: 'market_status', symbol: pair.symbol }, onStatus);
      }
      for (const listener of listeners.get(pair.symbol) ?? []) listener();
    }
    order = rows.toSorted((a, b) => a.sort - b.sort).map((pair) => pair.symbol);
    state = 'ready';
  } catch {
    if (state !== 'ready') state = 'error';
  } finally {
    told.delete(read);
  }
  for (const listener of listListeners) listener();
}

/** Symbols in the listed order; changes only when the list changes. */
export function useSymbols(): readonly string[] {
  return useSyncExternalStore(
    (listener) => {
      listListeners.add(listener);
      return () => listListeners.delete(listener);
    },
    () => order,
  );
}
export function useTickersState(): 'loading' | 'ready' | 'error' {
  return useSyncExternalStore(
    (listener) => {
      listListeners.add(listener);
      return () => listListeners.delete(listener);
    },
    () => state,
  );
}

/** One pair's quote. Re-renders at most twice a second, four times while it is the active pair. */
export function useTicker(symbol: string): Pair | undefined {
  return useSyncExternalStore(
    (listener) => {
      const set = listeners.get(symbol) ?? new Set();
      listeners.set(symbol, set);
      set.add(listener);
      return () => set.delete(listener);
    },
    () => pairs.get(symbol),
  );
}
export const ticker = (symbol: string) => pending.get(symbol) ?? pairs.get(symbol);

/**
 * The price of a pair's coin: the last index price; without an index the last trade, or the issue price before it. Undefined before any
 * price.
 */
export function pairPrice(symbol: string): string | undefined {
  const price = pairs.get(symbol)?.now_price;
  return price && /[1-9]/.test(price) ? price : undefined;
}

/** When the newest price of all pairs was made, server time; news of a pair that brings no price does not count. 0 before any. */
export const newestPriceAt = (): number => Math.max(0, ...order.map((symbol) => ticker(symbol)?.index_at_ms ?? 0));

/** The same for several pairs, omitting those without a price; re-renders when one changes. */
export function usePrices(symbols: readonly string[]): ReadonlyMap<string, string> {
  const told = useSyncExternalStore(
    (listener) => {
      const sets = symbols.map((symbol) => {
        const set = listeners.get(symbol) ?? new Set();
        listeners.set(symbol, set);
        set.add(listener);
        return set;
      });
      listListeners.add(listener);
      return () => {
        for (const set of sets) set.delete(listener);
        listListeners.delete(listener);
      };
    },
    () => symbols.map((symbol) => pairPrice(symbol) ?? '').join(),
  );
  const prices = told.split(',');
  return new Map(symbols.flatMap((symbol, n) => (prices[n] ? [[symbol, prices[n]] as const] : [])));
}

/** Follows every index sample of the pair on the screen. */
export function useActivePair(symbol: string): Pair | undefined {
  useEffect(() => {
    active.set(symbol, (active.get(symbol) ?? 0) + 1);
    const leave = subscribe({ channel: 'index', symbol }, onIndex);
    return () => {
      leave();
      const left = (active.get(symbol) ?? 1) - 1;
      if (left) active.set(symbol, left);
      else active.delete(symbol);
    };
  }, [symbol]);
  return useTicker(symbol);
}

export interface PriceAge {
  /** Milliseconds since the sample of the price; null for a pair without an index. */
  age: number | null;
  /** Opening anything is blocked until the next sample. */
  stale: boolean;
}

/** Age of a pair's price in its displayed form. */
export function priceAge(symbol: string): PriceAge {
  const pair = pairs.get(symbol);
  const age = pair?.index_at_ms ? Math.max(0, serverNow() - pair.index_at_ms) : null;
  return { age, stale: !pair || pair.stale === 1 || socketStatus() === 'offline' || (age !== null && age > STALE_AFTER) };
}

/** The same, updated every second. */
export function usePriceAge(symbol: string): PriceAge {
  useNow(1_000);
  useTicker(symbol);
  return priceAge(symbol);
}

/** Whether the price is stale. Re-renders only when that changes, for long lists. */
export function usePriceStale(symbol: string): boolean {
  return useSyncExternalStore(everySecond, () => priceAge(symbol).stale);
}
const everySecond = (listener: Listener) => every(1_000, listener);
