import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useCommit, type Commit } from '../../data/commit';
import { useReview } from '../../lib/review';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { Note } from '../../ui/Status';
import { reasonProblem } from '../model/queue';
import { stay } from '../route';
import { codeOf } from '../words';
import { Dialog } from './Dialog';
import { Reason } from './Fields';
import { Failure } from './States';

/** A write from the press to a definite answer; `onDone` also receives an answer that came late. */
export function useAct<T>(onDone: (result: T) => void, onRefused: (error: unknown) => void = () => {}) {
  const commit = useCommit<T>();
  const done = useEffectEvent(onDone);
  const refused = useEffectEvent(onRefused);
  const { state } = commit;
  useEffect(() => {
    if (state.step === 'done') done(state.result);
    if (state.step === 'refused') refused(state.error);
  }, [state]);
  return commit;
}

export function Outcome<T>({ state }: { state: Commit<T> }) {
  if (state.step === 'refused' && codeOf(state.error) === 'E_2FA_REQUIRED')
    return (
      <div role="alert">
        <Note>Nothing was submitted yet. An approval needs a fresh code of your authenticator.</Note>
      </div>
    );
  if (state.step === 'refused') return <Failure error={state.error} />;
  if (state.step === 'unknown')
    return (
      <Note tone="caution">
        <b>No answer yet.</b> Nothing is assumed. The same request is sent again until an answer comes. Request <span className="code">{state.key.slice(0, 8)}</span>.
      </Note>
    );
  return null;
}

interface Props<T, S> {
  /** The object of the act in its present state. What is shown and sent is its state when the dialog opened. */
  subject: S | undefined;
  title: ReactNode;
  onClose: () => void;
  /** Label of the committing button: a verb and its object. */
  label: string;
  /** The safe or usual act has a filled button, a grave one an outlined button. */
  grave?: boolean;
  /** Requires a reason; if absent, the act needs none. */
  reason?: { label: string; templates?: readonly string[]; hint?: ReactNode } | undefined;
  /** Why it cannot be sent yet. */
  blocked?: string | undefined;
  wide?: boolean;
  /** `otp` is the authenticator's code, if the server asked for one. */
  send: (subject: S, reason: string, otp?: string) => Promise<T>;
  onDone: (result: T) => void;
  /** The person asked for the new version: a form that was filled from the old one is filled again. */
  onLook?: () => void;
  onRefused?: (error: unknown) => void;
  children?: ReactNode | ((subject: S) => ReactNode);
}

/** There is no object yet; everything that is sent is typed in the dialog. */
export const NEW = null;

/** The console's only confirmation dialog: shows what will happen, asks for the reason, shows the answer. */
export function ActDialog<T, S>({ subject, title, onClose, label, grave = false, reason, blocked, wide = false, send, onDone, onLook, onRefused, children }: Props<T, S>) {
  const review = useReview(subject, true);
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const [otp, setOtp] = useState<string>();
  const act = useAct(onDone, (error) => {
    if (['E_2FA_REQUIRED', 'E_2FA_WRONG'].includes(codeOf(error))) setOtp('');
    else onRefused?.(error);
  });
  // The screen behind would take an outstanding act with it, which could then be made a second time.
  useEffect(() => (act.busy ? stay() : undefined), [act.busy]);
  const stale = review.stale && !act.busy;
  const outdated = stale ? 'Look at the new version first' : undefined;
  const noCode = otp !== undefined && !/^\d{6}$/.test(otp.trim()) ? 'Enter the 6 digits of your authenticator' : undefined;
  const problem = outdated ?? blocked ?? (reason && reasonProblem(text)) ?? noCode;
  const submit = () => {
    setTried(true);
    if (!problem && !act.busy) review.confirm((one) => act.run(() => send(one, text.normalize('NFC').trim(), ...(otp === undefined ? [] : [otp.trim()]))));
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      locked={act.busy}
      wide={wide}
      footer={
        <>
          <Button kind={grave ? 'commit' : 'line'} small disabled={act.busy} onClick={act.busy ? undefined : onClose}>
            Not now
          </Button>
          <Button kind={grave ? 'line' : 'commit'} small loading={act.busy} reason={outdated ?? (tried && blocked ? blocked : undefined)} onBlocked={submit} onClick={submit}>
            {label}
          </Button>
        </>
      }
    >
      {stale && (
        <div role="alert">
          <Note tone="caution">
            <b>{review.gone ? 'This is no longer there.' : 'This changed while you had it open.'}</b> Nothing was submitted.{' '}
            {!review.gone && (
              <Button
                kind="line"
                small
                onClick={() => {
                  review.open();
                  onLook?.();
                }}
              >
                Look at the new version
              </Button>
            )}
          </Note>
        </div>
      )}
      {typeof children === 'function' ? review.value !== undefined && children(review.value) : children}
      {reason && <Reason label={reason.label} value={text} onValue={setText} tried={tried} first {...(reason.templates && { templates: reason.templates })} {...(reason.hint !== undefined && { hint: reason.hint })} />}
      {otp !== undefined && <Field label="Authenticator code" inputMode="numeric" autoComplete="one-time-code" maxLength={7} value={otp} error={tried ? noCode : undefined} onChange={(event) => setOtp(event.target.value)} />}
      <Outcome state={act.state} />
    </Dialog>
  );
}
