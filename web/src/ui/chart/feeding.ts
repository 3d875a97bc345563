import type { Chart, KLineData } from 'klinecharts';
import { pastEnd, PERIODS, type Candle } from '../../lib/candles';
import type { ChartSetup } from './chart';
import { gapsIn } from './missing';

/** Data of the chart: read, followed, and shown four times a second. */

const REPAINT = 250;
/** Least time between two attempts to load after a failure. */
const AGAIN = 5_000;
/** Initial width of a candle, and the free space beside the newest one. */
export const BAR = 7;
export const EDGE_RIGHT = 20;
/** Truncates a price to the market's decimals, as everywhere else. */
function cutter(digits: number) {
  const power = 10 ** digits;
  const cut = (value: number) => Math.floor(value * power + 1e-6) / power;
  return (candle: Candle): Candle => ({ ...candle, open: cut(candle.open), high: cut(candle.high), low: cut(candle.low), close: cut(candle.close) });
}

/** Shows the whole day of the time line at first. */
function fitDay(chart: Chart, bars: number): void {
  const width = chart.getSize('candle_pane', 'main')?.width ?? 0;
  if (bars > 1 && width > EDGE_RIGHT) chart.setBarSpace(Math.min(BAR, (width - EDGE_RIGHT) / bars));
  chart.setOffsetRightDistance(EDGE_RIGHT);
}

/** Feeds the chart: the newest candles, older ones as the left edge is reached, and the live one four times a second. */
export function connect(chart: Chart, { feed, period, symbol, digits, onState, onVolume, onPast, onGaps }: Omit<ChartSetup, 'hollow' | 'locale' | 'onPoint'>): () => void {
  const cut = cutter(digits);
  let leave = () => {};
  let waiting = new Map<number, Candle>();
  let show: (candle: KLineData) => void = () => {};
  /** When loading the history failed; a live candle alone would look like the whole history. */
  let failedAt: number | undefined;
  let fitted = false;
  let past: number | undefined;
  /** The newest candle when gaps were last searched. */
  let looked: number | undefined;
  const lookForGaps = () => {
    const rows = chart.getDataList();
    looked = rows.at(-1)?.timestamp;
    if (feed.steady) onGaps(gapsIn(rows, period));
  };
  const timer = setInterval(() => {
    const due = [...waiting.values()];
    waiting = new Map();
    const rows = chart.getDataList();
    for (const candle of due) {
      const newest = rows.at(-1);
      const at = newest && candle.timestamp < newest.timestamp ? rows.findLastIndex(({ timestamp }) => timestamp === candle.timestamp) : -1;
      // The library changes only its newest candle, and redraws the others when that one changes.
      if (at >= 0) rows[at] = candle;
      if (at < 0 && (!newest || candle.timestamp >= newest.timestamp)) show(candle);
      else if (newest) show(newest);
    }
    if (looked !== undefined && chart.getDataList().at(-1)?.timestamp !== looked) lookForGaps();
  }, REPAINT);
  const live = (candle: Candle) => {
    if (failedAt === undefined) {
      waiting.set(candle.timestamp, cut(candle));
      onState('ready');
    } else if (Date.now() - failedAt >= AGAIN) {
      // Prices arrive again, so the history may load as well. Until it has, no further attempt begins.
      failedAt = Infinity;
      chart.resetData();
    }
  };
  chart.setDataLoader({
    getBars: async ({ type, timestamp, callback }) => {
      try {
        const rows = type === 'init' ? await feed.newest() : type === 'forward' && timestamp !== null ? await feed.older(timestamp) : [];
        if (type === 'init') failedAt = undefined;
        callback(rows.map(cut), { forward: rows.length > 0, backward: false });
        lookForGaps();
        const known = past;
        // If a page has none of our own candles, ours begin after it.
        past = type === 'init' ? pastEnd(rows) : (past ?? pastEnd(rows, timestamp));
        if (past !== known) onPast(past);
        if (type !== 'init') return;
        if (period === 'timeline' && !fitted) fitDay(chart, rows.length);
        fitted = true;
        onState(rows.length ? 'ready' : 'empty');
        onVolume(rows.at(-1)?.volumeOf ?? 'trades');
      } catch {
        if (type === 'init') failedAt = Date.now();
        callback([], false);
        if (type === 'init') onState('failed');
      }
    },
    subscribeBar: ({ callback }) => {
      show = callback;
      leave();
      leave = feed.follow(live);
    },
    unsubscribeBar: () => leave(),
  });
  const { type, span } = PERIODS.find(({ value }) => value === period) ?? PERIODS[0];
  chart.setSymbol({ ticker: symbol, pricePrecision: digits, volumePrecision: 4 });
  chart.setPeriod({ type, span });
  return () => {
    clearInterval(timer);
    leave();
  };
}
