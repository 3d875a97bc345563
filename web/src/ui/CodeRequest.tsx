import { useState, type ReactNode } from 'react';
import { secondsUntil, useNow } from '../lib/clock';
import { t } from '../lib/i18n';
import { Refusal, refusalText } from '../lib/refusal';
import { serverNow } from '../lib/time';
import { Button } from './Button';
import { CodeField } from './Secret';
import css from './Form.module.css';

interface Sent {
  resend_ms: number;
  sent_to: string;
}
interface Props {
  value: string;
  onValue: (digits: string) => void;
  error?: string | undefined;
  /** Requests the code. */
  send: () => Promise<Sent>;
  /** Below the field once a code was sent: the message that a sandbox stored. */
  children?: ReactNode;
}

/** Six digits that are sent to the person, with the wait until the next code. */
export function CodeRequest({ value, onValue, error, send, children }: Props) {
  const [to, setTo] = useState<string>();
  const [until, setUntil] = useState(0);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  useNow(1_000);
  const wait = secondsUntil(until, serverNow());
  const ask = async () => {
    setSending(true);
    setProblem(undefined);
    try {
      const sent = await send();
      setUntil(sent.resend_ms);
      setTo(sent.sent_to);
    } catch (cause) {
      if (cause instanceof Refusal && typeof cause.data.retry_ms === 'number') setUntil(serverNow() + cause.data.retry_ms);
      setProblem(refusalText(cause));
    }
    setSending(false);
  };
  return (
    <div>
      <CodeField name="code" label={t('auth.code')} value={value} onValue={onValue} error={error ?? problem} hint={to && t('funding.codeSent', { to })} />
      {wait > 0 ? (
        <p className="lab t2 num">{t('auth.resendIn', { seconds: wait })}</p>
      ) : (
        <div className={css.begin}>
          <Button kind="text" small loading={sending} onClick={() => void ask()}>
            {t(to ? 'auth.resend' : 'funding.sendCode')}
          </Button>
        </div>
      )}
      {to !== undefined && children}
    </div>
  );
}
