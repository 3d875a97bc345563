import { beforeEach, expect, test, vi } from 'vitest';
import type { PublicEvent, Room } from '../lib/socket';
import type { Candle } from '../lib/candles';
import { candleFeed, withVolume } from './candles';

const rooms = vi.hoisted(() => new Map<string, { send: (event: PublicEvent) => void; gap: () => void }>());
const reads = vi.hoisted(() => ({ index: [] as { timestamp: number; past?: true }[], trade: [] as { timestamp: number }[] }));
vi.mock('../lib/socket', async (original) => ({
  ...(await original<object>()),
  subscribe: (room: Room, send: (event: PublicEvent) => void, gap: () => void) => {
    rooms.set(room.series ?? '', { send, gap });
    return () => rooms.delete(room.series ?? '');
  },
}));
vi.mock('../lib/http', async (original) => ({
  ...(await original<object>()),
  api: { get: (_path: string, { series }: { series: 'index' | 'trade' }) => Promise.resolve({ message: reads[series].map(({ timestamp, ...rest }) => ({ time: timestamp, ...rest })) }) },
}));

const candle = (timestamp: number, close: number, volume = 0): Candle => ({ timestamp, open: close, high: close, low: close, close, volume });
const event = (time: number, close: number, volume = 0) => ({ type: 'kline', symbol: 'BTC/USDT', seq: 1, time_ms: 0, time, open: close, high: close, low: close, close, volume }) as PublicEvent;

beforeEach(() => {
  rooms.clear();
  reads.index = [candle(60, 100), candle(120, 101)];
  reads.trade = [candle(120, 99, 5)];
});

test('index prices carry the volume that was traded at the same time', () => {
  expect(withVolume([candle(60, 100), candle(120, 101)], [candle(120, 99, 5)])).toMatchObject([candle(60, 100), candle(120, 101, 5)]);
});

test('the live candle keeps its volume, and takes new trades', async () => {
  const feed = candleFeed('BTC/USDT', '1min', 'index');
  expect((await feed.newest()).at(-1)?.volume).toBe(5);
  const shown: Candle[] = [];
  const leave = feed.follow((next) => shown.push(next));
  rooms.get('index')?.send(event(120, 102));
  rooms.get('trade')?.send(event(120, 98, 7));
  rooms.get('index')?.send(event(180, 103));
  expect(shown).toMatchObject([candle(120, 102, 5), candle(120, 102, 7), candle(180, 103)]);
  leave();
  expect(rooms.size).toBe(0);
});

test('after a gap every candle since the last one is shown again', async () => {
  const feed = candleFeed('BTC/USDT', '1min', 'trade');
  const shown: Candle[] = [];
  feed.follow((next) => shown.push(next));
  rooms.get('trade')?.send(event(60, 100, 1));
  reads.trade = [candle(0, 90, 1), candle(60, 100, 2), candle(120, 104, 1)];
  rooms.get('trade')?.gap();
  await vi.waitFor(() => expect(shown.slice(1)).toEqual([candle(60, 100, 2), candle(120, 104, 1)]));
});

test('the time line has no older page', async () => {
  expect(await candleFeed('BTC/USDT', 'timeline', 'index').older(60)).toEqual([]);
});

test('where the sources tell their volume, it is shown as theirs and read again as it grows', async () => {
  vi.useFakeTimers();
  const sourced = (row: Candle): Candle => ({ ...row, volumeOf: 'sources' });
  reads.index = [candle(0, 100, 7), candle(60_000, 101, 2)];
  const feed = candleFeed('BTC/USDT', '1min', 'index');
  expect(await feed.newest()).toEqual([sourced(candle(0, 100, 7)), sourced(candle(60_000, 101, 2))]);
  const shown: Candle[] = [];
  const leave = feed.follow((next) => shown.push(next));
  rooms.get('index')?.send(event(60_000, 102));
  rooms.get('trade')?.send(event(60_000, 98, 500));
  expect(shown).toEqual([sourced(candle(60_000, 102, 2))]);
  reads.index = [candle(0, 100, 9), candle(60_000, 101, 3)];
  await vi.advanceTimersByTimeAsync(20_000);
  expect(shown.slice(1)).toEqual([sourced(candle(0, 100, 9)), sourced(candle(60_000, 102, 3))]);
  leave();
  vi.useRealTimers();
});

test('candles of before our log say so, and only they', async () => {
  reads.index = [{ ...candle(60, 100), past: true }, candle(120, 101)];
  const rows = await candleFeed('BTC/USDT', '1min', 'index').newest();
  expect(rows.map(({ past }) => past)).toEqual([true, undefined]);
});
