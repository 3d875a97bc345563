import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Offering } from '../generated/api';
import { api } from '../lib/http';
import { refresh } from './query';
import { useLoggedIn } from './session';

/** New coins on offer, and the member's subscriptions. */

const ALL = 100;
const PAGE = 20;
/** A notice of a subscription has them read again. */
const MINE = ['me', 'subscription'];
const OFFERINGS = ['offerings'];

/** Every offering; the sums of an open one change with each payment. */
export const useOfferings = () =>
  useQuery({
    queryKey: OFFERINGS,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.some(({ state: now }) => now === 'open') ? 15_000 : 60_000),
    queryFn: async () => (await api.get('lh/send/config', { limit: ALL })).message,
  });

/** Payments page by page, newest first, with what they have brought. */
export const useCommitments = () =>
  useInfiniteQuery({
    queryKey: MINE,
    enabled: useLoggedIn(),
    refetchOnMount: 'always',
    queryFn: async ({ pageParam }) => (await api.get('lh/send/order_list', { page: pageParam, limit: PAGE })).message,
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.order_list.length < PAGE ? undefined : pages.length + 1),
  });

/** The offering that the home page recommends, read once a visit. */
export const useRecommended = () =>
  useQuery({
    queryKey: ['recommended'],
    staleTime: Infinity,
    queryFn: async (): Promise<Offering | null> => {
      const { message } = await api.get('lh/send/get_recommend');
      return 'id' in message ? (message as unknown as Offering) : null;
    },
  });

/** After a payment: lists, sums and balances are read again. */
export async function refreshCoins(): Promise<void> {
  await refresh(MINE, OFFERINGS, ['me', 'wallet']);
}
