import type { Rank, RebateRow } from '../../generated/api';

/** The link as others can open it. */
export const linkOf = (shareUrl: string, origin: string): string => new URL(shareUrl, origin).href;

export interface Day {
  /** 2026-11-20, in UTC: the day whose fees it is a part of. */
  day: string;
  rows: RebateRow[];
}

/** Rebates, the newest first, by the day whose fees they are a part of. */
export function byFeeDay(rows: readonly RebateRow[]): Day[] {
  const days: Day[] = [];
  for (const row of rows) {
    const last = days.at(-1);
    if (last?.day === row.day) last.rows.push(row);
    else days.push({ day: row.day, rows: [row] });
  }
  return days;
}

/** The instant at which a UTC day began; undefined for what is no day. */
export function dayStart(day: string): number | undefined {
  const at = Date.parse(`${day}T00:00:00Z`);
  return isFinite(at) ? at : undefined;
}

export const isOnBoard = (ranks: readonly Rank[], me: number | undefined): boolean => me !== undefined && ranks.some(({ user_id: id }) => id === me);
