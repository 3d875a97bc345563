import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useLoggedIn } from '../../data/session';
import { api } from '../../lib/http';
import { ACCOUNT_NUMBER, type Account } from '../../lib/wire';

const PAGE = 30;

/** Changes of one coin in one account, newest first. */
export function useLog(account: Account, currency: number | undefined, kind: number) {
  return useInfiniteQuery({
    queryKey: ['me', 'log', account, currency, kind],
    enabled: currency !== undefined,
    initialPageParam: 1,
    queryFn: async ({ pageParam }) =>
      (await api.query('wallet/legal_log', { currency: currency ?? 0, type: ACCOUNT_NUMBER[account], ...(kind ? { kind } : {}), page: pageParam, limit: PAGE })).message,
    getNextPageParam: (last) => (last.page * last.limit < last.count ? last.page + 1 : undefined),
  });
}

/** Costs of coins. Under the key of the balances, so that they are read again together. */
export function useCosts(open: boolean) {
  return useQuery({ queryKey: ['me', 'wallet', 'costs'], enabled: useLoggedIn() && open, queryFn: async () => (await api.get('wallet/costs')).message });
}

/** Every change in all accounts over a time, as a table. */
export const statement = async (span: { from_ms: number; to_ms: number }) => (await api.get('wallet/export', span)).message;

/** Sandbox only: paper money into an account. */
export function getPaperMoney(asset: string, amount: string, account: Account) {
  return api.post('/sandbox/faucet', { asset, amount, account }, { quiet: true, mask: true });
}
