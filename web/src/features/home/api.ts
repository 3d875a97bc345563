import { useQuery } from '@tanstack/react-query';
import { useLoggedIn } from '../../data/session';
import { api } from '../../lib/http';

/** Closes of the last day in half hours, for the small lines. */
export function useDayLine(symbol: string) {
  return useQuery({
    queryKey: ['line', symbol],
    staleTime: 300_000,
    queryFn: async () => {
      const { message } = await api.get('currency/new_timeshar', { symbol, period: '30min' });
      return message.slice(-48).map((row) => row.close);
    },
  });
}

/** The newest announcement. */
export function useAnnouncement() {
  return useQuery({
    queryKey: ['news', 4, 'first'],
    staleTime: 300_000,
    queryFn: async () => (await api.query('news/list', { c_id: 4, limit: 1 })).message.list[0] ?? null,
  });
}

export type Range = '1d' | '1w' | '1m';

/** What the accounts were worth in a range. Below the wallet's key, so that it is read again with the balances. */
export function useValueHistory(range: Range) {
  return useQuery({
    queryKey: ['me', 'wallet', 'value', range],
    enabled: useLoggedIn(),
    staleTime: 60_000,
    refetchInterval: 60_000,
    queryFn: async () => (await api.get('wallet/value_history', { range })).message,
  });
}
