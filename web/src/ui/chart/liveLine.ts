import type { Gap, LinePoint } from '../../lib/candles';
import type { PriceLine } from '../../lib/priceLines';

/** The geometry of the live line and its marks. Figures here are for drawing, never money. */

/** How much past is shown, and the least and most future. */
export const PAST = 5 * 60_000;
const LEAST_AHEAD = 45_000;
const MOST_AHEAD = 5 * 60_000;
/** For an open line the axis grows up to this many times what the samples need. */
const ROOM = 3;
const STEPS = [1, 2, 2.5, 5];
const MINUTES = [1, 2, 5];

/** How long a price is valid; if none follows sooner, the line has a gap. */
const GOOD = 3_000;

/** The gaps between samples that are longer than a price is valid. */
export const breaks = (points: readonly LinePoint[]): Gap[] =>
  points.flatMap(({ at: to }, n) => {
    const from = points[n - 1]?.at;
    return from !== undefined && to - from > GOOD ? { after: from, from, to } : [];
  });

export interface Frame {
  width: number;
  height: number;
}

/** Merges samples into the known ones by time, and drops those older than the line shows. */
export function join(known: readonly LinePoint[], more: readonly LinePoint[]): LinePoint[] {
  const rows = new Map([...known, ...more].map((point) => [point.at, point]));
  const all = [...rows.values()].toSorted((a, b) => a.at - b.at);
  const newest = all.at(-1)?.at ?? 0;
  return all.filter(({ at }) => at >= newest - PAST - 60_000);
}

export function layout(points: readonly LinePoint[], lines: readonly PriceLine[], now: number, { width, height }: Frame) {
  const ends = lines.flatMap(({ to }) => (to !== undefined && to > now ? [to - now] : []));
  const ahead = Math.min(Math.max(LEAST_AHEAD, ...ends.map((end) => end * 1.15)), MOST_AHEAD);
  const [start, end] = [now - PAST, now + ahead];
  const x = (at: number) => ((Math.min(Math.max(at, start), end) - start) / (end - start)) * width;

  const recent = points.filter(({ at }) => at >= start);
  // After a jump of the clock all samples are in the past; the newest still positions the scale.
  const shown = recent.length > 0 ? recent : points.slice(-1);
  const prices = shown.map(({ price }) => Number(price));
  let [low, high] = [Math.min(...prices), Math.max(...prices)];
  const least = (high || 1) * 0.0002;
  if (high - low < least) [low, high] = [(low + high - least) / 2, (low + high + least) / 2];
  const most = (high - low) * ROOM;
  for (const { price } of lines) {
    const value = Number(price);
    const [below, above] = [Math.min(low, value), Math.max(high, value)];
    if (above - below <= most) [low, high] = [below, above];
  }
  const pad = (high - low) * 0.14;
  [low, high] = [low - pad, high + pad];
  const y = (price: string | number) => height - ((Number(price) - low) / (high - low)) * height;

  const gaps = breaks(shown);
  const starts = new Set([shown[0]?.at, ...gaps.map(({ to }) => to)]);
  const path = shown.map(({ at, price }) => `${starts.has(at) ? 'M' : 'L'}${x(at).toFixed(1)} ${y(price).toFixed(1)}`).join('');
  // Each piece of the line has its own area below it.
  const area = path.split('M').slice(1).map((piece) => {
    const ends = piece.split('L').map((place) => place.split(' ')[0]);
    return `M${piece}V${height}H${ends[0]}Z`;
  }).join('');
  return { x, y, start, end, path, area, gaps, shown, ticks: priceTicks(low, high), times: timeTicks(start, end, width) };
}

/** Three or four round prices. */
function priceTicks(low: number, high: number): number[] {
  const raw = (high - low) / 3;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = (STEPS.find((n) => n * power >= raw) ?? 10) * power;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, n) => (first + n) * step);
}

/** Whole minutes, at least 64 pixels apart. */
function timeTicks(start: number, end: number, width: number): number[] {
  const minutes = MINUTES.find((n) => ((n * 60_000) / (end - start)) * width >= 64) ?? 10;
  const step = minutes * 60_000;
  const first = Math.ceil(start / step);
  return Array.from({ length: Math.floor(end / step) - first + 1 }, (_, n) => (first + n) * step);
}

/** A price's position in its plot; one outside it is at the nearest edge. */
export function edgeOf(y: number, height: number): { y: number; beyond: '' | 'up' | 'down' } {
  if (y < 0) return { y: 8, beyond: 'up' };
  if (y > height) return { y: height - 8, beyond: 'down' };
  return { y, beyond: '' };
}
