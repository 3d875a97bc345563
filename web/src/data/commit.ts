import { useEffect, useState } from 'react';
import { Refusal } from '../lib/errors';

/** One write from the tap to a definite answer. */
export type Commit<T> =
  | { step: 'idle' }
  | { step: 'sending' }
  /** No answer came: the same request is sent again until one does, so it must not be placed anew. */
  | { step: 'unknown'; key: string; resend: () => Promise<unknown> }
  | { step: 'done'; result: T }
  | { step: 'refused'; error: unknown };

const POLL = 5_000;

function failed<T>(error: unknown): Commit<T> {
  if (!(error instanceof Refusal) || !error.resend) return { step: 'refused', error };
  const { key } = error.data;
  return { step: 'unknown', key: typeof key === 'string' ? key : '', resend: error.resend };
}

/** Runs a write that must never be sent twice; an unknown outcome is asked for every 5 seconds. */
export function useCommit<T>() {
  const [state, setState] = useState<Commit<T>>({ step: 'idle' });

  useEffect(() => {
    if (state.step !== 'unknown') return;
    let left = false;
    const timer = setTimeout(async () => {
      const next = await state.resend().then((result): Commit<T> => ({ step: 'done', result: result as T }), failed<T>);
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
    run: async (send: () => Promise<T>): Promise<void> => {
      setState({ step: 'sending' });
      setState(await send().then((result): Commit<T> => ({ step: 'done', result }), failed<T>));
    },
    reset: () => setState({ step: 'idle' }),
  };
}
