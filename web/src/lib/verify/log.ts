import { bigEndian, concat, toHex, type Bytes } from './bytes';
import { isSigned, sha256 } from './crypto';
import { must } from './fault';
import { digest, fields, hex, items, whole } from './json';

/** The public log: entries, signed heads, and the path between them (`docs/log-bytes.md`). */

export interface Entry {
  seq: number;
  timeMs: number;
  kind: number;
  version: number;
  prev: Bytes;
  hash: Bytes;
  bytes: Bytes;
  sealed: Bytes | null;
  own: { bytes: Bytes; salt: Bytes } | null;
}

export interface Head {
  seq: number;
  hash: Bytes;
  root: Bytes;
  signature: Bytes;
  key: Bytes;
  timeMs: number;
  genesis: Bytes;
}

export interface Step {
  side: 'left' | 'right';
  hash: Bytes;
}

export function readEntry(value: unknown): Entry {
  const entry = fields(value, 'entry');
  const own = entry.own === undefined || entry.own === null ? null : fields(entry.own, 'own');
  return {
    seq: whole(entry.seq, 'seq'),
    timeMs: whole(entry.time_ms, 'time_ms'),
    kind: whole(entry.kind_number, 'kind_number'),
    version: whole(entry.version, 'version'),
    prev: digest(entry.prev, 'prev'),
    hash: digest(entry.hash, 'hash'),
    bytes: hex(entry.bytes, 'bytes'),
    sealed: entry.sealed === null || entry.sealed === undefined ? null : digest(entry.sealed, 'sealed'),
    own: own && { bytes: hex(own.bytes, 'own'), salt: hex(own.salt, 'own') },
  };
}

export function readHead(value: unknown): Head {
  const head = fields(value, 'head');
  return {
    seq: whole(head.seq, 'seq'),
    hash: digest(head.hash, 'hash'),
    root: digest(head.root, 'root'),
    signature: hex(head.signature, 'signature'),
    key: hex(head.key, 'key'),
    timeMs: whole(head.time_ms, 'time_ms'),
    genesis: digest(head.genesis, 'genesis'),
  };
}

export const readPath = (value: unknown): Step[] =>
  items(value, 'path').map((step) => {
    const { side, hash } = fields(step, 'path');
    must(side === 'left' || side === 'right', 'format');
    return { side, hash: digest(hash, 'path') };
  });

export const same = (a: Uint8Array, b: Uint8Array): boolean => toHex(a) === toHex(b);

/** The hash of an entry's fields. */
export function entryHash({ prev, seq, timeMs, kind, version, bytes, sealed }: Entry): Promise<Bytes> {
  const head = [prev, bigEndian(seq, 8), bigEndian(timeMs, 8), bigEndian(kind, 2), bigEndian(version, 1), bigEndian(bytes.length, 4)];
  return sha256(...head, bytes, ...(sealed ? [sealed] : []));
}

/** Consecutive entries, each with the hash of its fields. */
export async function checkChain(entries: readonly Entry[]): Promise<void> {
  const hashes = await Promise.all(entries.map(entryHash));
  entries.forEach(({ hash }, at) => must(same(hash, hashes[at] ?? hash.subarray(0, 0)), 'chain'));
  for (const [at, entry] of entries.entries()) {
    const before = entries[at - 1];
    if (before) must(same(entry.prev, before.hash) && entry.seq === before.seq + 1 && entry.timeMs >= before.timeMs, 'chain');
  }
}

const SIGNED = new TextEncoder().encode('meridian-head-v1');

export async function checkHead({ seq, hash, root, signature, key, timeMs, genesis }: Head): Promise<void> {
  const parts = [SIGNED, genesis, bigEndian(seq, 8), hash, root, bigEndian(timeMs, 8)];
  must(await isSigned(signature, concat(parts), key), 'signature');
}

/** Requires the key that is known from elsewhere, if one is. */
export function checkKey(head: Head, known: string | undefined): void {
  must(known === undefined || known === toHex(head.key), 'key', toHex(head.key));
}

/** The largest power of two below a size of two or more. */
function half(size: number): number {
  let power = 1;
  while (power * 2 < size) power *= 2;
  return power;
}

/** The sides on which the path from a leaf to the root of a tree of this size has its hashes, nearest first (RFC 9162, 2.1.3). */
export function sides(leaf: number, size: number): Step['side'][] {
  const all: Step['side'][] = [];
  let [first, end] = [0, size];
  while (end - first > 1) {
    const middle = first + half(end - first);
    if (leaf < middle) {
      all.push('right');
      end = middle;
    } else {
      all.push('left');
      first = middle;
    }
  }
  return all.toReversed();
}

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

async function rootOf(entry: Uint8Array, path: readonly Step[]): Promise<Bytes> {
  let below = await sha256(LEAF, entry);
  for (const { side, hash } of path) below = side === 'left' ? await sha256(NODE, hash, below) : await sha256(NODE, below, hash);
  return below;
}

/** The entry is in the log of the head, at its number. */
export async function checkInclusion(head: Head, seq: number, hash: Uint8Array, path: readonly Step[]): Promise<void> {
  const shaped = seq > 0 && seq <= head.seq && sides(seq - 1, head.seq).join() === path.map(({ side }) => side).join();
  must(shaped && same(await rootOf(hash, path), head.root), 'inclusion');
}

/** The log of a head continues that of an older one: the left hashes on the path from its last entry are those that its root is made of. */
export async function checkContinues(head: Head, older: Head, path: readonly Step[]): Promise<void> {
  const broken = `entry ${older.seq}`;
  must(older.seq > 0 && older.seq <= head.seq && same(older.genesis, head.genesis), 'consistency', broken);
  const shaped = sides(older.seq - 1, head.seq).join() === path.map(({ side }) => side).join();
  must(shaped && same(await rootOf(older.hash, path), head.root), 'consistency', broken);
  must(same(await rootOf(older.hash, path.filter(({ side }) => side === 'left')), older.root), 'consistency', broken);
}

/** The sealed part of an entry, if it is shown. */
export async function opened({ own, sealed }: Entry): Promise<Bytes | null> {
  if (!own) return null;
  // With another length, the border between salt and content could be moved under the same seal.
  must(own.salt.length === 16 && sealed !== null && same(await sha256(own.salt, own.bytes), sealed), 'purchase');
  return own.bytes;
}
