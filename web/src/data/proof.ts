import type { Head } from '../generated/api';
import { api } from '../lib/http';
import { checkContinues, checkHead, checkKey, readHead, readPath } from '../lib/verify/log';
import { Fault } from '../lib/verify/fault';
import { keepHead, keptHead } from '../lib/verify/known';

export interface HeadCheck {
  head: Head;
  /** The head that this phone checked before; null at the first check. */
  before: Head | null;
  fault: Fault | null;
}

/** Reads the newest head and checks its signature, its key, and that its log continues what this phone checked before. */
export async function checkNewestHead(): Promise<HeadCheck> {
  const { message: head } = await api.get('proof/head');
  const before = keptHead();
  try {
    const read = readHead(head);
    await checkHead(read);
    checkKey(read, before?.key);
    if (before) {
      const older = readHead(before);
      if (older.seq > read.seq) throw new Fault('consistency', 'the log is shorter than it was');
      const { message } = await api.get('proof/inclusion', { seq: older.seq, head_seq: read.seq });
      await checkContinues(read, older, readPath(message.path));
    }
    keepHead(head);
    return { head, before, fault: null };
  } catch (error) {
    if (error instanceof Fault) return { head, before, fault: error };
    throw error;
  }
}

/** Forgets what this phone remembers of the log; the next head that it checks counts as the first one. */
export const forgetHead = (): void => keepHead(null);
