// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PublicEvent, Room } from '../../lib/socket';
import { checksum, type Book, type Level } from './book';
import { useBook } from './live';

interface Joined {
  room: Room;
  send: (event: PublicEvent) => void;
  gap: () => void;
  left: boolean;
}
const rooms = vi.hoisted(() => [] as Joined[]);
vi.mock('../../lib/socket', async (original) => ({
  ...(await original<object>()),
  subscribe: (room: Room, send: Joined['send'], gap: Joined['gap']) => {
    const joined = { room, send, gap, left: false };
    rooms.push(joined);
    return () => {
      joined.left = true;
    };
  },
}));
const { readBook } = vi.hoisted(() => ({ readBook: vi.fn() }));
vi.mock('./api', () => ({ readBook, readTrades: () => new Promise(() => {}) }));

const start: Book = { seq: 10, bids: [['99.0', '1.00']], asks: [['101.0', '2.00']] };
const snapshot = { type: 'book', symbol: 'BTC/USDT', time_ms: 0, kind: 'snapshot', ...start, checksum: checksum(start) } as unknown as PublicEvent;
const delta = (seq: number, prev_seq: number, bids: Level[], sum: number) => ({ type: 'book', symbol: 'BTC/USDT', time_ms: 0, kind: 'delta', seq, prev_seq, bids, asks: [], checksum: sum }) as unknown as PublicEvent;
const better = delta(11, 10, [['99.5', '3.00']], checksum({ ...start, bids: [['99.5', '3.00'], ...start.bids] }));

const last = () => rooms.at(-1) as Joined;
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const bids = (hook: { result: { current: ReturnType<typeof useBook> } }) => hook.result.current.data?.bids.map(([price]) => price);

beforeEach(() => {
  rooms.length = 0;
  readBook.mockReturnValue(new Promise(() => {}));
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

test('a snapshot and a delta are shown at the repaint rate', () => {
  const hook = renderHook(() => useBook('BTC/USDT'));
  expect(last().room).toEqual({ channel: 'book', symbol: 'BTC/USDT' });
  last().send(snapshot);
  last().send(better);
  expect(bids(hook)).toBeUndefined();
  pass(250);
  expect(bids(hook)).toEqual(['99.5', '99.0']);
});

test.each([
  ['a delta that does not follow', delta(12, 11, [['99.5', '3.00']], 1)],
  ['a wrong checksum', delta(11, 10, [['99.5', '3.00']], 1)],
])('after %s the room is taken again and nothing wrong is shown', (_name, event) => {
  const hook = renderHook(() => useBook('BTC/USDT'));
  last().send(snapshot);
  pass(250);
  last().send(event);
  last().send(better);
  pass(999);
  expect([rooms.length, bids(hook)]).toEqual([1, ['99.0']]);
  pass(1);
  expect([rooms.length, rooms[0]?.left]).toEqual([2, true]);
  last().send(snapshot);
  last().send(better);
  pass(250);
  expect(bids(hook)).toEqual(['99.5', '99.0']);
});

test('after a gap deltas wait for the next snapshot', () => {
  const hook = renderHook(() => useBook('BTC/USDT'));
  last().send(snapshot);
  pass(250);
  last().gap();
  last().send(better);
  pass(2_000);
  expect([rooms.length, bids(hook)]).toEqual([1, ['99.0']]);
});

test('leaving the page leaves the room', () => {
  const hook = renderHook(() => useBook('BTC/USDT'));
  hook.unmount();
  expect(last().left).toBe(true);
});

test('a book that was not read is read and followed anew when it is asked for again', async () => {
  readBook.mockRejectedValueOnce(new Error());
  const hook = renderHook(() => useBook('BTC/USDT'));
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(hook.result.current.failed).toBe(true);
  readBook.mockResolvedValueOnce(start);
  act(() => hook.result.current.retry());
  expect(hook.result.current).toMatchObject({ data: undefined, failed: false });
  await act(() => vi.advanceTimersByTimeAsync(250));
  expect(bids(hook)).toEqual(['99.0']);
  expect([rooms.length, rooms[0]?.left]).toEqual([2, true]);
});
