import { create } from 'zustand';
import type { Sent } from '../lib/http';
import { storage } from '../lib/storage';
import { isLeaving, useSession } from './session';

/**
 * Writes of money from the tap until their outcome is known. They outlive their screen and a reload of the page. Only keys are
 * stored, never what was sent: after a reload the server is asked what became of a key.
 */

export type Kind = 'order' | 'option' | 'contract' | 'contractClose' | 'plan' | 'redemption' | 'subscription' | 'convert' | 'loan' | 'repayment' | 'collateral' | 'transfer' | 'withdrawal' | 'cancellation' | 'deposit' | 'address' | 'card';

export interface Pending {
  key: string;
  kind: Kind;
  /** Whose it is; nobody else sees it or asks for it. */
  user: number;
  /** Device time in ms. */
  at: number;
  state: 'sending' | 'unknown' | 'done' | 'refused';
}

/** The server knows its keys for 24 hours; what it says later of one proves nothing. */
const KNOWN_FOR = 23 * 3_600_000;

/** A page that was left while it was sending does not know what came of it. */
const stored = () => storage.pending.read<Pending>().filter((one) => typeof one?.key === 'string').map((one): Pending => (one.state === 'sending' ? { ...one, state: 'unknown' } : one));

const usePendings = create<{ all: readonly Pending[] }>(() => ({ all: stored() }));
usePendings.subscribe(({ all }) => storage.pending.write(all));
const change = (to: (all: readonly Pending[]) => readonly Pending[]) => usePendings.setState(({ all }) => ({ all: to(all) }));

/** What this page itself has sent, which it may send again in the same session. */
const sends = new Map<string, Sent>();
/** Kinds whose screen is there and shows the answer itself. */
const watched = new Map<Kind, number>();

export function begun(sent: Sent): void {
  const user = useSession.getState().user?.id;
  if (user === undefined) return;
  sends.set(sent.key, sent);
  change((all) => [...all, { key: sent.key, kind: sent.kept as Kind, user, at: Date.now(), state: 'sending' }]);
}

export function ended(key: string, state: 'done' | 'refused' | 'unknown'): void {
  const kind = usePendings.getState().all.find((one) => one.key === key)?.kind;
  if (kind && state !== 'unknown' && watched.get(kind)) dismiss(key);
  else note(key, state);
}

export function note(key: string, state: 'done' | 'refused' | 'unknown'): void {
  if (state !== 'unknown') sends.delete(key);
  change((all) => all.map((one) => (one.key === key ? { ...one, state } : one)));
}

/** What the person has read. */
export function dismiss(key: string): void {
  sends.delete(key);
  change((all) => all.filter((one) => one.key !== key));
}
/** Who logs out waits for nothing; a session that ended otherwise may come back. */
useSession.subscribe(({ token }) => {
  if (!token && isLeaving()) change(() => []);
});

/** Whether the root has learnt and says what became of this one. */
export const useTold = (key: string | undefined): boolean => usePending().some((one) => one.key === key && (one.state === 'done' || one.state === 'refused'));

/** What this page has sent under a key, as long as it may send it again. */
export function resendable(key: string): Sent | undefined {
  const sent = sends.get(key);
  return sent?.token === useSession.getState().token && Date.now() < sent.until ? sent : undefined;
}
export const isWatched = (kind: Kind): boolean => Boolean(watched.get(kind));
/** The member's own ones, now. */
export const pendingOf = (user: number | undefined) => usePendings.getState().all.filter((one) => one.user === user);

/** While a screen waits for the answer it shows it itself; the returned function ends that. */
export function watch(kind: Kind): () => void {
  const add = (n: number) => watched.set(kind, (watched.get(kind) ?? 0) + n);
  add(1);
  return () => void add(-1);
}

export const isOpen = ({ state, at }: Pending) => (state === 'sending' || state === 'unknown') && Date.now() - at < KNOWN_FOR;

/** The member's own ones. */
export function usePending(): readonly Pending[] {
  const user = useSession((session) => session.user?.id);
  return usePendings(({ all }) => all).filter((one) => one.user === user);
}

/** The one of this kind whose outcome is not known: until it is, no other is sent. */
export const useOpen = (kind: Kind | undefined): Pending | undefined => usePending().find((one) => one.kind === kind && isOpen(one));
