import { amount, cmp, type Amount } from '../../lib/money';
import { same } from '../../lib/review';
import { label } from './values';
import type { Approval, Check, HistoryLine, QueueItem, QueueKind, QueueRow } from '../api';

/** Ages, order and approvals of a queue. Pure: the screen passes the time and the operator. */

const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

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

/** The age against the promised time: to the first decision while there is none, then to the promise. */
export function deadline(row: Pick<QueueRow, 'first_by_ms' | 'promised_by_ms' | 'approvals' | 'late'>, now: number): Deadline {
  const end = row.approvals.length ? row.promised_by_ms : row.first_by_ms;
  if (now >= end) return { text: `${span(now - end)} late`, tone: 'late' };
  if (row.late) return { text: 'late', tone: 'late' };
  const left = end - now;
  return left <= HOUR ? { text: `${span(left)} left`, tone: 'caution' } : { text: 'in time', tone: 'plain' };
}

export type Order = 'oldest' | 'newest' | 'value' | 'risk';

const value = (row: QueueRow): Amount => amount(row.value_usdt ?? '0');

/** By default late cases first, then by the time left of the promise, so the oldest of a kind. */
export function ordered(rows: readonly QueueRow[], now: number, by: Order = 'oldest'): QueueRow[] {
  if (by === 'newest') return rows.toSorted((a, b) => b.created_at_ms - a.created_at_ms || b.id - a.id);
  if (by === 'value') return rows.toSorted((a, b) => cmp(value(b), value(a)) || a.id - b.id);
  if (by === 'risk') return rows.toSorted((a, b) => b.failed_checks.length - a.failed_checks.length || a.id - b.id);
  const late = (row: QueueRow) => (deadline(row, now).tone === 'late' ? 0 : 1);
  return rows.toSorted((a, b) => late(a) - late(b) || a.created_at_ms - b.created_at_ms || a.id - b.id);
}

export const isMine = (approvals: readonly Approval[], me: number): boolean => approvals.some(({ operator_id }) => operator_id === me);

export type Turn = 'done' | 'another' | 'first' | 'second' | 'one';
/** No operator has decided the case yet. */
export const waits = (status: string): boolean => status === 'under_review' || status === 'open';
/** It is among the open cases of its queue. A withdrawal stays there until it is paid. */
export const isOpen = ({ kind, status }: Pick<QueueRow, 'kind' | 'status'>): boolean => waits(status) || (kind === 'withdrawal' && status === 'passed');

/** Whose turn it is, from this operator's view. */
export function turn(row: Pick<QueueRow, 'needs' | 'approvals' | 'status'>, me: number): Turn {
  if (!waits(row.status) || row.approvals.length >= row.needs) return 'done';
  if (isMine(row.approvals, me)) return 'another';
  if (row.needs === 1) return 'one';
  return row.approvals.length ? 'second' : 'first';
}
/** Whether this operator can take the case on. Tickets and chats need an answer and no approval. */
export const isFor = (row: Pick<QueueRow, 'needs' | 'approvals' | 'status'>, me: number): boolean => (row.needs === 0 ? waits(row.status) : !['another', 'done'].includes(turn(row, me)));
const TURN_TEXT: Record<Exclude<Turn, 'done'>, string> = { another: 'Needs another', first: '1st approval', second: '2nd approval', one: '1 person' };
/** What a case waits for, or its state if it waits for no one. */
export function stateText(row: QueueRow, me: number): string {
  const next = turn(row, me);
  if (next !== 'done') return TURN_TEXT[next];
  return row.status !== 'passed' ? label(row.status) : row.kind === 'withdrawal' ? 'Approved, to pay' : 'Approved';
}

export type Risk = 'low' | 'medium' | 'high';
/** By how many checks need a person: none, one, more. */
export const riskOf = ({ failed_checks }: Pick<QueueRow, 'failed_checks'>): Risk => (['low', 'medium'] as const)[failed_checks.length] ?? 'high';

/** Whether a document shows what was typed, ignoring spaces, hyphens and case. Undefined while nothing is read. */
export function reads(typed: string, read: string): boolean | undefined {
  const plain = (text: string) => text.normalize('NFKC').replace(/[\s.-]+/g, '').toUpperCase();
  return read.trim() === '' ? undefined : plain(typed) === plain(read);
}

/** Rows with the text in their number, masked user or summary. */
export function matching(rows: readonly QueueRow[], text: string): QueueRow[] {
  const wanted = text.trim().toLowerCase().replace(/^[a-z]-(?=\d)/, '');
  if (!wanted) return [...rows];
  return rows.filter((row) => [String(row.id), String(row.user_id), row.user_mask, row.summary].some((part) => part.toLowerCase().includes(wanted)));
}

/** The row below or above, stopping at the ends. The first if none is selected. */
export function step(ids: readonly number[], at: number | null, by: 1 | -1): number | null {
  const index = at === null ? -1 : ids.indexOf(at);
  if (index < 0) return ids[0] ?? null;
  return ids[Math.min(ids.length - 1, Math.max(0, index + by))] ?? null;
}

/** The row to select when a case leaves the list: the next one, else the previous one. */
export function after(ids: readonly number[], gone: number): number | null {
  const index = ids.indexOf(gone);
  if (index < 0) return ids[0] ?? null;
  return ids[index + 1] ?? ids[index - 1] ?? null;
}

