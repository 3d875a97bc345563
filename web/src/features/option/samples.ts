import { api } from '../../lib/http';
import { amount, approximate } from '../../lib/money';

/** A sample of the index; its price is for drawing only. */
export interface Point {
  at: number;
  price: number;
}

/** The longest line drawn from samples; a longer time is drawn from one-minute candles. */
const SAMPLED = 10 * 60_000;
const MINUTE = 60_000;
/** How long a price is valid. */
const GOOD = 3_000;
/** The largest distance between two points of a line without a missing price. */
export const goodFor = (from: number, to: number) => (to - from <= SAMPLED ? GOOD : MINUTE);

const point = (price: string, at: number): Point => ({ at, price: approximate(amount(price)) });

/** The index between two instants, oldest first. */
export async function readLine(symbol: string, from: number, to: number): Promise<Point[]> {
  if (to - from <= SAMPLED) {
    const { message } = await api.get('market/index', { symbol, from_ms: from, to_ms: to });
    return message.map(({ price, time_ms }) => point(price, time_ms));
  }
  const { message } = await api.get('currency/new_timeshar', { symbol, period: '1min', series: 'index', from: Math.floor(from / 1000), to: Math.ceil(to / 1000) });
  // The close of a candle is the price at its end.
  return message.flatMap(({ time, close }) => (time + MINUTE > from && time < to ? [{ at: Math.min(time + MINUTE, to), price: close }] : []));
}
