import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readOrders, type OrderFilter } from '../../data/orders';
import { useLoggedIn } from '../../data/session';
import type { SpotOrder } from '../../generated/api';
import { onPrivate } from '../../lib/socket';
import { ORDER_PAGES, patchPages, type Pages } from './api';

const PAGE = 20;

/** A row that moved while the next page was read appears twice. */
function unique(data: Pages): Pages {
  const seen = new Set<number>();
  return { ...data, pages: data.pages.map((rows) => rows.filter(({ id }) => !seen.has(id) && seen.add(id))) };
}

/** The order history page by page, newest first, updated by `order` events. */
export function useOrderPages(filter: OrderFilter) {
  useEffect(() => onPrivate<SpotOrder>('order', patchPages), []);
  return useInfiniteQuery({
    queryKey: [...ORDER_PAGES, filter],
    enabled: useLoggedIn(),
    queryFn: ({ pageParam }) => readOrders({ ...filter, page: pageParam, limit: PAGE }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length + 1),
    select: unique,
  });
}
