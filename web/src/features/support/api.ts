import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { refresh } from '../../data/query';
import { api } from '../../lib/http';
import type { Category } from './model';

const quiet = { quiet: true };
const LIMIT = 20;
/** Under the keys of the notices that report a new message. */
const CHAT = ['me', 'chat'];
const TICKETS = ['me', 'ticket'];

/** The chat with support, newest first, page by page. */
export function useChat() {
  return useInfiniteQuery({
    queryKey: CHAT,
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam }) => (await api.get('chat/history', { ...(pageParam !== undefined && { before_id: pageParam }), limit: LIMIT })).message,
    getNextPageParam: (page) => (page.length === LIMIT ? page.at(-1)?.id : undefined),
    select: ({ pages }) => pages.flat(),
  });
}
export async function say(content: string, imgs: string[]): Promise<void> {
  await api.post('chat/send', { content, imgs }, quiet);
  await refresh(CHAT);
}

export function useTickets() {
  return useInfiniteQuery({
    queryKey: [...TICKETS, 'list'],
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => (await api.get('feedback/list', { page: pageParam, limit: LIMIT })).message,
    getNextPageParam: ({ current_page, last_page }) => (current_page < last_page ? current_page + 1 : undefined),
  });
}
export function useTicket(id: number) {
  return useQuery({ queryKey: [...TICKETS, id], queryFn: async () => (await api.get('feedback/detail', { id })).message });
}
export async function openTicket(ticket: { title: string; category: Category; content: string; imgs: string[] }) {
  const { message } = await api.post('feedback/add', ticket, quiet);
  await refresh(TICKETS);
  return message;
}
export async function reply(id: number, content: string, imgs: string[]): Promise<void> {
  await api.post('feedback/reply', { id, content, imgs }, quiet);
  await refresh(TICKETS);
}
