import { useQuery, type InfiniteData } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fits, patchOrder, type OrderFilter } from '../../data/orders';
import { queryClient, refresh, refreshSoon } from '../../data/query';
import { useLoggedIn } from '../../data/session';
import type { MarketRules, SpotOrder } from '../../generated/api';
import { api } from '../../lib/http';
import { wire, type Amount } from '../../lib/money';
import type { Confirmed } from '../../lib/review';
import { onPrivate } from '../../lib/socket';
import { toParams, type Draft } from './order';

export const readBook = async (symbol: string) => (await api.get('market/book', { symbol, levels: 200 })).message;
export const readTrades = async (symbol: string, limit: number) => (await api.get('market/trades', { symbol, limit })).message;

/** Updates lists and balances after a write; the socket reports the same a moment later. */
export function settled(order: SpotOrder): void {
  patchOrder(order);
  patchPages(order);
  void refresh(['me', 'wallet'], orderKey(order.id));
}

/** The request: the order as typed, with the displayed rules and fees. */
export interface Reviewed {
  draft: Draft;
  rules: MarketRules;
}
/** Places an order; the sheet shows refusals. */
export const placeOrder = ({ draft, rules }: Confirmed<Reviewed>) => api.post('coin/trade', toParams(draft, rules), { quiet: true, mask: true, kept: 'order' });
export type Placed = Awaited<ReturnType<typeof placeOrder>>['data'];

export async function cancelOrder(id: number): Promise<SpotOrder> {
  const { data } = await api.put('coin/trade', { id });
  settled(data.order);
  return data.order;
}

/** An order as it was shown when its price was changed, and the rules of its pair. */
export interface Movable {
  order: SpotOrder;
  rules: MarketRules;
}
/** Takes what is left of an order to another price; the sheet shows refusals. */
export const moveOrder = ({ order }: Confirmed<Movable>, price: Amount) => api.post('coin/move', { id: order.id, target_price: wire(price) }, { quiet: true, mask: true, kept: 'order' });

/** Cancels every waiting order of a pair; returns how many. */
export async function cancelAll(pair: { currency_id: number; legal_id: number }): Promise<number> {
  const { data } = await api.post('coin/cancel_all', pair);
  await refresh(['me']);
  return data.cancelled.length;
}

// Below `fills`, so that a `trade` event has it read again.
const orderKey = (id: number) => ['me', 'fills', 'order', id];

/** One order with its fills, kept up to date. */
export function useOrder(id: number | undefined, initial?: Placed) {
  const loggedIn = useLoggedIn();
  useEffect(
    () =>
      onPrivate<SpotOrder>('order', (order) => {
        if (order.id === id) refreshSoon(orderKey(order.id));
      }),
    [id],
  );
  return useQuery({
    queryKey: orderKey(id ?? 0),
    enabled: loggedIn && id !== undefined,
    queryFn: async () => (await api.get('coin/order', { id: id as number })).message,
    ...(initial && { initialData: initial }),
  });
}

export const ORDER_PAGES = ['me', 'orderPages'];
export type Pages = InfiniteData<SpotOrder[], number>;

/** A known row changes in place. An added or removed row shifts the pages after it, so they are read again. */
export function patchPages(order: SpotOrder): void {
  for (const { queryKey, state } of queryClient.getQueryCache().findAll({ queryKey: ORDER_PAGES })) {
    const data = queryClient.getQueryData<Pages>(queryKey);
    if (!data) continue;
    const known = data.pages.flat().some(({ id }) => id === order.id);
    const newer = (row: SpotOrder) => (row.id === order.id && row.seq <= order.seq ? order : row);
    if (known) queryClient.setQueryData<Pages>(queryKey, { ...data, pages: data.pages.map((rows) => rows.map(newer)) });
    if (known === fits(order, queryKey[2] as OrderFilter) && !state.isInvalidated) continue;
    void queryClient.invalidateQueries({ queryKey, refetchType: 'none' });
    refreshSoon(ORDER_PAGES);
  }
}
