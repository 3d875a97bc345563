import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Hosting } from '../generated/api';
import { api } from '../lib/http';
import { nextUtcDay, serverNow } from '../lib/time';
import { refresh } from './query';
import { useLoggedIn } from './session';

/** Locked plans, the member's orders, and the treasury that pays. */

const ALL = 100;
const PAGE = 20;
/** A notice of a plan has them read again. */
const MINE = ['me', 'plan'];

/** Days and interest change only at 00:00 UTC; visible data is then read again. */
const refetchInterval = () => Math.max(1_000, nextUtcDay(serverNow()) - serverNow() + 500);

const TERMS = ['plans'];
/** The terms changed since they were read. */
export const readPlanTerms = () => refresh(TERMS);

/** Plans, each with the hash of its rule. */
export const usePlans = () => useQuery({ queryKey: TERMS, staleTime: 60_000, queryFn: async () => (await api.get('lh/deposit/config', { limit: ALL })).message });

export type HostingState = 'running' | 'completed' | 'redeemed';
/** The state of a plan order. */
export const hostingState = ({ status, is_cancel: early }: Pick<Hosting, 'status' | 'is_cancel'>): HostingState => (status === 1 ? 'running' : early === 1 ? 'redeemed' : 'completed');

/** Running plan orders, newest first. */
export const useHostings = (enabled = true) => useQuery({ queryKey: [...MINE, 'running'], enabled: useLoggedIn() && enabled, refetchOnMount: 'always', refetchInterval, queryFn: async () => (await api.get('lh/deposit/order', { status: 1, limit: ALL })).message.order_list });

/** Ended plan orders, page by page: those redeemed early, or those that matured. */
export const useEndedHostings = (early: boolean, enabled = true) =>
  useInfiniteQuery({
    queryKey: [...MINE, 'ended', early],
    enabled: useLoggedIn() && enabled,
    refetchOnMount: 'always',
    queryFn: async ({ pageParam }) => (await api.get('lh/deposit/order', { status: 2, is_cancel: early ? 1 : 0, page: pageParam, limit: PAGE })).message.order_list,
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length + 1),
  });

const STATES = { running: { status: 1 }, completed: { status: 2, is_cancel: 0 }, redeemed: { status: 2, is_cancel: 1 } } as const;

/** All plan orders, or those of a state, page by page, newest first. */
export const useHostingPages = (state?: HostingState) =>
  useInfiniteQuery({
    queryKey: [...MINE, 'all', state],
    enabled: useLoggedIn(),
    refetchOnMount: 'always',
    queryFn: async ({ pageParam }) => (await api.get('lh/deposit/order', { ...(state && STATES[state]), page: pageParam, limit: PAGE })).message.order_list,
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length + 1),
  });

export const usePlanReport = () => useQuery({ queryKey: [...MINE, 'report'], enabled: useLoggedIn(), refetchOnMount: 'always', refetchInterval, queryFn: async () => (await api.get('lh/deposit/report')).message });

/** What an early redemption pays now; it changes only at 00:00 UTC. */
export const usePreview = (order: Hosting | undefined) =>
  useQuery({
    queryKey: [...MINE, 'preview', order?.id],
    enabled: order?.status === 1,
    refetchInterval: ({ state }) => (state.data ? Math.max(1_000, Math.min(60_000, state.data.valid_until_ms - serverNow() + 500)) : false),
    queryFn: async () => (await api.get('lh/deposit/order/preview', { id: order?.id ?? 0 })).message,
  });

/** What the treasury holds of each coin, has set aside, and can still promise, with the log entries that it follows from. */
export const useTreasury = () =>
  useQuery({
    queryKey: ['pools', 'plan'],
    staleTime: 30_000,
    queryFn: async () => {
      const { message, data } = await api.get('public/pools');
      return { pools: message.filter(({ account }) => account === 'plan_treasury'), from: data.from_seq, to: data.to_seq };
    },
  });

/** After a purchase or a redemption: lists, balances and the treasury are read again. */
export async function refreshPlans(): Promise<void> {
  await refresh(MINE, ['me', 'wallet'], ['pools']);
}
