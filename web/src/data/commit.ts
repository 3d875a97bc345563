import { useEffect, useState } from 'react';
import { Refusal } from '../lib/errors';

/** What follows the answer, however late it comes. */
export interface Next<T> {
  done?: (result: T) => unknown;
  /** True when the refusal is shown at its own place: the commit is idle again. */
  refused?: (error: unknown) => boolean;
}

/** One write from the tap to a definite answer. */
export type Commit<T> =
  | { step: 'idle' }
  | { step: 'sending' }
  /** No answer came: the same request is sent again until one does, so it must not be placed anew. */
  | { step: 'unknown'; key: string; resend: () => Promise<unknown>; next: Next<T> }
  | { step: 'done'; result: T }
  | { step: 'refused'; error: unknown };

const POLL = 5_000;

/** Nothing follows for somebody who has left before a late answer came. */
async function follow<T>(answer: Promise<T>, next: Next<T>, left = () => false): Promise<Commit<T>> {
  try {
    const result = await answer;
    if (!left()) await next.done?.(result);
    return { step: 'done', result };
  } catch (error) {
    if (error instanceof Refusal && error.resend) {
      const { key } = error.data;
      return { step: 'unknown', key: typeof key === 'string' ? key : '', resend: error.resend, next };
    }
    return !left() && next.refused?.(error) ? { step: 'idle' } : { step: 'refused', error };
  }
}

/** Runs a write that must never be sent twice; an unknown outcome is asked for every 5 seconds. */
export function useCommit<T>() {
  const [state, setState] = useState<Commit<T>>({ step: 'idle' });

  useEffect(() => {
    if (state.step !== 'unknown') return;
    let left = false;
    const timer = setTimeout(async () => {
      const next = await follow(state.resend() as Promise<T>, state.next, () => left);
      if (!left) setState(next);
    }, POLL);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [state]);

  return {
    state,
    /** Nothing else may be sent while an answer is missing. */
    busy: state.step === 'sending' || state.step === 'unknown',
    run: async (send: () => Promise<T>, next: Next<T> = {}): Promise<void> => {
      setState({ step: 'sending' });
      setState(await follow(send(), next));
    },
    reset: () => setState({ step: 'idle' }),
  };
}
