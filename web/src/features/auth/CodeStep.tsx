import { useState } from 'react';
import { useConfig } from '../../data/config';
import { useOutbox } from '../../data/outbox';
import type { CodeSent } from '../../generated/api';
import { secondsUntil, useNow } from '../../lib/clock';
import { t } from '../../lib/i18n';
import { problem, Refusal } from '../../lib/refusal';
import { serverNow } from '../../lib/time';
import { CodeEntry, KeepCode, SandboxCode } from '../../ui/CodeEntry';
import { checkCode, requestCode, type Purpose } from './api';
import { useContact, useDial } from './contact';
import { target } from './model';
import css from './Auth.module.css';

interface Props {
  purpose: Purpose;
  sent: CodeSent;
  onSent: (sent: CodeSent) => void;
  onCode: (code: string) => void;
  /** Why the previous code was refused after all. */
  refused?: string | undefined;
}

/** Second step: the code, checked as soon as it is complete. */
export function CodeStep({ purpose, sent, onSent, onCode, refused: before }: Props) {
  const contact = useContact();
  const dial = useDial();
  const sandbox = useConfig()?.mode === 'sandbox';
  const { user_string, area_code = '' } = target(contact, dial);
  const kept = useOutbox(area_code + user_string, sandbox).data;
  const [code, setCode] = useState('');
  const [error, setError] = useState(before);
  const [checking, setChecking] = useState(false);
  const [until, setUntil] = useState(sent.resend_ms);
  useNow(1_000);

  const refused = (cause: unknown) => {
    if (cause instanceof Refusal && typeof cause.data.retry_ms === 'number') setUntil(serverNow() + cause.data.retry_ms);
    setError(problem(cause));
  };
  const enter = async (digits: string) => {
    setCode(digits);
    setError(undefined);
    if (digits.length < 6 || checking) return;
    setChecking(true);
    try {
      await checkCode(contact, dial, purpose, digits);
      onCode(digits);
    } catch (cause) {
      refused(cause);
    }
    setChecking(false);
  };
  const again = async () => {
    setCode('');
    setError(undefined);
    try {
      const next = await requestCode(contact, dial, purpose);
      setUntil(next.resend_ms);
      onSent(next);
    } catch (cause) {
      refused(cause);
    }
  };
  const hint = checking ? t('auth.checking') : t('auth.codeHint');
  return (
    <div className={css.form}>
      <CodeEntry value={code} onValue={(digits) => void enter(digits)} error={error} hint={hint} wait={secondsUntil(until, serverNow())} onAgain={() => void again()} />
      <SandboxCode message={kept} onCode={(filled) => void enter(filled)} />
      <KeepCode />
    </div>
  );
}
