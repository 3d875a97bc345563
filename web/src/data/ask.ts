import { api } from '../lib/http';
import { isOpen, isWatched, note, pendingOf, resendable, type Pending } from './pending';
import { refreshPrivate } from './query';
import { useSession } from './session';

const asking = new Set<string>();

async function ask({ key, kind }: Pending): Promise<void> {
  const sent = resendable(key);
  if (sent) {
    if (!isWatched(kind)) await sent.resend();
    return;
  }
  const { message } = await api.post('user/outcome', { key }, { quiet: true });
  note(key, message.state === 'done' ? 'done' : 'refused');
}

/** Asks for the outcome of each write. If that fails now, it asks again later. */
export async function askPending(): Promise<void> {
  for (const one of pendingOf(useSession.getState().user?.id)) {
    if (one.state !== 'unknown' || !isOpen(one) || asking.has(one.key)) continue;
    asking.add(one.key);
    try {
      await ask(one);
      refreshPrivate();
    } catch {
      // A refusal was recorded; after a lost answer it asks again.
    }
    asking.delete(one.key);
  }
}
