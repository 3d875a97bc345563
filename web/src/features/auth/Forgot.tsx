import { useRef, useState, type FormEvent } from 'react';
import { useProduct } from '../../data/config';
import type { CodeSent } from '../../generated/api';
import { t } from '../../lib/i18n';
import { replace } from '../../lib/nav';
import { problem, Refusal } from '../../lib/refusal';
import { Button } from '../../ui/Button';
import { focusField } from '../../ui/Field';
import { Icon } from '../../ui/Icon';
import { resetPassword } from './api';
import { carried, useContact, useDial, useStepBack } from './contact';
import { CodeStep } from './CodeStep';
import { ContactStep } from './ContactStep';
import { fieldOf, passwordReasons, type Reason } from './model';
import { LoginFrame, NewPassword, usePasswordRules } from './Parts';
import css from './Auth.module.css';

function NewStep({ code, onCodeLost, onDone }: { code: string; onCodeLost: (text: string) => void; onDone: () => void }) {
  const contact = useContact();
  const dial = useDial();
  const rules = usePasswordRules();
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [shown, setShown] = useState<Reason['field'][]>([]);
  const [error, setError] = useState<string>();
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const reasons = passwordReasons(password, again, rules);
  const first = reasons[0];
  const errorAt = (field: Reason['field']) => {
    const reason = shown.includes(field) ? reasons.find((r) => r.field === field) : undefined;
    return reason && t(reason.text, reason.values);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (first || sending) return;
    setSending(true);
    setError(undefined);
    try {
      await resetPassword(contact, dial, code, password, again);
      onDone();
    } catch (cause) {
      if (cause instanceof Refusal && fieldOf(cause.code) === 'code') return onCodeLost(problem(cause));
      setError(problem(cause));
    }
    setSending(false);
  };
  return (
    <form ref={form} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <NewPassword
        label={t('auth.newPassword')}
        password={password}
        again={again}
        onPassword={setPassword}
        onAgain={setAgain}
        errors={{ password: errorAt('password') ?? error, again: errorAt('again') }}
        onLeaveAgain={() => again && setShown((before) => [...before, 'again'])}
      />
      <Button
        kind="commit"
        wide
        type="submit"
        loading={sending}
        reason={first && t(first.text, first.values)}
        onBlocked={() => {
          if (!first) return;
          setShown((before) => [...before, first.field]);
          focusField(form.current, first.field);
        }}
      >
        {t('auth.setPassword')}
      </Button>
    </form>
  );
}

/** Recovery: contact, code, new password, done. */
export default function Forgot() {
  const [sent, setSent] = useState<CodeSent>();
  const [code, setCode] = useState<string>();
  const [refused, setRefused] = useState<string>();
  const [done, setDone] = useState(false);
  const withdrawals = useProduct('withdraw_coin');
  const toCode = (text?: string) => {
    setCode(undefined);
    setRefused(text);
  };
  const leaveSteps = useStepBack(sent !== undefined && !done, () => {
    setSent(undefined);
    toCode();
  });
  if (done) {
    return (
      <LoginFrame title={t('auth.changed')} text={t('auth.changedText')} mark={<div className={css.mark}><Icon name="check" size={32} /></div>}>
        {withdrawals && <p className="t2">{t('auth.changedHold')}</p>}
        <div className={css.form}>
          <Button kind="commit" wide onClick={() => replace('user/login/login', carried())}>
            {t('ui.logIn')}
          </Button>
        </div>
      </LoginFrame>
    );
  }
  const step = sent === undefined ? 1 : code === undefined ? 2 : 3;
  const backOne = step === 1 ? () => replace('user/login/choose', { ...carried(), for: 'reset' }) : step === 2 ? leaveSteps : () => toCode();
  const text = step === 1 ? t('auth.resetText') : step === 2 ? t('auth.codeText', { target: sent?.sent_to ?? '' }) : t('auth.newPasswordText');
  return (
    <LoginFrame title={t('auth.resetTitle')} text={text} onBack={backOne}>
      <p className={`${css.step} lab t3`}>{t('auth.step', { step, of: 3 })}</p>
      {sent === undefined ? (
        <ContactStep purpose="forget" onSent={setSent} />
      ) : code === undefined ? (
        <CodeStep purpose="forget" sent={sent} onSent={setSent} onCode={setCode} refused={refused} />
      ) : (
        <NewStep code={code} onCodeLost={toCode} onDone={() => setDone(true)} />
      )}
    </LoginFrame>
  );
}
