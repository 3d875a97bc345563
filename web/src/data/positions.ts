import { useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Position } from '../generated/api';
import { api } from '../lib/http';
import { add, amount, zero, type Amount } from '../lib/money';
import { profitAt } from '../lib/position';
import { onPrivate } from '../lib/socket';
import { queryClient, refresh, refreshSoon } from './query';
import { OWN_LIMITS, useLoggedIn, useSession } from './session';
import { usePrices } from './tickers';

/** Contract positions and orders waiting to open one, as on the wire. */

const LISTS = ['me', 'positions'];
const PAGES = ['me', 'positionPages'];
/** More than a member may have open. */
const ALL = 100;
const PAGE = 20;
type Open = 0 | 1;
type Pages = InfiniteData<Position[], number>;

/** Events of positions, newest last; a list in transit may be older. */
const told = new Map<number, Position>();
const TOLD = 200;
useSession.subscribe(({ user }, before) => {
  if (user?.id !== before.user?.id) told.clear();
});

type Status = Open | 3 | 4;
async function read(status: Status | undefined, page: number, limit: number): Promise<Position[]> {
  const { message, seq } = await api.query('lever/my_trade', { ...(status !== undefined && { status }), page, limit });
  const rows: Position[] = message.message.data;
  const since = [...told.values()].filter((one) => one.seq > seq);
  return since.reduce((all, one) => place(all, one, status), rows);
}

/** Puts the new state of a position into the list of a status. */
export function place(rows: Position[], position: Position, status: number | undefined): Position[] {
  const known = rows.find(({ id }) => id === position.id);
  if (known && known.seq > position.seq) return rows;
  const fits = status === undefined || position.status === status;
  if (!fits) return known ? rows.filter(({ id }) => id !== position.id) : rows;
  if (known) return rows.map((row) => (row.id === position.id ? position : row));
  const at = rows.findIndex(({ id }) => id < position.id);
  return rows.toSpliced(at < 0 ? rows.length : at, 0, position);
}

/** A position that opened, changed or closed, from an event or the answer to a write. */
export function patchPosition(position: Position): void {
  if ((told.get(position.id)?.seq ?? 0) <= position.seq) {
    told.delete(position.id);
    told.set(position.id, position);
  }
  refreshSoon(OWN_LIMITS);
  for (const [oldest] of told) if (told.size > TOLD) told.delete(oldest);
  for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: LISTS })) {
    queryClient.setQueryData<Position[]>(queryKey, (rows) => rows && place(rows, position, queryKey[2] as Open));
  }
  for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: PAGES })) {
    const pages = queryClient.getQueryData<Pages>(queryKey);
    if (!pages) continue;
    if (pages.pages.flat().some(({ id }) => id === position.id)) queryClient.setQueryData<Pages>(queryKey, { ...pages, pages: pages.pages.map((rows) => rows.map((row) => (row.id === position.id && row.seq <= position.seq ? position : row))) });
    else refreshSoon(queryKey);
  }
}

/** Keeps every list of positions up to date while a screen shows one. */
export const useFollowPositions = () => useEffect(() => onPrivate<Position>('position', patchPosition), []);

/** Open positions (1) or waiting orders (0), newest first. */
export const usePositions = (status: Open, enabled = true) => useQuery({ queryKey: [...LISTS, status], enabled: useLoggedIn() && enabled, refetchOnMount: 'always', queryFn: () => read(status, 1, ALL) });

/** Open profits less open losses at present prices; undefined until the positions are known. */
export function useOpenProfit(enabled: boolean): Amount | undefined {
  useFollowPositions();
  const { data } = usePositions(1, enabled);
  const rows = (enabled && data) || undefined;
  const prices = usePrices([...new Set(rows?.map(({ symbol }) => symbol))]);
  return rows?.reduce((sum, position) => {
    const mark = prices.get(position.symbol);
    return add(sum, mark === undefined ? amount(position.profits) : profitAt(position, amount(mark)));
  }, zero());
}

/** A row that moved while the next page was read appears twice. */
function unique(data: Pages): Pages {
  const seen = new Set<number>();
  return { ...data, pages: data.pages.map((rows) => rows.filter(({ id }) => !seen.has(id) && seen.add(id))) };
}

/** Positions and orders of a status, or all of them, page by page. */
export const usePositionPages = (status?: Status) =>
  useInfiniteQuery({
    queryKey: [...PAGES, status],
    enabled: useLoggedIn(),
    refetchOnMount: 'always',
    queryFn: ({ pageParam }) => read(status, pageParam, PAGE),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length + 1),
    select: unique,
  });

/** Balances that a contract write changed are read again. */
export function settledPosition(position: Position): void {
  patchPosition(position);
  void refresh(['me', 'wallet']);
}

/** The newest state of a position that a screen shows; it may have left the lists. */
export function useNewest(position: Position): Position {
  const [open, waiting] = [usePositions(1).data, usePositions(0).data];
  const known = [...(open ?? []), ...(waiting ?? []), told.get(position.id) ?? position].filter(({ id }) => id === position.id);
  return known.reduce((newest, one) => (one.seq > newest.seq ? one : newest), position);
}
