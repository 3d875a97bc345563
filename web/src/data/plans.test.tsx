import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useHostings, usePlanReport } from './plans';
import { queryClient } from './query';
import { useSession } from './session';

const get = vi.hoisted(() => vi.fn(async (path: string) => ({ message: { path, order_list: [] } })));
vi.mock('../lib/http', async (original) => ({ ...(await original<object>()), api: { get } }));

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('plans that are on the screen are read again when the UTC day turns, and not before', async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20, 23, 58) });
  useSession.setState({ user: { id: 1 } as never, token: 'x' });
  renderHook(() => [useHostings(), usePlanReport()], { wrapper: ({ children }) => <QueryClientProvider client={queryClient}>{children}</QueryClientProvider> });
  const reads = () => get.mock.calls.map(([path]) => path).toSorted();
  await vi.advanceTimersByTimeAsync(119_000);
  expect(reads()).toEqual(['lh/deposit/order', 'lh/deposit/report']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(reads()).toEqual(['lh/deposit/order', 'lh/deposit/order', 'lh/deposit/report', 'lh/deposit/report']);
});
