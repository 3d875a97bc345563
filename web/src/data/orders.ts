import { useQuery } from '@tanstack/react-query';
import type { SpotOrder } from '../generated/api';
import { api } from '../lib/http';
import { queryClient } from './query';
import { useLoggedIn, useSession } from './session';

export interface OrderFilter {
  currency_id?: number;
  legal_id?: number;
  /** 1 waiting, 2 completed, 3 cancelled. */
  status?: number;
  page?: number;
  limit?: number;
}

/** Events of the member's orders, newest last; an answer in transit may be older. */
const told = new Map<number, SpotOrder>();
const TOLD = 1_000;
useSession.subscribe(({ user }, before) => {
  if (user?.id !== before.user?.id) told.clear();
});

/** Spot orders as in the answer, with what events reported since. */
export async function readOrders(filter: OrderFilter): Promise<SpotOrder[]> {
  const { message, seq } = await api.get('coin/list', filter);
  return [...told.values()].filter((order) => order.seq > seq).reduce((rows, order) => applyOrder(rows, order, filter), message);
}

/** Spot orders, newest first, updated by `order` events. */
export const useOrders = (filter: OrderFilter = {}) => useQuery({ queryKey: ['me', 'orders', filter], enabled: useLoggedIn(), queryFn: () => readOrders(filter) });

export const fits = (order: SpotOrder, { currency_id, legal_id, status }: OrderFilter) =>
  (currency_id === undefined || order.currency_id === currency_id) &&
  (legal_id === undefined || order.legal_id === legal_id) &&
  (status === undefined || order.status === status);

/** Puts the new state of an order into every list it belongs to. */
export function applyOrder(rows: SpotOrder[], order: SpotOrder, filter: OrderFilter): SpotOrder[] {
  const known = rows.find((row) => row.id === order.id);
  if (known && known.seq > order.seq) return rows;
  if (!fits(order, filter)) return rows.filter((row) => row.id !== order.id);
  if (known) return rows.map((row) => (row.id === order.id ? order : row));
  const place = rows.findIndex((row) => row.id < order.id);
  if ((filter.page ?? 1) > 1 || (place < 0 && rows.length >= (filter.limit ?? Infinity))) return rows;
  return rows.toSpliced(place < 0 ? rows.length : place, 0, order);
}

export function patchOrder(order: SpotOrder): void {
  if ((told.get(order.id)?.seq ?? 0) <= order.seq) {
    told.delete(order.id);
    told.set(order.id, order);
  }
  for (const [oldest] of told) if (told.size > TOLD) told.delete(oldest);
  for (const query of queryClient.getQueryCache().findAll({ queryKey: ['me', 'orders'] })) {
    const filter = (query.queryKey[2] ?? {}) as OrderFilter;
    queryClient.setQueryData<SpotOrder[]>(query.queryKey, (rows) => rows && applyOrder(rows, order, filter));
  }
}
