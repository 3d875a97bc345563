import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { refresh } from '../../data/query';
import { useLoggedIn } from '../../data/session';
import type { FlashQuote } from '../../generated/api';
import { api } from '../../lib/http';
import { serverNow } from '../../lib/time';

/** Coins that can be sold and bought, with their limits. */
export const useConvertible = () => {
  const mine = useLoggedIn();
  return useQuery({ queryKey: [mine ? 'me' : 'all', 'convertible'], staleTime: 30_000, refetchInterval: 30_000, queryFn: async () => (await api.get('wallet/flashAgainstList')).message });
};

/** Accepts a quote exactly as it was, at most once. The sheet shows refusals. */
export const acceptQuote = (quote: FlashQuote) => api.post('wallet/flashAgainst', { quote_id: quote.quote_id }, { quiet: true, mask: true, kept: 'convert' });

const HISTORY = ['me', 'conversions'];
const PAGE = 20;
export const useConversions = () =>
  useInfiniteQuery({
    queryKey: HISTORY,
    enabled: useLoggedIn(),
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => (await api.get('wallet/flash_history', { page: pageParam, limit: PAGE })).message,
    getNextPageParam: (last, pages) => (last.data.length < PAGE ? undefined : pages.length + 1),
  });

/** Balances and lists after a conversion. */
export const refreshConversions = () => refresh(HISTORY, ['me', 'convertible'], ['me', 'wallet']);

export interface QuoteRequest {
  from: number;
  to: number;
  /** As on the wire. */
  amount: string;
}
const same = (one: QuoteRequest | undefined, other: QuoteRequest | undefined) => one?.from === other?.from && one?.to === other?.to && one?.amount === other?.amount;

export type Quoted = { step: 'none' } | { step: 'asking'; quote?: FlashQuote } | { step: 'held'; quote: FlashQuote } | { step: 'expired'; quote: FlashQuote } | { step: 'refused'; error: unknown };

/** While a person types, the next keystroke is near. */
const SETTLE = 400;
/** A rate that is not accepted is renewed for two minutes, because each one is an entry in the log. */
const RENEWALS = 12;

/** A firm rate for the request, renewed when it expires; `hold` keeps it as it is, for a review. */
export function useQuote(wanted: QuoteRequest | undefined, hold: boolean): { quoted: Quoted; ask: () => Promise<FlashQuote | undefined> } {
  const [state, setState] = useState<{ wanted: QuoteRequest | undefined; quoted: Quoted; turn: number }>({ wanted: undefined, quoted: { step: 'none' }, turn: 0 });
  const fresh = same(state.wanted, wanted);
  if (!fresh) setState({ wanted, quoted: wanted ? { step: 'asking' } : { step: 'none' }, turn: 0 });
  const newest = useRef(0);
  useEffect(() => () => void (newest.current = Infinity), []);
  const fetch = useCallback(async (what: QuoteRequest, turn: number): Promise<FlashQuote | undefined> => {
    const number = (newest.current += 1);
    const put = (quoted: Quoted) => newest.current === number && setState((now) => (same(now.wanted, what) ? { ...now, quoted, turn } : now));
    setState((now) => (same(now.wanted, what) ? { ...now, quoted: { step: 'asking', ...('quote' in now.quoted && now.quoted.quote && { quote: now.quoted.quote }) } } : now));
    try {
      const { message } = await api.post('wallet/flash_quote', { l_currency_id: what.from, r_currency_id: what.to, num: what.amount }, { quiet: true });
      put({ step: 'held', quote: message });
      return message;
    } catch (error) {
      put({ step: 'refused', error });
      return undefined;
    }
  }, []);
  const { from, to, amount } = wanted ?? {};
  useEffect(() => {
    if (from === undefined || to === undefined || amount === undefined) return;
    const timer = setTimeout(() => void fetch({ from, to, amount }, 0), SETTLE);
    return () => clearTimeout(timer);
  }, [fetch, from, to, amount]);
  const held = state.quoted.step === 'held' ? state.quoted.quote : undefined;
  useEffect(() => {
    if (!held) return;
    const timer = setTimeout(
      () => {
        setState((now) => (now.quoted.step === 'held' && now.quoted.quote === held ? { ...now, quoted: { step: 'expired', quote: held } } : now));
      },
      Math.max(0, held.expires_ms - serverNow()),
    );
    return () => clearTimeout(timer);
  }, [held]);
  const renew = state.quoted.step === 'expired' && !hold && state.turn < RENEWALS;
  useEffect(() => {
    if (!renew || !state.wanted) return;
    const again = () => document.visibilityState === 'visible' && state.wanted && void fetch(state.wanted, state.turn + 1);
    again();
    document.addEventListener('visibilitychange', again);
    return () => document.removeEventListener('visibilitychange', again);
  }, [renew, state.wanted, state.turn, fetch]);
  return { quoted: state.quoted, ask: async () => (wanted ? fetch(wanted, 0) : undefined) };
}
