import { useQuery } from '@tanstack/react-query';
import { useLoggedIn } from '../../data/session';
import { api } from '../../lib/http';
import { amount, approximate } from '../../lib/money';

/** Small lines of all pairs: a day in hours. */
const lines = {
  queryKey: ['lines'],
  staleTime: 300_000,
  queryFn: async () => new Map((await api.get('market/lines')).message.map(({ symbol, points }) => [symbol, points.map((close) => approximate(amount(close)))])),
};
export const useDayLine = (symbol: string): readonly number[] => useQuery(lines).data?.get(symbol) ?? [];

/** The newest announcement. */
export function useAnnouncement() {
  return useQuery({
    queryKey: ['news', 4, 'first'],
    staleTime: 300_000,
    queryFn: async () => (await api.query('news/list', { c_id: 4, limit: 1 })).message.list[0] ?? null,
  });
}

export type Range = '1d' | '1w' | '1m';

/** Value of the accounts over a range. Under the wallet's key, so that it is read again with the balances. */
export function useValueHistory(range: Range) {
  return useQuery({
    queryKey: ['me', 'wallet', 'value', range],
    enabled: useLoggedIn(),
    staleTime: 60_000,
    refetchInterval: 60_000,
    queryFn: async () => (await api.get('wallet/value_history', { range })).message,
  });
}
