import { useInfiniteQuery } from '@tanstack/react-query';
import type { Account } from '../../lib/wire';
import { refresh } from '../../data/query';
import { api } from '../../lib/http';

export function transfer(coin: number, from: Account, to: Account, amount: string) {
  return api.post('wallet/change', { currency_id: coin, number: amount, from_field: from, to_field: to }, { quiet: true, mask: true, kept: 'transfer' });
}

const RECORD = ['me', 'log', 'transfers'];
const PAGE = 30;

/** Own transfers, newest first. */
export function useRecord() {
  return useInfiniteQuery({
    queryKey: RECORD,
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => (await api.get('wallet/hzhistory', { page: pageParam, limit: PAGE })).message,
    getNextPageParam: (last) => (last.current_page < last.last_page ? last.current_page + 1 : undefined),
  });
}

export const refreshRecord = () => refresh(RECORD);
