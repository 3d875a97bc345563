/** Candles of a chart. Figures are for drawing only, never money. */

export type VolumeOf = 'sources' | 'trades';

export interface Candle {
  /** Start, UTC milliseconds. */
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** Traded quantity, base coin. */
  volume: number;
  /** Where the volume was traded: on this market, or at the sources of its index, which report it. */
  volumeOf?: VolumeOf;
  /** Prices of public venues from before our first sample, which are not in our journal. */
  past?: true;
  /** Time line only: traded value divided by traded quantity since the start. */
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
/** Whether the prices are of the index or of trades here. */
export type Series = 'index' | 'trade';

/**
 * Names of the sources of the newest price, read again on each call. None if the index is computed from others; nothing while there is no
 * price.
 */
export type ReadSources = () => Promise<readonly string[] | undefined>;

export interface CandleFeed {
  /** Every candle is due at its time, so a missing one is a gap. Trades here have no such times. */
  steady: boolean;
  /** The newest candles, oldest first. */
  newest: () => Promise<Candle[]>;
  older: (before: number) => Promise<Candle[]>;
  /** New states of the current candle, and the candles after it. */
  follow: (show: (candle: Candle) => void) => () => void;
}
/** The candles of one pair and series. Equal arguments give the same object. */
export interface CandleSource {
  key: string;
  /** If absent, the prices are of trades here. */
  sources?: ReadSources;
  of: (period: PeriodName) => CandleFeed;
}

/** Where our own candles begin, ms, if candles of the past precede them. `otherwise`: where the rows behind these begin. */
export function pastEnd(rows: readonly Candle[], otherwise?: number | null): number | undefined {
  if (!rows[0]?.past) return undefined;
  return rows.find(({ past }) => !past)?.timestamp ?? otherwise ?? undefined;
}

/** A time without prices between the candle that starts at `after` and the one that starts at `to`, ms. */
export interface Gap {
  after: number;
  from: number;
  to: number;
}

/** One price of an index, as on the wire. */
export interface LinePoint {
  /** UTC milliseconds. */
  at: number;
  price: string;
}
/** The samples of one index, for the live line. Equal arguments give the same object. */
export interface LineSource {
  key: string;
  sources: ReadSources;
  /** The last minutes, oldest first. */
  newest: () => Promise<LinePoint[]>;
  /** Each new sample. After a gap `again` is called, and `newest` has what was missed. */
  follow: (show: (point: LinePoint) => void, again: () => void) => () => void;
}
