import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { refresh } from '../../data/query';
import { useLoggedIn } from '../../data/session';
import { api } from '../../lib/http';

const PAGE = 20;
/** A system notice reports a rebate, which has them read again. */
const KEY = ['me', 'system'];

export const useInvite = () => useQuery({ queryKey: [...KEY, 'own'], enabled: useLoggedIn(), queryFn: async () => (await api.get('user/invite')).message });
/** The texts for the link in the present language, and the backgrounds of the poster. */
export const useShare = (language: string) => useQuery({ queryKey: [...KEY, 'share', language], enabled: useLoggedIn(), staleTime: Infinity, queryFn: async () => (await api.get('user/my_share')).message });
export const usePoster = () => useQuery({ queryKey: [...KEY, 'poster'], enabled: useLoggedIn(), staleTime: Infinity, queryFn: async () => (await api.get('user/my_poster')).message });

/** The ten with the highest totals, and the log entries that they follow from; they change after midnight, even while the page is open. */
export const useLeaders = () =>
  useQuery({
    queryKey: [...KEY, 'leaders'],
    refetchOnMount: 'always',
    refetchInterval: 60_000,
    queryFn: async () => {
      const { message, data } = await api.query('user/invite_list');
      return { ranks: message, from: data.from_seq, to: data.to_seq };
    },
  });

const pages = <T>(name: string, read: (page: number) => Promise<T[]>) => ({
  queryKey: [...KEY, name],
  initialPageParam: 1,
  queryFn: ({ pageParam }: { pageParam: number }) => read(pageParam),
  getNextPageParam: (last: T[], all: T[][]) => (last.length < PAGE ? undefined : all.length + 1),
});
export const useInvitees = () => useInfiniteQuery({ ...pages('friends', async (page) => (await api.query('user/my_invite_list', { page, limit: PAGE })).message.data), enabled: useLoggedIn() });
export const useRebates = () => useInfiniteQuery({ ...pages('rebates', async (page) => (await api.query('user/my_account_return', { page, limit: PAGE })).message.data), enabled: useLoggedIn() });

export const refreshInvite = () => refresh(KEY);

/** The picture of the poster, drawn by the server. */
export const posterAddress = (index: number, language: string) => `/api/user/poster_image?index=${index}&lang=${language}`;
