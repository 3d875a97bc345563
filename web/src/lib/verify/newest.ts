import type { Head } from '../../generated/api';
import { Refusal } from '../errors';
import { api } from '../http';
import { readGenesis } from './entry';
import { Fault, must } from './fault';
import { fields, inner } from './json';
import { keepHead, keptHead } from './known';
import { checkContinues, checkHead, checkKey, entryHash, readEntry, readHead, readPath, same, type Head as Read } from './log';

export interface HeadCheck {
  head: Head;
  /** The head that this phone checked before; null at the first check. */
  before: Head | null;
  fault: Fault | null;
}

/** Asks the venue for the path that shows that the log of one head continues that of another. */
async function checkAfter(head: Read, older: Read): Promise<void> {
  const { message } = await api.get('proof/inclusion', { seq: older.seq, head_seq: head.seq });
  await checkContinues(head, older, readPath(message.path));
}

/**
 * Reads the newest head and checks its signature, its key, its mode, and that its log continues what this phone checked before.
 * Null while none was ever signed, which a phone that remembers one is not told.
 */
export async function checkNewestHead(): Promise<HeadCheck | null> {
  const before = keptHead();
  const answer = await api.get('proof/head').catch((error: unknown) => {
    if (!before && error instanceof Refusal && error.code === 'E_NOT_READY') return null;
    throw error;
  });
  if (!answer) return null;
  const { message: head } = answer;
  try {
    const read = readHead(head);
    await checkHead(read);
    checkKey(read, before?.key);
    const { message: entries } = await api.get('proof/entries', { from: 1, limit: 1 });
    const first = readEntry(entries[0]);
    must(same(await entryHash(first), read.genesis) && readGenesis(first).sandbox === (head.mode === 'sandbox'), 'genesis');
    if (before) {
      const older = readHead(before);
      must(older.seq <= read.seq, 'consistency');
      await checkAfter(read, older);
    }
    keepHead(head);
    return { head, before, fault: null };
  } catch (error) {
    if (error instanceof Fault) return { head, before, fault: error };
    throw error;
  }
}

/**
 * A receipt or a leaf is of the log that this phone remembers, or sees now for the first time: one of the two heads continues the other. A
 * file is checked without a connection, too; then the logs have the same first entry, and the same root at the same entry.
 */
export async function checkSameLog(document: unknown, isFile = false): Promise<void> {
  const shown = readHead(fields(inner(document).proof, 'proof').head);
  const kept = keptHead();
  must(!kept || same(readHead(kept).genesis, shown.genesis), 'consistency');
  try {
    let known = kept;
    if (!known || known.seq < shown.seq) {
      const newest = await checkNewestHead();
      if (!newest || newest.fault) throw newest?.fault ?? new Refusal('E_NOT_READY', '');
      known = newest.head;
    }
    const read = readHead(known);
    if (read.seq === shown.seq) must(same(read.root, shown.root), 'consistency');
    else await (read.seq < shown.seq ? checkAfter(shown, read) : checkAfter(read, shown));
  } catch (error) {
    if (!(isFile && error instanceof Refusal && /^E_N(ETWORK|OT_READY)$/.test(error.code))) throw error;
  }
}

/** Forgets what this phone remembers of the log; the next head that it checks counts as the first one. */
export const forgetHead = (): void => keepHead(null);