/** A check that passes is shown by its name; one that fails, by what is the case instead. */
const FAILED: Record<string, string> = {
  destination_matches: 'Destination is not the one that was signed',
  destination_old_enough: 'Destination is too new',
  destination_older_than_a_week: 'Destination is younger than a week',
  no_security_change_in_a_week: 'A password or contact changed within a week',
  leaves_under_90_percent: 'Nearly all of the coin leaves',
  not_frozen: 'Account is frozen',
  verified: 'Identity is not verified',
  no_security_hold: 'Security hold',
  no_new_device_in_a_week: 'A new device logged in within a week',
  log_ties_out: 'The ledger does not add up to the balance',
  pictures_of_nobody_else: 'Another user submitted the same picture',
  proof_of_no_other_claim: 'The same picture is the proof of another claim',
  no_refused_attempt: 'Another attempt was rejected or revoked',
  no_overdue_loan: 'Another loan was overdue',
  basic_verified: 'Basic level is not verified',
  content_matches: 'The documents differ from the signed version',
  newest_submission: 'There is a newer submission',
  verified_name: 'No verified name',
  observed: 'Not matched to a payment on the chain',
  owner_coin_and_network: 'Owner, coin or network differ',
  confirmations: 'Too few confirmations',
  minimum: 'Below the minimum',
  price_fresh: 'No fresh price of the collateral',
  collateral_enough: 'The collateral is not enough now',
  account_older_than_a_week: 'The account is younger than a week',
  country_of_sign_up: 'The documents are from another country than the sign-up',
};
/** The result of a check: it passes, needs a person, or is not known yet. */
export type Found = 'passed' | 'failed' | 'unknown';
export const foundBy = ({ ok, known }: Pick<Check, 'ok' | 'known'>): Found => (!known ? 'unknown' : ok ? 'passed' : 'failed');
export const checkText = (check: Pick<Check, 'name' | 'ok' | 'known'>): string => (foundBy(check) === 'failed' ? FAILED[check.name] : undefined) ?? label(check.name);

const count = (checks: readonly Check[], wanted: Found): number => checks.filter((check) => foundBy(check) === wanted).length;
export const toRead = (checks: readonly Check[]): number => count(checks, 'failed');
/** How many checks need a person, passed, and are not known yet. */
export function tally(checks: readonly Check[]): string {
  const [read, passed, unknown] = [count(checks, 'failed'), count(checks, 'passed'), count(checks, 'unknown')];
  return [read ? `${read} to read` : '', `${passed} passed`, unknown ? `${unknown} not known yet` : ''].filter(Boolean).join(', ');
}
const RANK: Readonly<Record<Found, number>> = { failed: 0, unknown: 1, passed: 2 };
/** Checks that need a person come first; otherwise the order stays. */
export const sortedChecks = (checks: readonly Check[]): Check[] => checks.toSorted((a, b) => RANK[foundBy(a)] - RANK[foundBy(b)]);

/** A deposit notice to which no observed payment belongs. Its own may not be seen yet, or may have found another claim. */
export const unseen = ({ row, checks }: Pick<QueueItem, 'row' | 'checks'>): boolean => row.kind === 'deposit' && checks.some((check) => check.name === 'observed' && foundBy(check) === 'failed');

/** The second approver judges independently: if a check needs a person, reasons of approvals stay hidden until they ask. */
export function hidesReason(line: HistoryLine, row: Pick<QueueRow, 'needs' | 'approvals' | 'status'>, checks: readonly Check[], me: number): boolean {
  const before = row.approvals.some(({ operator_id }) => operator_id === line.operator_id);
  return turn(row, me) === 'second' && toRead(checks) > 0 && before && line.operator_id !== me && line.reason !== '';
}

type Judged = Pick<QueueRow, 'version' | 'hash' | 'approvals' | 'failed_checks'>;
/** Whether the case differs from the one on the screen. What happens to its member can add a check and end an approval without a new version. */
export const changed = (seen: Judged, live: Judged | undefined): boolean =>
  live !== undefined && (live.version !== seen.version || live.hash !== seen.hash || !same(live.approvals, seen.approvals) || live.failed_checks.some((name) => !seen.failed_checks.includes(name)));

/** What is wrong with the length of a reason, in characters as the server counts them; undefined if it is accepted. */
export function reasonProblem(text: string): string | undefined {
  const length = [...text.normalize('NFC').trim()].length;
  if (length < 3) return 'Give a reason of at least 3 characters';
  return length > 200 ? `${length - 200} characters too many` : undefined;
}

/** The member reads them word for word, so they say what to do next. */
const REJECTIONS: Record<QueueKind, readonly string[]> = {
  withdrawal: ['The address could not be confirmed with you', 'Please verify your identity again first', 'The bank refused the details of the card'],
  deposit: ['No such transfer arrived at your address', 'The transfer was sent on another network', 'The picture does not show the transfer'],
  bank_deposit: ['No such transfer arrived', 'The name of the sender is not yours', 'The reference is missing in the transfer'],
  loan: ['The collateral is too risky for this amount', 'Please verify your identity again first', 'Please repay your other loans first'],
  identity: ['The number differs from the document', 'The photo is blurred or has glare', 'The document has expired', 'A corner of the document is cut off'],
  fund_reset: ['The photo does not show your verified document', 'The photo is blurred'],
  ticket: [],
  chat: [],
};

/** The basic level has no photos. */
const REJECTIONS_BASIC: readonly string[] = ['The name is not written in full, as in the document', 'The number is not that of an identity document', 'The address is not complete'];

/** Usual reasons to reject such a case. */
export const rejectionsOf = (kind: QueueKind, level: unknown): readonly string[] => (kind === 'identity' && level === 1 ? REJECTIONS_BASIC : REJECTIONS[kind]);
