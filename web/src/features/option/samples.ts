import { useEffect, useState } from 'react';
import { api } from '../../lib/http';
import { amount, approximate } from '../../lib/money';
import { subscribe, type PublicEvent } from '../../lib/socket';
import { serverNow } from '../../lib/time';

/** A sample of the index; its price is for drawing only. */
export interface Point {
  at: number;
  price: number;
}

export const WINDOW = 6 * 60_000;
/** Samples of one line at the most: a longer time is drawn from candles of a minute. */
const SAMPLED = 10 * 60_000;
const MINUTE = 60_000;

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

const recent = (points: readonly Point[], now: number) => points.filter(({ at }) => at >= now - WINDOW);

/** The line of the last minutes, sample by sample; undefined until it was read. */
export function useLiveLine(symbol: string): readonly Point[] | undefined {
  const [line, setLine] = useState<{ symbol: string; points: readonly Point[] }>();
  useEffect(() => {
    if (!symbol) return;
    let left = false;
    const told: Point[] = [];
    const show = () => !left && setLine((before) => ({ symbol, points: merge(before?.symbol === symbol ? before.points : [], told) }));
    const read = () =>
      readLine(symbol, Math.max(0, serverNow() - WINDOW), serverNow()).then(
        (points) => !left && setLine({ symbol, points: merge(points, told) }),
        // The line begins with what comes now.
        show,
      );
    const onSample = ({ data }: PublicEvent) => {
      const sample = data as { price?: unknown; time_ms?: unknown } | undefined;
      if (typeof sample?.price !== 'string' || typeof sample.time_ms !== 'number') return;
      told.push(point(sample.price, sample.time_ms));
      show();
    };
    const leave = subscribe({ channel: 'index', symbol }, onSample, () => void read());
    void read();
    return () => {
      left = true;
      leave();
    };
  }, [symbol]);
  return line?.symbol === symbol ? line.points : undefined;
}

/** Both without what came twice, oldest first, as far back as the window goes. */
export function merge(points: readonly Point[], more: readonly Point[]): readonly Point[] {
  const byTime = new Map([...points, ...more].map((one) => [one.at, one]));
  const all = [...byTime.values()].toSorted((a, b) => a.at - b.at);
  return recent(all, all.at(-1)?.at ?? 0);
}
