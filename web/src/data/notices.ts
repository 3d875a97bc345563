import { useInfiniteQuery } from '@tanstack/react-query';
import type { Notification } from '../generated/api';
import { api } from '../lib/http';
import { queryClient, refresh, refreshSoon } from './query';
import { useSession } from './session';

const LIST = ['me', 'notices'];
const LIMIT = 20;

/** The member's messages, newest first, page by page. */
export function useNotices(enabled: boolean) {
  return useInfiniteQuery({
    queryKey: LIST,
    enabled,
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => (await api.get('notice/list', { page: pageParam, limit: LIMIT })).message,
    getNextPageParam: ({ current_page, last_page }) => (current_page < last_page ? current_page + 1 : undefined),
  });
}

function setUnread(count: (before: number) => number): void {
  const { user } = useSession.getState();
  if (!user) return;
  const next = { ...user, unread: Math.max(0, count(user.unread)) };
  useSession.setState({ user: next });
  queryClient.setQueryData(['me', 'center'], next);
}

/** Marks one message, or all of them, as read. */
export async function markRead(which: { id: number } | { all: 1 }): Promise<void> {
  const { data } = await api.post('notice/read', which, { quiet: true });
  setUnread(() => data.unread);
  await refresh(LIST);
}

/** A new message: it is counted at once, and what it may be about is read again. */
export function receiveNotice(notice: Notification): void {
  setUnread((before) => before + 1);
  // Which products are offered depends on the member's documents, and the launch of a coin lists its pair.
  if (['identity', 'subscription'].includes(notice.kind)) refreshSoon(['config']);
  refreshSoon(...['notices', notice.kind, 'funding', 'center'].map((part) => ['me', part]));
}
