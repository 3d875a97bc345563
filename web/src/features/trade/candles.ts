import { subscribe, type PublicEvent } from '../../lib/socket';
import { readCandles, type Series } from './api';

/** Candles of a chart. Figures are for drawing only. */

export interface Candle {
  /** Start, UTC milliseconds. */
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Base coin that was traded here. */
  volume: number;
  /** Time line only: traded value by traded quantity since the start. */
  average?: number;
  [more: string]: unknown;
}

export const PERIODS = [
  { value: 'timeline', label: 'trade.period.time', type: 'minute', span: 1 },
  { value: '1min', label: 'trade.period.m1', type: 'minute', span: 1 },
  { value: '5min', label: 'trade.period.m5', type: 'minute', span: 5 },
  { value: '30min', label: 'trade.period.m30', type: 'minute', span: 30 },
  { value: '60min', label: 'trade.period.h1', type: 'hour', span: 1 },
  { value: '1day', label: 'trade.period.d1', type: 'day', span: 1 },
  { value: '1week', label: 'trade.period.w1', type: 'week', span: 1 },
  { value: '1mon', label: 'trade.period.mo1', type: 'month', span: 1 },
] as const;
export type PeriodName = (typeof PERIODS)[number]['value'];

/** Puts the traded volume of the same time beside index prices, which have none of their own. */
export function withVolume(prices: readonly Candle[], trades: readonly Candle[]): Candle[] {
  const byTime = new Map(trades.map((candle) => [candle.timestamp, candle]));
  return prices.map((candle) => ({ ...candle, volume: byTime.get(candle.timestamp)?.volume ?? 0 }));
}

async function read(symbol: string, period: PeriodName, series: Series, before?: number): Promise<Candle[]> {
  if (series === 'trade') return readCandles(symbol, period, series, before);
  const [prices, trades] = await Promise.all([
    readCandles(symbol, period, 'index', before),
    // Without the volume the chart is still true.
    readCandles(symbol, period, 'trade', before).catch(() => []),
  ]);
  return withVolume(prices, trades);
}

export interface CandleFeed {
  /** The newest candles, oldest first. */
  newest: () => Promise<Candle[]>;
  older: (before: number) => Promise<Candle[]>;
  /** New states of the current candle, and the ones that follow it. */
  follow: (show: (candle: Candle) => void) => () => void;
}

const FIELDS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

function fromEvent(event: PublicEvent): Candle | undefined {
  const [timestamp, open, high, low, close, volume] = FIELDS.map((field) => event[field]);
  const figures = [timestamp, open, high, low, close, volume];
  if (!figures.every((value) => typeof value === 'number')) return undefined;
  return { timestamp, open, high, low, close, volume } as Candle;
}

export function candleFeed(symbol: string, period: PeriodName, series: Series): CandleFeed {
  const room = period === 'timeline' ? '1min' : period;
  /** The newest candle with what was traded in it. */
  let traded: Candle | undefined;
  return {
    async newest() {
      const rows = await read(symbol, period, series);
      traded = rows.at(-1);
      return rows;
    },
    older: (before) => (period === 'timeline' ? Promise.resolve([]) : read(symbol, period, series, before)),
    follow(show) {
      let last: Candle | undefined;
      let over = false;
      const put = (candle: Candle) => {
        last = series === 'index' ? { ...candle, volume: traded?.timestamp === candle.timestamp ? traded.volume : 0 } : candle;
        show(last);
      };
      const again = () =>
        void read(symbol, period, series).then(
          (rows) => {
            if (over) return;
            for (const row of rows) {
              if (last && row.timestamp < last.timestamp) continue;
              traded = row;
              put(row);
            }
          },
          () => {},
        );
      const price = subscribe(
        { channel: 'kline', symbol, period: room, series },
        (event) => {
          const candle = fromEvent(event);
          if (candle) put(candle);
        },
        again,
      );
      const volume =
        series === 'index'
          ? subscribe({ channel: 'kline', symbol, period: room, series: 'trade' }, (event) => {
              traded = fromEvent(event) ?? traded;
              if (last && traded?.timestamp === last.timestamp) put(last);
            })
          : () => {};
      return () => {
        over = true;
        price();
        volume();
      };
    },
  };
}
