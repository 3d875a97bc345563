import type { Rank, RebateRow } from '../../generated/api';

/** The link in the form that others can open. */
export const linkOf = (shareUrl: string, origin: string): string => new URL(shareUrl, origin).href;

export interface Day {
  /** 2026-11-20, in UTC: the day of the fees. */
  day: string;
  rows: RebateRow[];
}

/** Rebates, newest first, by the day of the fees. */
export function byFeeDay(rows: readonly RebateRow[]): Day[] {
  const days: Day[] = [];
  for (const row of rows) {
    const last = days.at(-1);
    if (last?.day === row.day) last.rows.push(row);
    else days.push({ day: row.day, rows: [row] });
  }
  return days;
}

/** The instant at which a UTC day began; undefined for an invalid day. */
export function dayStart(day: string): number | undefined {
  const at = Date.parse(`${day}T00:00:00Z`);
  return isFinite(at) ? at : undefined;
}

export const isOnBoard = (ranks: readonly Rank[], me: number | undefined): boolean => me !== undefined && ranks.some(({ user_id: id }) => id === me);
