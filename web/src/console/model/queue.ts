import type { Approval, Check, HistoryLine, QueueKind, QueueRow } from '../api';

/** Ages, order and approvals of a queue. Pure: the screen gives the time and who looks. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Target {
  /** Until the first decision, an internal aim. */
  first: number;
  /** What the user was promised. */
  promise: number;
}
const TARGETS: Partial<Record<QueueKind, Target>> = {
  withdrawal: { first: 3 * HOUR, promise: 12 * HOUR },
  identity: { first: 6 * HOUR, promise: 24 * HOUR },
};
export const targetOf = (kind: QueueKind): Target | undefined => TARGETS[kind];

/** 45 s, 12 m, 2 h 51 m, 3 d 4 h. */
export function span(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / MINUTE);
  if (minutes < 1) return `${Math.floor(Math.max(0, ms) / 1000)} s`;
  if (minutes < 60) return `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} m`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

export interface Deadline {
  text: string;
  tone: 'plain' | 'caution' | 'late';
}

/** How the age stands against the promise: to the first decision while nobody decided, then to the promise. */
export function deadline(row: Pick<QueueRow, 'kind' | 'created_at_ms' | 'approvals' | 'late'>, now: number): Deadline {
  const target = targetOf(row.kind);
  if (!target) return row.late ? { text: 'late', tone: 'late' } : { text: '', tone: 'plain' };
  const end = row.created_at_ms + (row.approvals.length ? target.promise : target.first);
  if (now >= end) return { text: `${span(now - end)} late`, tone: 'late' };
  if (row.late) return { text: 'late', tone: 'late' };
  const left = end - now;
  return left <= HOUR ? { text: `${span(left)} left`, tone: 'caution' } : { text: 'in time', tone: 'plain' };
}

/** Late cases first, then by what is left of the promise: the oldest of a kind. */
export function ordered(rows: readonly QueueRow[], now: number): QueueRow[] {
  const late = (row: QueueRow) => (deadline(row, now).tone === 'late' ? 0 : 1);
  return rows.toSorted((a, b) => late(a) - late(b) || a.created_at_ms - b.created_at_ms || a.id - b.id);
}

export const isMine = (approvals: readonly Approval[], me: number): boolean => approvals.some(({ operator_id }) => operator_id === me);

export type Turn = 'done' | 'another' | 'first' | 'second' | 'one';
/** Whose turn it is, seen by this operator. */
export function turn(row: Pick<QueueRow, 'needs' | 'approvals'>, me: number): Turn {
  if (row.approvals.length >= row.needs) return 'done';
  if (isMine(row.approvals, me)) return 'another';
  if (row.needs === 1) return 'one';
  return row.approvals.length ? 'second' : 'first';
}
export const TURN_TEXT: Record<Turn, string> = { done: 'Approved', another: 'Needs another', first: '1st approval', second: '2nd approval', one: '1 person' };

/** Rows that hold the text in their number, masked user or summary. */
export function matching(rows: readonly QueueRow[], text: string): QueueRow[] {
  const wanted = text.trim().toLowerCase().replace(/^[a-z]-(?=\d)/, '');
  if (!wanted) return [...rows];
  return rows.filter((row) => [String(row.id), String(row.user_id), row.user_mask, row.summary].some((part) => part.toLowerCase().includes(wanted)));
}

/** The row below or above; stays at the ends. With nothing chosen the first. */
export function step(ids: readonly number[], at: number | null, by: 1 | -1): number | null {
  const index = at === null ? -1 : ids.indexOf(at);
  if (index < 0) return ids[0] ?? null;
  return ids[Math.min(ids.length - 1, Math.max(0, index + by))] ?? null;
}

/** Where to go after a case is gone from the list: the next one, else the one before. */
export function after(ids: readonly number[], gone: number): number | null {
  const index = ids.indexOf(gone);
  if (index < 0) return ids[0] ?? null;
  return ids[index + 1] ?? ids[index - 1] ?? null;
}

/** Nobody decided the case yet. */
export const waits = (status: string): boolean => status === 'under_review' || status === 'open';

export const toRead = (checks: readonly Check[]): number => checks.filter(({ ok }) => !ok).length;
/** Checks that need a person come first. */
export const sortedChecks = (checks: readonly Check[]): Check[] => checks.toSorted((a, b) => (a.ok ? 1 : 0) - (b.ok ? 1 : 0));

/** The second approver judges for himself: reasons of approvals stay hidden until he asks, where a check needs a person. */
export function hidesReason(line: HistoryLine, row: Pick<QueueRow, 'needs' | 'approvals'>, checks: readonly Check[], me: number): boolean {
  const before = row.approvals.some(({ operator_id }) => operator_id === line.operator_id);
  return turn(row, me) === 'second' && toRead(checks) > 0 && before && line.operator_id !== me && line.reason !== '';
}

/** Whether a decision would be taken on what is on the screen. */
export const changed = (seen: Pick<QueueRow, 'version' | 'hash'>, live: Pick<QueueRow, 'version' | 'hash'> | undefined): boolean =>
  live !== undefined && (live.version !== seen.version || live.hash !== seen.hash);

/** Length of a reason the server takes, in characters as it counts them. */
export function reasonProblem(text: string): string | undefined {
  const length = [...text.normalize('NFC').trim()].length;
  if (length < 3) return 'Give a reason of at least 3 characters';
  return length > 200 ? `${length - 200} characters too many` : undefined;
}
