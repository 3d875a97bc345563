import { api } from '../../lib/http';
import { amount, approximate } from '../../lib/money';

/** A sample of the index; its price is for drawing only. */
export interface Point {
  at: number;
  price: number;
}

/** Samples of one line at the most: a longer time is drawn from candles of a minute. */
const SAMPLED = 10 * 60_000;
const MINUTE = 60_000;
/** So long a price is good. */
const GOOD = 3_000;
/** How far apart points of a line are at the most where no price is missing. */
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
