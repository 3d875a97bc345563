import { useQuery } from '@tanstack/react-query';
import type { SpotOrder } from '../generated/api';
import { api } from '../lib/http';
import { queryClient } from './query';
import { useLoggedIn } from './session';

export interface OrderFilter {
  currency_id?: number;
  legal_id?: number;
  /** 1 waiting, 2 completed, 3 cancelled. */
  status?: number;
  page?: number;
  limit?: number;
}

/** Spot orders, newest first, kept current by `order` events. */
export function useOrders(filter: OrderFilter = {}) {
  return useQuery({
    queryKey: ['me', 'orders', filter],
    enabled: useLoggedIn(),
    queryFn: async () => (await api.get('coin/list', filter)).message,
  });
}

export const fits = (order: SpotOrder, { currency_id, legal_id, status }: OrderFilter) =>
  (currency_id === undefined || order.currency_id === currency_id) &&
  (legal_id === undefined || order.legal_id === legal_id) &&
  (status === undefined || order.status === status);

/** Puts a new state of an order into every list it belongs to. */
export function applyOrder(rows: SpotOrder[], order: SpotOrder, filter: OrderFilter): SpotOrder[] {
  const known = rows.find((row) => row.id === order.id);
  if (known && known.seq > order.seq) return rows;
  if (!fits(order, filter)) return rows.filter((row) => row.id !== order.id);
  if (known) return rows.map((row) => (row.id === order.id ? order : row));
  return filter.page && filter.page > 1 ? rows : [order, ...rows];
}

export function patchOrder(order: SpotOrder): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['me', 'orders'] })) {
    const filter = (query.queryKey[2] ?? {}) as OrderFilter;
    queryClient.setQueryData<SpotOrder[]>(query.queryKey, (rows) => rows && applyOrder(rows, order, filter));
  }
}
