import { useInfiniteQuery } from '@tanstack/react-query';
import type { Notification } from '../generated/api';
import { api } from '../lib/http';
import { queryClient } from './query';
import { useSession } from './session';

const LIST = ['me', 'notices'];
const LIMIT = 20;

/** Messages to the person, newest first, page after page. */
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
  await queryClient.invalidateQueries({ queryKey: LIST });
}

/** A message came: it counts at once, and what it can be about is read anew. */
export function receiveNotice(notice: Notification): void {
  setUnread((before) => before + 1);
  // What is offered depends on who the papers say one is.
  if (notice.kind === 'identity') void queryClient.invalidateQueries({ queryKey: ['config'] });
  for (const part of ['notices', notice.kind, 'funding', 'center']) void queryClient.invalidateQueries({ queryKey: ['me', part] });
}
