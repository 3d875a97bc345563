import { QueryClient, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Refusal } from '../lib/errors';
import { serverNow, setServerTime } from '../lib/time';
import { appConfig, colleagues, ops, type Proposal, type QueueKind, type ReadAnswer, type ReadParams, type ReadPath } from './api';
import { useIdle } from './idle';
import type { Words } from './model/listing';
import { signedWords } from './model/signed';
import { withCoins } from './model/values';
import { useMe } from './session';

/** Reads of the console: live lists, and one place for the names of operators. */

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 2_000, networkMode: 'always', retry: (count, error) => count < 2 && error instanceof Refusal && error.code === 'E_NETWORK' },
    mutations: { networkMode: 'always' },
  },
});

/** Refresh interval of lists on the screen. Every read is in the audit log, so it is not repeated more often than a person would. */
export const LIVE = 10_000;
export const COUNTS = 60_000;

export function useRead<P extends ReadPath>(path: P, params: ReadParams<P>, options: { every?: number; enabled?: boolean } = {}): UseQueryResult<ReadAnswer<P>> {
  const { every = 0, enabled = true } = options;
  const resting = useIdle((state) => state.resting);
  return useQuery({
    queryKey: ['ops', path, params],
    enabled,
    queryFn: ({ signal }) => ops.get(path, params, signal),
    refetchInterval: every && !resting ? every : false,
    placeholderData: (before, query) => (query?.queryKey[1] === path ? before : undefined),
  });
}

/** The number of waiting cases in a queue, for the rail. */
export const useCount = (kind: QueueKind): number | undefined => useRead('queue', { kind, status: 'open', page: 1, limit: 1 }, { every: COUNTS }).data?.total;

/** Open proposals: waiting for a second person, or for their instant. */
export const useWaiting = (): Proposal[] => useRead('proposals', { state: 'waiting', page: 1, limit: 100 }, { every: COUNTS }).data?.data ?? NONE;
const NONE: Proposal[] = [];

/** Refreshes everything on the screen. */
export const refresh = (): void => void queryClient.invalidateQueries({ queryKey: ['ops'], predicate: ({ queryKey }) => queryKey[1] !== 'item' && queryKey[1] !== 'user/detail' });

/** Data that one operator read is not for the next one. The log-in's own read stays, because it may be in progress. */
export const forget = (): void => queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'config' });

/** The listed coins and pairs may have changed since they were read. */
export const refreshConfig = (): void => void queryClient.invalidateQueries({ queryKey: ['config'] });

export const useConfig = () =>
  useQuery({
    queryKey: ['config'],
    staleTime: Infinity,
    refetchInterval: COUNTS,
    queryFn: async () => {
      const { message, took } = await appConfig();
      setServerTime(message.server_time_ms, took);
      return message;
    },
  });

/** The server's time, to which ages and promises refer; a sandbox may be ahead of this machine. */
export function useServerNow(period = 10_000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), period);
    return () => clearInterval(timer);
  }, [period]);
  return now;
}

/** Code of a coin; its number if it is not listed. */
export function useCoin(): (id: number) => string {
  const coins = useConfig().data?.currencies;
  return (id) => coins?.find((coin) => coin.id === id)?.code ?? `coin ${id}`;
}

/** What two operators sign, in words, with coins by their code. */
export function useSigned(): (proposal: Proposal) => Words {
  const codeOf = useCoin();
  return (proposal) => signedWords({ ...proposal, values: withCoins(proposal.values, codeOf), before: proposal.before && withCoins(proposal.before, codeOf) });
}

/** Name of an operator; the number while the name is not known. */
export function useOperatorName(): (id: number) => string {
  const me = useMe();
  const { data } = useQuery({ queryKey: ['colleagues'], staleTime: COUNTS, queryFn: ({ signal }) => colleagues(signal) });
  return (id) => (id === me.id ? 'you' : (data?.find((colleague) => colleague.id === id)?.name ?? `operator ${id}`));
}
