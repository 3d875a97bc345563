import { DAY, dayKey } from './time';

export interface Day<T> {
  key: string;
  /** An instant on that day, for the heading. */
  at: number;
  rows: T[];
}

/** Groups rows, newest first, by the device's day. */
export function byDay<T>(rows: readonly T[], at: (row: T) => number): Day<T>[] {
  const days: Day<T>[] = [];
  for (const row of rows) {
    const key = dayKey(at(row));
    const last = days.at(-1);
    if (last?.key === key) last.rows.push(row);
    else days.push({ key, at: at(row), rows: [row] });
  }
  return days;
}

export const RANGES = ['all', 'week', 'month'] as const;
export type Range = (typeof RANGES)[number];

/** The first instant of a range that ends now. */
export const rangeStart = (range: Range, now: number): number => (range === 'all' ? 0 : now - (range === 'week' ? 7 : 30) * DAY);

/** Rows, newest first, that are not older than an instant. `complete` once an older row has been read, so that no more need be. */
export function since<T>(rows: readonly T[], at: (row: T) => number, from: number): { rows: T[]; complete: boolean } {
  const kept = rows.filter((row) => at(row) >= from);
  return { rows: kept, complete: kept.length < rows.length };
}
