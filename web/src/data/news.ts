import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '../lib/http';

/** Categories of the wire. */
export const ANNOUNCEMENTS = 4;
export const HELP = 19;

const LIMIT = 50;

/** Articles of a category in the server's order, page by page; with a search, those that have each of its words. */
export function useArticles(category: typeof ANNOUNCEMENTS | typeof HELP, search?: string) {
  return useInfiniteQuery({
    queryKey: ['news', category, 'list', search],
    staleTime: 60_000,
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => (await api.query('news/list', { c_id: category, search, page: pageParam, limit: LIMIT })).message,
    // What was found stays until the next search has been answered.
    placeholderData: keepPreviousData,
    getNextPageParam: ({ page, limit, count }) => (page * limit < count ? page + 1 : undefined),
    select: ({ pages }) => pages.flatMap(({ list }) => list),
  });
}

export function useArticle(id: number) {
  return useQuery({
    queryKey: ['news', 'article', id],
    staleTime: 300_000,
    queryFn: async () => (await api.query('news/detail', { id })).message,
  });
}
