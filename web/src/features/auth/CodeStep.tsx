import { useState } from 'react';
import { useConfig } from '../../data/config';
import type { CodeSent } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { t } from '../../lib/i18n';
import { Refusal } from '../../lib/refusal';
import { serverNow } from '../../lib/time';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Note } from '../../ui/Status';
import { checkCode, requestCode, useOutbox, type Purpose } from './api';
import { problem, useContact, useDial } from './contact';
import { secondsUntil } from './model';
import { CodeEntry } from './Parts';
import css from './Auth.module.css';

/** The message a sandbox keeps in place of sending it. */
function Sandbox({ onCode }: { onCode: (code: string) => void }) {
  const message = useOutbox(useContact(), useDial(), true).data;
  if (!message) return null;
  if (!message.code) return <Note icon="mail">{message.text}</Note>;
  const { code } = message;
  return (
    <div className={css.sandbox}>
      <span className="grow lab">{t('auth.sandboxCode', { code })}</span>
      <Button small onClick={() => onCode(code)}>
        {t('auth.fillIn')}
      </Button>
    </div>
  );
}

interface Props {
  purpose: Purpose;
  sent: CodeSent;
  onSent: (sent: CodeSent) => void;
  onCode: (code: string) => void;
}

/** Second step: the code, checked as soon as it is complete. */
export function CodeStep({ purpose, sent, onSent, onCode }: Props) {
  const contact = useContact();
  const dial = useDial();
  const sandbox = useConfig()?.mode === 'sandbox';
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
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
      {sandbox && <Sandbox onCode={(filled) => void enter(filled)} />}
      <p className={`${css.secret} lab t2 flex gap2`}>
        <Icon name="shield" size={18} />
        {t('auth.codeSecret')}
      </p>
    </div>
  );
}
