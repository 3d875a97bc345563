import { checkNewestHead } from '../../lib/verify/newest';
import type { CountedRebate, Head, PlanPromise, PlanTreasury, PoolMovement } from '../../generated/api';
import { api } from '../../lib/http';
import { Fault, must, type Reason } from '../../lib/verify/fault';
import { checkDay, checkMovements, checkPlaces, checkPromises, checkPurchase, checkRebates, checkStat, nameOf } from '../../lib/verify/figures';
import { checkInclusion, entryHash, readEntry, readHead, readPath, same, type Entry } from '../../lib/verify/log';

/** Public figures, added up from their parts on this phone. */

const PAGE = 100;
const MOVEMENTS = 500;
/** How often pages are read again because the log moved on meanwhile. */
const TRIES = 4;
/** Entries that are looked up in the log at once. */
const LOOKED_UP = 5;

export interface Range {
  from: number;
  to: number;
}
export interface Plans extends Range {
  treasury: readonly PlanTreasury[];
  promises: number;
  lookedUp: number;
}
export interface Figures extends Range {
  figures: number;
  parts: number;
}
export interface Moves extends Figures {
  lookedUp: number;
}
export interface Board extends Range {
  places: number;
  days: number;
}

/** A random few of many. */
export function some<T>(all: readonly T[]): T[] {
  const left = [...all];
  const chosen: T[] = [];
  while (left.length > 0 && chosen.length < LOOKED_UP) chosen.push(...left.splice(Math.floor(Math.random() * left.length), 1));
  return chosen;
}

interface Promises extends Range {
  rows: PlanPromise[];
  treasury: PlanTreasury[];
}
/** All promises; `null` if one was made or ended while they were read. */
async function readPromises(): Promise<Promises | null> {
  const rows: PlanPromise[] = [];
  let before: string | undefined;
  for (;;) {
    const { message, data } = await api.get('public/promises', { after: rows.at(-1)?.seq ?? 0, limit: PAGE });
    rows.push(...message);
    const now = JSON.stringify(data.treasury);
    if (before !== undefined && before !== now) return null;
    before = now;
    if (message.length < PAGE) return { rows, treasury: data.treasury, from: data.from_seq, to: data.to_seq };
  }
}

/** The entry of a part is in the signed log and matches the part. */
export async function lookUp<T extends { seq: number }>(part: T, head: Head, check: (part: T, entry: Entry) => void): Promise<void> {
  const [{ message: entries }, { message: way }] = await Promise.all([
    api.get('proof/entries', { from: part.seq, limit: 1 }),
    api.get('proof/inclusion', { seq: part.seq, head_seq: head.seq }),
  ]);
  const entry = readEntry(entries[0]);
  must(same(await entryHash(entry), entry.hash), 'chain');
  await checkInclusion(readHead(head), part.seq, entry.hash, readPath(way.path));
  check(part, entry);
}

/** Looks up a few of the parts, as far as the log is signed; returns how many. */
export async function lookUpSome<T extends { seq: number }>(parts: readonly T[], check: (part: T, entry: Entry) => void): Promise<number> {
  const head = parts.length > 0 ? await signedHead() : null;
  const chosen = head ? some(parts.filter(({ seq }) => seq <= head.seq)) : [];
  for (const part of chosen) if (head) await lookUp(part, head, check);
  return chosen.length;
}

/** The newest signed head; null while nothing is signed. */
async function signedHead(): Promise<Head | null> {
  const newest = await checkNewestHead();
  if (newest?.fault) throw newest.fault;
  return newest && newest.head;
}

export async function countPlans(): Promise<Plans> {
  for (let left = TRIES; left > 0; left--) {
    const read = await readPromises();
    if (!read) continue;
    const { rows, treasury, from, to } = read;
    checkPromises(rows, treasury);
    return { from, to, treasury, promises: rows.length, lookedUp: await lookUpSome(rows, checkPurchase) };
  }
  throw new Error('promises change all the time');
}

/** All movements of the house. A row that changed while they were read shows it by its entry. */
async function readMovements(): Promise<PoolMovement[]> {
  const rows: PoolMovement[] = [];
  for (;;) {
    const { message } = await api.get('public/movements', { after: rows.at(-1)?.id ?? 0, limit: MOVEMENTS });
    rows.push(...message);
    if (message.length < MOVEMENTS) return rows;
  }
}

/** Each account is added up at a moment at which it did not change. */
export async function countMoves(): Promise<Moves> {
  const counted = new Set<string>();
  for (let left = TRIES; left > 0; left--) {
    const { message: pools, data } = await api.get('public/pools');
    const balances = [...pools, ...data.liquidity.map((coin) => ({ ...coin, account: 'liquidity' }))];
    const rows = await readMovements();
    for (const name of checkMovements(rows, balances, data.to_seq)) counted.add(name);
    if (!balances.every((balance) => counted.has(nameOf(balance)))) continue;
    return { from: data.from_seq, to: data.to_seq, figures: balances.length, parts: rows.length, lookedUp: await lookUpSome(rows, checkDay) };
  }
  throw new Error('accounts move all the time');
}

/** The rebates of a place, day by day; `null` if the place has changed. */
async function readPlace(rank: number, place: { account: string; total: string }): Promise<CountedRebate[] | null> {
  const rows: CountedRebate[] = [];
  for (;;) {
    const { message, data } = await api.get('public/rebates', { rank, after: rows.at(-1)?.id ?? 0, limit: PAGE });
    if (data.account !== place.account || data.total !== place.total) return null;
    rows.push(...message);
    if (message.length < PAGE) return rows;
  }
}

export async function countBoard(): Promise<Board> {
  attempts: for (let left = TRIES; left > 0; left--) {
    const { message: places, data } = await api.query('user/invite_list');
    checkPlaces(places);
    let days = 0;
    for (const place of places) {
      const rows = await readPlace(place.rank, place);
      if (!rows) continue attempts;
      checkRebates(rows, place.total);
      days += rows.length;
    }
    return { from: data.from_seq, to: data.to_seq, places: places.length, days };
  }
  throw new Error('places change all the time');
}

export async function countFigures(): Promise<Figures> {
  const { message: figures } = await api.get('public/stats');
  figures.forEach(checkStat);
  const parts = figures.reduce((sum, figure) => sum + figure.parts.length, 0);
  return { from: Math.min(...figures.map((figure) => figure.from_seq)), to: Math.max(...figures.map((figure) => figure.to_seq)), figures: figures.length, parts };
}

/** The result of adding a figure up. */
export type Count<T> = { state: 'checking' } | { state: 'good'; counted: T } | { state: 'bad'; reason: Reason } | { state: 'broken' };

export async function countOf<T>(work: () => Promise<T>): Promise<Count<T>> {
  try {
    return { state: 'good', counted: await work() };
  } catch (error) {
    return error instanceof Fault ? { state: 'bad', reason: error.reason } : { state: 'broken' };
  }
}
