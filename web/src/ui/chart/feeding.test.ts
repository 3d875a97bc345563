import type { Chart, DataLoader, KLineData } from 'klinecharts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Candle, Gap } from '../../lib/candles';
import { connect } from './feeding';

const candle = (timestamp: number): Candle => ({ timestamp, open: 1, high: 1, low: 1, close: 1, volume: 0 });

/** The library's use of its loader, without a canvas. */
function fakeChart() {
  let loader: DataLoader | undefined;
  const older = () =>
    new Promise<readonly KLineData[]>((callback) => {
      const key = { symbol: { ticker: '', pricePrecision: 1, volumePrecision: 4 }, period: { type: 'minute', span: 1 } } as const;
      void loader?.getBars({ ...key, type: 'forward', timestamp: rows[0]?.timestamp ?? null, callback: (data) => callback((rows = [...data, ...rows])) });
    });
  let rows: KLineData[] = [];
  const update = (row: KLineData) => {
    rows = [...rows.filter(({ timestamp }) => timestamp !== row.timestamp), row];
  };
  const load = () => {
    const key = { symbol: { ticker: '', pricePrecision: 1, volumePrecision: 4 }, period: { type: 'minute', span: 1 } } as const;
    loader?.unsubscribeBar?.(key);
    void loader?.getBars({
      ...key,
      type: 'init',
      timestamp: null,
      callback: (data) => {
        rows = [...data];
        loader?.subscribeBar?.({ ...key, callback: update });
      },
    });
  };
  const setBarSpace = vi.fn();
  const chart = {
    setDataLoader: (given: DataLoader) => {
      loader = given;
      load();
    },
    resetData: load,
    setBarSpace,
    getSize: () => ({ width: 320 }),
    getDataList: () => rows,
    setOffsetRightDistance: () => {},
    setSymbol: () => {},
    setPeriod: () => {},
  } as unknown as Chart;
  return { chart, setBarSpace, older, times: () => rows.map(({ timestamp }) => timestamp) };
}

function setup(newest: () => Promise<Candle[]>, period: 'timeline' | '1min' = '1min', older: () => Promise<Candle[]> = () => Promise.resolve([])) {
  let tick: (next: Candle) => void = () => {};
  const states: string[] = [];
  const past: (number | undefined)[] = [];
  const gaps: (readonly Gap[])[] = [];
  const follow = (show: (next: Candle) => void) => {
    tick = show;
    return () => {};
  };
  const fake = fakeChart();
  const stop = connect(fake.chart, { feed: { steady: true, newest, older, follow }, period, symbol: 'BTC/USDT', digits: 1, onVolume: () => {}, onPast: (end) => past.push(end), onGaps: (found) => gaps.push(found), onState: (state) => states.push(state) });
  return { ...fake, states, past, gaps, stop, tick: (next: Candle) => tick(next), pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a live candle does not hide that the history failed; it brings the history', async () => {
  const newest = vi.fn().mockRejectedValueOnce(new Error('down')).mockResolvedValue([candle(60), candle(120)]);
  const { states, times, tick, pass, stop } = setup(newest);
  await pass(0);
  tick(candle(180));
  await pass(1_000);
  expect(states).toEqual(['failed']);
  expect(times()).toEqual([]);
  await pass(5_000);
  tick(candle(180));
  tick(candle(180));
  await pass(0);
  tick(candle(180));
  await pass(300);
  expect(newest).toHaveBeenCalledTimes(2);
  expect(states).toEqual(['failed', 'ready', 'ready']);
  expect(times()).toEqual([60, 120, 180]);
  stop();
});

test('history that fails again stays failed and is asked for again later', async () => {
  const newest = vi.fn().mockRejectedValue(new Error('down'));
  const { states, tick, pass, stop } = setup(newest);
  await pass(6_000);
  tick(candle(180));
  await pass(100);
  tick(candle(180));
  await pass(0);
  expect(newest).toHaveBeenCalledTimes(2);
  await pass(5_000);
  tick(candle(180));
  await pass(0);
  expect(newest).toHaveBeenCalledTimes(3);
  expect(new Set(states)).toEqual(new Set(['failed']));
  stop();
});

test('the time line shows its whole day, candles keep their width', async () => {
  const day = Array.from({ length: 1440 }, (_, n) => candle(n * 60_000));
  const line = setup(() => Promise.resolve(day), 'timeline');
  await line.pass(0);
  const [space] = line.setBarSpace.mock.calls[0] as [number];
  expect(space * 1440).toBeCloseTo(300);
  line.stop();
  const candles = setup(() => Promise.resolve(day));
  await candles.pass(0);
  expect(candles.setBarSpace).not.toHaveBeenCalled();
  candles.stop();
});

test('a candle before the newest one changes in its place', async () => {
  const { times, chart, tick, pass, stop } = setup(() => Promise.resolve([candle(60), candle(120)]));
  await pass(0);
  tick({ ...candle(60), volume: 5 });
  await pass(300);
  expect(times()).toEqual([60, 120]);
  expect(chart.getDataList().map(({ volume }) => volume)).toEqual([5, 0]);
  stop();
});

test('where the past of the venues ends is told once, also when it comes as an older page', async () => {
  const venues = (timestamp: number): Candle => ({ ...candle(timestamp), past: true });
  const at = setup(() => Promise.resolve([venues(60), venues(120), candle(180), candle(240)]));
  await at.pass(0);
  expect(at.past).toEqual([180]);
  at.stop();
  const page = vi.fn().mockResolvedValueOnce([candle(120)]).mockResolvedValueOnce([venues(30), venues(60)]).mockResolvedValue([venues(0)]);
  const paged = setup(() => Promise.resolve([candle(180)]), '1min', page);
  await paged.pass(0);
  await paged.older();
  expect(paged.past).toEqual([]);
  await paged.older();
  await paged.older();
  expect(paged.past).toEqual([120]);
  paged.stop();
  const none = setup(() => Promise.resolve([candle(180)]));
  await none.pass(0);
  expect(none.past).toEqual([]);
  none.stop();
});

test('gaps are found among what was read, further back, and behind a candle that came late', async () => {
  const { gaps, older, tick, pass, stop } = setup(
    async () => [candle(10 * 60_000), candle(11 * 60_000), candle(14 * 60_000)],
    '1min',
    async () => [candle(5 * 60_000)],
  );
  const minutes = (all: readonly Gap[] | undefined) => all?.map(({ from, to }) => [from / 60_000, to / 60_000]);
  await pass(0);
  expect(minutes(gaps.at(-1))).toEqual([[12, 14]]);
  await older();
  expect(minutes(gaps.at(-1))).toEqual([
    [6, 10],
    [12, 14],
  ]);
  tick(candle(15 * 60_000));
  await pass(300);
  expect(minutes(gaps.at(-1))).toHaveLength(2);
  tick(candle(18 * 60_000));
  await pass(300);
  expect(minutes(gaps.at(-1))?.at(-1)).toEqual([16, 18]);
  stop();
});
