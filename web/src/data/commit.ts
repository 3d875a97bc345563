import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Refusal } from '../lib/errors';
import { tell, useOpen, useTold, watch, type Kind } from './pending';

/** What happens after the answer, however late it comes. */
export interface Next<T> {
  done?: (result: T) => unknown;
  /** Returns true if the refusal is shown where it belongs; the commit is then idle again. */
  refused?: (error: unknown) => boolean;
}

/** One write from the tap to a definite answer. */
export type Commit<T> =
  | { step: 'idle' }
  | { step: 'sending' }
  /** No answer came. The same request is sent again until one does, so it must not be placed a second time. */
  | { step: 'unknown'; key: string; again?: { resend: () => Promise<unknown>; next: Next<T> } }
  | { step: 'done'; result: T }
  | { step: 'refused'; error: unknown };

const POLL = 5_000;

/** Does nothing for a member who left before a late answer came. */
async function follow<T>(answer: Promise<T>, next: Next<T>, left: () => boolean): Promise<Commit<T>> {
  try {
    const result = await answer;
    if (!left()) await next.done?.(result);
    return { step: 'done', result };
  } catch (error) {
    if (error instanceof Refusal && error.resend) {
      const { key } = error.data;
      return { step: 'unknown', key: typeof key === 'string' ? key : '', again: { resend: error.resend, next } };
    }
    return !left() && next.refused?.(error) ? { step: 'idle' } : { step: 'refused', error };
  }
}

/**
 * Runs a write that must never be sent twice; an unknown outcome is asked for every 5 seconds. A write of a `kind` is kept when its screen
 * is left: until its outcome is known, no other of its kind can be sent. An answer that comes while its screen is not `shown` is told by
 * the root. Where the root received it, `leave` closes the screen: what was reviewed there may be done already.
 */
export function useCommit<T>(kind?: Kind, shown = true, leave?: () => void) {
  const [own, setState] = useState<Commit<T>>({ step: 'idle' });
  const open = useOpen(kind);
  const [last, setLast] = useState(open);
  if (open && open !== last) setLast(open);
  const told = useTold(last?.key);
  const waiting = own.step === 'sending' || own.step === 'unknown';
  if (told && own.step === 'unknown') setState({ step: 'idle' });
  const state: Commit<T> = open && !waiting ? { step: 'unknown', key: open.key } : own;
  const [was, setWas] = useState(shown);
  if (was !== shown) {
    setWas(shown);
    // A screen that opens starts afresh, unless an answer is outstanding.
    if (shown && !waiting) setState({ step: 'idle' });
  }
  const now = useRef({ there: true, shown, last });

  useEffect(() => {
    now.current = { there: true, shown, last };
    return () => {
      now.current.there = false;
    };
  });
  const end = useEffectEvent(() => shown && leave?.());
  useEffect(() => {
    if (told) end();
  }, [told]);
  const settle = (answer: Commit<T>) => {
    const { there, shown, last } = now.current;
    const unseen = there && !shown && answer.step !== 'unknown' ? last : undefined;
    if (unseen) tell({ ...unseen, state: answer.step === 'done' ? 'done' : 'refused' });
    setState(unseen ? { step: 'idle' } : answer);
  };
  useEffect(() => (kind && waiting ? watch(kind) : undefined), [kind, waiting]);
  useEffect(() => {
    if (own.step !== 'unknown' || !own.again) return;
    const { resend, next } = own.again;
    let left = false;
    const timer = setTimeout(async () => {
      const answer = await follow(resend() as Promise<T>, next, () => left);
      if (!left) settle(answer);
    }, POLL);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [own]);

  const busy = waiting || open !== undefined;
  return {
    state,
    /** Nothing else may be sent while an answer is outstanding. */
    busy,
    run: async (send: () => Promise<T>, next: Next<T> = {}): Promise<void> => {
      if (busy) return;
      setState({ step: 'sending' });
      settle(await follow(send(), next, () => !now.current.there));
    },
    reset: () => setState({ step: 'idle' }),
  };
}
