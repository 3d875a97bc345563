import type { Candle, CandleFeed, CandleSource, PeriodName, Series } from '../lib/candles';
import { fetchCode } from '../lib/code';
import { api } from '../lib/http';
import { subscribe, type PublicEvent } from '../lib/socket';

/** Candles of one series that start before `before` (ms), oldest first; without it, the newest ones. */
async function readCandles(symbol: string, period: PeriodName, series: Series, before?: number): Promise<Candle[]> {
  const to = before === undefined ? {} : { to: Math.floor(before / 1000) - 1 };
  const { message } = await api.get('currency/new_timeshar', { symbol, period, series, ...to });
  return message
    .filter((row) => before === undefined || row.time < before)
    .map(({ time, open, high, low, close, volume, average, past }) => ({ timestamp: time, open, high, low, close, volume, ...(average !== undefined && { average }), ...(past && { past }) }));
}

/** Adds the volume traded in the same time to index prices, which have none of their own. */
export function withVolume(prices: readonly Candle[], trades: readonly Candle[]): Candle[] {
  const byTime = new Map(trades.map((candle) => [candle.timestamp, candle]));
  return prices.map((candle) => ({ ...candle, volume: byTime.get(candle.timestamp)?.volume ?? 0, volumeOf: 'trades' }));
}

async function read(symbol: string, period: PeriodName, series: Series, before?: number): Promise<Candle[]> {
  if (series === 'trade') return readCandles(symbol, period, series, before);
  const [prices, trades] = await Promise.all([
    readCandles(symbol, period, 'index', before),
    // Without the volume the chart is still correct.
    readCandles(symbol, period, 'trade', before).catch(() => []),
  ]);
  // A computed pair has no sources of its own.
  return prices.some(({ volume }) => volume > 0) ? prices.map((candle) => ({ ...candle, volumeOf: 'sources' })) : withVolume(prices, trades);
}

/** How often volumes that arrive late are read. */
const VOLUME_EVERY = 20_000;
/** Length of those candles whose predecessor may still grow, ms. */
const LENGTHS: Partial<Record<PeriodName, number>> = { timeline: 60_000, '1min': 60_000, '5min': 300_000, '30min': 1_800_000, '60min': 3_600_000 };

const FIELDS = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

function fromEvent(event: PublicEvent): Candle | undefined {
  const [timestamp, open, high, low, close, volume] = FIELDS.map((field) => event[field]);
  const figures = [timestamp, open, high, low, close, volume];
  if (!figures.every((value) => typeof value === 'number')) return undefined;
  return { timestamp, open, high, low, close, volume } as Candle;
}

export function candleFeed(symbol: string, period: PeriodName, series: Series): CandleFeed {
  const room = period === 'timeline' ? '1min' : period;
  /** The newest candle with its traded volume. */
  let traded: Candle | undefined;
  return {
    steady: series === 'index',
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
        const known = series === 'index' ? { volume: traded?.timestamp === candle.timestamp ? traded.volume : 0, ...(traded?.volumeOf && { volumeOf: traded.volumeOf }) } : {};
        last = { ...candle, ...known };
        show(last);
      };
      const again = (from: number) =>
        void read(symbol, period, series).then(
          (rows) => {
            if (over) return;
            for (const row of rows.filter(({ timestamp }) => timestamp >= from)) {
              traded = row;
              // What the line reported of the newest candle is newer than what was read.
              if (last && row.timestamp <= last.timestamp) show({ ...(row.timestamp === last.timestamp ? last : row), volume: row.volume });
              else put(row);
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
        () => again(last?.timestamp ?? 0),
      );
      const volume =
        series === 'index'
          ? subscribe({ channel: 'kline', symbol, period: room, series: 'trade' }, (event) => {
              if (traded?.volumeOf === 'sources') return;
              traded = fromEvent(event) ?? traded;
              if (last && traded?.timestamp === last.timestamp) put(last);
            })
          : () => {};
      // Sources report volume later than prices, also for the previous candle.
      const later = setInterval(() => {
        if (traded?.volumeOf === 'sources') again(traded.timestamp - (LENGTHS[period] ?? 0));
      }, VOLUME_EVERY);
      return () => {
        over = true;
        clearInterval(later);
        price();
        volume();
      };
    },
  };
}

const sources = new Map<string, CandleSource>();
/** The candles of a pair for the chart. */
export function candlesOf(symbol: string, series: Series): CandleSource {
  const key = `${symbol}|${series}`;
  const known = sources.get(key);
  if (known) return known;
  const source: CandleSource = { key, ...(series === 'index' && { sources: async () => (await fetchCode(() => import('./sources'))).readSources(symbol) }), of: (period) => candleFeed(symbol, period, series) };
  sources.set(key, source);
  return source;
}
