import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import type { SpotOrder } from '../../generated/api';
import { settled } from './api';
import { useOrderPages } from './pages';

const { get, heard } = vi.hoisted(() => ({ get: vi.fn(), heard: [] as ((order: SpotOrder) => void)[] }));
vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { get } }));
vi.mock('../../lib/socket', async (original) => ({
  ...(await original<object>()),
  onPrivate: (_event: string, hear: (order: SpotOrder) => void) => {
    heard.push(hear);
    return () => {};
  },
}));
vi.mock('../../data/session', async (original) => ({ ...(await original<object>()), useLoggedIn: () => true }));

const order = (id: number, status = 1, seq = 1) => ({ id, status, seq, currency_id: 1, legal_id: 3 }) as SpotOrder;
let orders: SpotOrder[];
const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
const ids = (pages: { result: { current: ReturnType<typeof useOrderPages> } }) => pages.result.current.data?.pages.flat().map(({ id }) => id);

beforeEach(() => {
  queryClient.clear();
  orders = Array.from({ length: 45 }, (_, n) => order(45 - n));
  get.mockImplementation(async (_path: string, { status, page, limit }: { status?: number; page: number; limit: number }) => ({
    message: orders.filter((one) => status === undefined || one.status === status).slice((page - 1) * limit, page * limit),
  }));
});
afterEach(cleanup);

test('an order that leaves the list takes none of the others with it', async () => {
  const pages = renderHook(() => useOrderPages({ status: 1 }), { wrapper });
  await waitFor(() => expect(ids(pages)).toHaveLength(20));
  orders = orders.map((one) => (one.id === 40 ? order(40, 3, 2) : one));
  act(() => settled(order(40, 3, 2)));
  expect(pages.result.current.hasNextPage).toBe(true);
  await waitFor(() => expect(ids(pages)).not.toContain(40));
  for (const length of [40, 44]) {
    act(() => void pages.result.current.fetchNextPage());
    await waitFor(() => expect(ids(pages)).toHaveLength(length));
  }
  expect(ids(pages)).toEqual(orders.map(({ id }) => id).filter((id) => id !== 40));
  expect(pages.result.current.hasNextPage).toBe(false);
});

test('an order that comes stands first, and no other stands twice', async () => {
  const pages = renderHook(() => useOrderPages({}), { wrapper });
  await waitFor(() => expect(ids(pages)).toHaveLength(20));
  // The next page is requested before the event of the new order arrives.
  orders = [order(46), ...orders];
  act(() => void pages.result.current.fetchNextPage());
  await waitFor(() => expect(pages.result.current.data?.pages).toHaveLength(2));
  expect(ids(pages)).toEqual(orders.slice(1, 40).map(({ id }) => id));
  act(() => heard.at(-1)?.(order(46)));
  await waitFor(() => expect(ids(pages)?.slice(0, 2)).toEqual([46, 45]));
  expect(ids(pages)).toEqual(orders.slice(0, 40).map(({ id }) => id));
});

test('an order that stays changes in place, and never to an older state', async () => {
  const pages = renderHook(() => useOrderPages({}), { wrapper });
  await waitFor(() => expect(ids(pages)).toHaveLength(20));
  const asked = get.mock.calls.length;
  act(() => settled(order(44, 2, 3)));
  act(() => settled(order(44, 1, 2)));
  await waitFor(() => expect(pages.result.current.data?.pages.flat()[1]?.status).toBe(2));
  expect(get.mock.calls.length).toBe(asked);
});

test('a burst of cancels is read anew once, also in a list that is not on the screen', async () => {
  const other = renderHook(() => useOrderPages({}), { wrapper });
  await waitFor(() => expect(ids(other)).toHaveLength(20));
  other.unmount();
  const pages = renderHook(() => useOrderPages({ status: 1 }), { wrapper });
  await waitFor(() => expect(ids(pages)).toHaveLength(20));
  const asked = get.mock.calls.length;
  orders = [order(46), ...orders.map(({ id }) => order(id, 3, 2))];
  act(() => heard.at(-1)?.(order(46)));
  for (const { id } of orders.slice(1).toReversed()) act(() => heard.at(-1)?.(order(id, 3, 2)));
  await waitFor(() => expect(ids(pages)).toEqual([46]));
  expect(get.mock.calls.length).toBe(asked + 1);
  const again = renderHook(() => useOrderPages({}), { wrapper });
  await waitFor(() => expect(ids(again)?.[0]).toBe(46));
});
