import { useRef, useState, type FormEvent } from 'react';
import type { CodeSent } from '../../generated/api';
import { secondsUntil, useNow } from '../../lib/clock';
import { t } from '../../lib/i18n';
import { problem, Refusal } from '../../lib/refusal';
import { serverNow } from '../../lib/time';
import { Button } from '../../ui/Button';
import { Segment } from '../../ui/Choice';
import { focusField } from '../../ui/Field';
import { requestCode, type Purpose } from './api';
import { setContact, useContact, useDial } from './contact';
import { contactReason } from './model';
import { ContactField, Residence, waitText } from './Parts';
import css from './Auth.module.css';

/** First step of registration and recovery: where to send the code. */
export function ContactStep({ purpose, onSent }: { purpose: Purpose; onSent: (sent: CodeSent) => void }) {
  const contact = useContact();
  const dial = useDial();
  const form = useRef<HTMLFormElement>(null);
  const [left, setLeft] = useState(false);
  const [error, setError] = useState<string>();
  const [sending, setSending] = useState(false);
  const [until, setUntil] = useState(0);
  useNow(1_000);
  const way = contact.way === 'username' ? 'phone' : contact.way;
  const joining = purpose === 'register';
  const reason = contactReason({ ...contact, way }, dial, joining);
  const wait = secondsUntil(until, serverNow());
  const formError = left && reason && reason.text.startsWith('errors.') ? t(reason.text) : error;

  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (reason || sending) return;
    setSending(true);
    setError(undefined);
    try {
      onSent(await requestCode({ ...contact, way }, dial, purpose));
    } catch (cause) {
      if (cause instanceof Refusal && typeof cause.data.retry_ms === 'number') setUntil(serverNow() + cause.data.retry_ms);
      else setError(problem(cause));
    }
    setSending(false);
  };
  const choose = (next: 'phone' | 'email') => {
    setContact({ way: next });
    setError(undefined);
    setLeft(false);
  };
  return (
    <form ref={form} className={css.form} noValidate onSubmit={(event) => void send(event)}>
      <Segment
        label={t('auth.way')}
        value={way}
        onValue={choose}
        options={[
          { value: 'phone', label: t('auth.byPhone') },
          { value: 'email', label: t('auth.byEmail') },
        ]}
      />
      <ContactField way={way} autoComplete={way === 'phone' ? 'tel-national' : 'email'} error={formError} onLeave={() => setLeft(true)} />
      {joining && way === 'email' && <Residence />}
      <Button
        kind="commit"
        wide
        type="submit"
        loading={sending}
        reason={wait > 0 ? waitText(wait) : reason ? t(reason.text) : undefined}
        onBlocked={() => {
          setLeft(true);
          focusField(form.current, reason?.field ?? 'contact');
        }}
      >
        {t('auth.sendCode')}
      </Button>
    </form>
  );
}
