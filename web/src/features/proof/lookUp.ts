import { checkNewestHead } from '../../lib/verify/newest';
import type { Entry } from '../../generated/api';
import { api } from '../../lib/http';
import { toHex, type Bytes } from '../../lib/verify/bytes';
import { Fault, type Reason } from '../../lib/verify/fault';
import { checkInclusion, entryHash, readEntry, readHead, readPath } from '../../lib/verify/log';

/** An entry of the public log, read from the log itself, and this phone's check of it. */

/** Whether it is in the log of the newest signed head. */
export type Inclusion = { state: 'in'; seq: number; timeMs: number } | { state: 'pending' } | { state: 'bad'; reason: Reason };

export interface LookedUp {
  entry: Omit<Entry, 'own'>;
  /** The hash of its bytes; null if it is not an entry at all. The venue may name another. */
  computed: string | null;
  inclusion: Inclusion;
}

async function inclusionOf(seq: number, hash: Bytes): Promise<Inclusion> {
  try {
    const newest = await checkNewestHead();
    if (newest?.fault) throw newest.fault;
    if (!newest || newest.head.seq < seq) return { state: 'pending' };
    const { head } = newest;
    const { message: way } = await api.get('proof/inclusion', { seq, head_seq: head.seq });
    await checkInclusion(readHead(head), seq, hash, readPath(way.path));
    return { state: 'in', seq: head.seq, timeMs: head.time_ms };
  } catch (error) {
    if (error instanceof Fault) return { state: 'bad', reason: error.reason };
    throw error;
  }
}

async function hashOf(entry: unknown): Promise<Bytes | null> {
  try {
    return await entryHash(readEntry(entry));
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/**
 * Reads an entry, computes its hash from its bytes, and looks for that hash in the signed log. `null` if there is no entry with this
 * number.
 */
export async function lookUp(seq: number): Promise<LookedUp | null> {
  const { message } = await api.get('proof/entries', { from: seq, limit: 1 });
  const found = message.find((one) => one.seq === seq);
  if (!found) return null;
  // The part that only its owner can read does not belong to the public entry.
  const { own: _, ...entry } = found;
  const hash = await hashOf(entry);
  return { entry, computed: hash && toHex(hash), inclusion: hash ? await inclusionOf(seq, hash) : { state: 'bad', reason: 'format' } };
}

export type Step = 'hash' | 'receipt' | 'head';
/** The result of each step of the check; `receipt` is omitted if no hash was given. */
export function stepsOf({ entry, computed, inclusion }: LookedUp, brought: string | undefined): { step: Step; state: 'done' | 'failed' | 'next' }[] {
  return [
    { step: 'hash', state: computed === entry.hash ? 'done' : 'failed' },
    ...(brought === undefined ? [] : [{ step: 'receipt' as const, state: computed === brought ? ('done' as const) : ('failed' as const) }]),
    { step: 'head', state: inclusion.state === 'in' ? 'done' : inclusion.state === 'bad' ? 'failed' : 'next' },
  ];
}
