import { create } from 'zustand';
import type { Sent } from '../lib/http';
import { storage } from '../lib/storage';
import { isLeaving, useSession } from './session';

/**
 * Writes that move money, from the tap until their outcome is known. They outlive their screen and a reload. Only keys are stored, never
 * what was sent: after a reload the server is asked for the outcome of a key.
 */

export type Kind = 'order' | 'option' | 'contract' | 'contractClose' | 'plan' | 'redemption' | 'subscription' | 'convert' | 'loan' | 'repayment' | 'collateral' | 'transfer' | 'withdrawal' | 'cancellation' | 'deposit' | 'address' | 'card';

export interface Pending {
  key: string;
  kind: Kind;
  /** The member whose write it is; no one else sees it or asks for it. */
  user: number;
  /** Device time in ms. */
  at: number;
  state: 'sending' | 'unknown' | 'done' | 'refused';
}

/** The server keeps keys for 24 hours; a later answer about a key proves nothing. */
const KNOWN_FOR = 23 * 3_600_000;

/** A page that was left while sending does not know the outcome. */
const stored = () => storage.pending.read<Pending>().filter((one) => typeof one?.key === 'string').map((one): Pending => (one.state === 'sending' ? { ...one, state: 'unknown' } : one));

const usePendings = create<{ all: readonly Pending[] }>(() => ({ all: stored() }));
usePendings.subscribe(({ all }) => storage.pending.write(all));
const change = (to: (all: readonly Pending[]) => readonly Pending[]) => usePendings.setState(({ all }) => ({ all: to(all) }));

/** What this page sent, and may send again in the same session. */
const sends = new Map<string, Sent>();
/** Kinds whose screen is open and shows the answer itself. */
const watched = new Map<Kind, number>();

export function started(sent: Sent): void {
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

/** Keeps an outcome that nobody saw, until the person has read it. */
export const tell = (one: Pending) => change((all) => [...all, one]);
/** The person has read the outcome. */
export function dismiss(key: string): void {
  sends.delete(key);
  change((all) => all.filter((one) => one.key !== key));
}
/** After a logout nothing is awaited; a session that ended otherwise may come back. */
useSession.subscribe(({ token }) => {
  if (!token && isLeaving()) change(() => []);
});

/** Whether the root has received the outcome of this write and shows it. */
export const useTold = (key: string | undefined): boolean => usePending().some((one) => one.key === key && (one.state === 'done' || one.state === 'refused'));

/** What this page sent under a key, as long as it may send it again. */
export function resendable(key: string): Sent | undefined {
  const sent = sends.get(key);
  return sent?.token === useSession.getState().token && Date.now() < sent.until ? sent : undefined;
}
export const isWatched = (kind: Kind): boolean => Boolean(watched.get(kind));
/** The member's own writes, now. */
export const pendingOf = (user: number | undefined) => usePendings.getState().all.filter((one) => one.user === user);

/** While a screen waits for the answer it shows the answer itself; the returned function ends that. */
export function watch(kind: Kind): () => void {
  const add = (n: number) => watched.set(kind, (watched.get(kind) ?? 0) + n);
  add(1);
  return () => void add(-1);
}

export const isOpen = ({ state, at }: Pending) => (state === 'sending' || state === 'unknown') && Date.now() - at < KNOWN_FOR;

/** The member's own writes. */
export function usePending(): readonly Pending[] {
  const user = useSession((session) => session.user?.id);
  return usePendings(({ all }) => all).filter((one) => one.user === user);
}

/** The write of this kind with an unknown outcome: until it is known, no other is sent. */
export const useOpen = (kind: Kind | undefined): Pending | undefined => usePending().find((one) => one.kind === kind && isOpen(one));
