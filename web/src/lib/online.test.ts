// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onReturn, useConnected, useOnline } from './online';

const line = vi.hoisted(() => ({ status: 'connecting', watchers: new Set<() => void>() }));
vi.mock('./socket', () => ({
  socketStatus: () => line.status,
  watchStatus: (watcher: () => void) => {
    line.watchers.add(watcher);
    return () => line.watchers.delete(watcher);
  },
}));
const become = (status: 'live' | 'offline' | 'connecting') =>
  act(() => {
    line.status = status;
    for (const watcher of line.watchers) watcher();
  });
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers();
  line.status = 'connecting';
});
afterEach(() => void vi.useRealTimers());

test('a server out of reach for five seconds is told, a short break is not', () => {
  const { result, unmount } = renderHook(() => ({ connected: useConnected(), online: useOnline() }));
  become('live');
  become('offline');
  pass(4_900);
  expect(result.current.connected).toBe(true);
  pass(200);
  expect(result.current).toEqual({ connected: false, online: true });
  become('live');
  expect(result.current.connected).toBe(true);
  become('offline');
  pass(4_900);
  expect(result.current.connected).toBe(true);
  unmount();
});

test('a server that was never reached is told as well', () => {
  const { result, unmount } = renderHook(() => useConnected());
  become('offline');
  pass(5_100);
  expect(result.current).toBe(false);
  unmount();
});

test('only a line that was lost returns', () => {
  const listener = vi.fn();
  const leave = onReturn(listener);
  become('live');
  expect(listener).not.toHaveBeenCalled();
  become('offline');
  become('live');
  expect(listener).toHaveBeenCalledTimes(1);
  dispatchEvent(new Event('online'));
  expect(listener).toHaveBeenCalledTimes(2);
  leave();
  become('offline');
  become('live');
  dispatchEvent(new Event('online'));
  expect(listener).toHaveBeenCalledTimes(2);
});
