import { useEffect, useRef, useState, type FormEvent } from 'react';
import { signIn } from '../../data/session';
import { t } from '../../lib/i18n';
import { problem, Refusal } from '../../lib/refusal';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import { CodeField } from '../../ui/Secret';
import { verifyLogin } from './api';
import css from './Auth.module.css';

/** Second step of a login: the authenticator's code, or one of the recovery codes. */
export function SecondStep({ challenge, onLost }: { challenge: string; onLost: (text: string) => void }) {
  const [method, setMethod] = useState<'totp' | 'recovery'>('totp');
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [sending, setSending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  // The code is the next input.
  useEffect(() => input.current?.focus(), [method]);
  const [ready, need] = method === 'totp' ? [code.length === 6, t('auth.needOtp')] : [code.trim() !== '', t('auth.needRecovery')];
  const verify = async (typed: string) => {
    if (sending) return;
    setSending(true);
    setError(undefined);
    try {
      await signIn(await verifyLogin(challenge, method, typed.trim()));
    } catch (cause) {
      if (cause instanceof Refusal && cause.code === 'E_CHALLENGE') onLost(problem(cause));
      const used = method === 'recovery' && cause instanceof Refusal && cause.code === 'E_2FA_WRONG';
      setError(used ? t('auth.wrongRecovery') : problem(cause));
      setCode('');
    }
    setSending(false);
  };
  const enter = (typed: string) => {
    setCode(typed);
    setError(undefined);
    if (method === 'totp' && typed.length === 6) void verify(typed);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) void verify(code);
    else setError(need);
  };
  const other = () => {
    setMethod(method === 'totp' ? 'recovery' : 'totp');
    setCode('');
    setError(undefined);
  };
  return (
    <form className={css.form} noValidate onSubmit={submit}>
      {method === 'totp' ? (
        <CodeField ref={input} label={t('auth.otp')} hint={t('auth.otpHint')} value={code} onValue={enter} error={error} />
      ) : (
        <Field ref={input} label={t('auth.recovery')} hint={t('auth.recoveryHint')} autoComplete="off" autoCapitalize="off" spellCheck={false} value={code} onChange={(event) => enter(event.target.value)} error={error} />
      )}
      <Button kind="commit" wide type="submit" loading={sending} reason={ready ? undefined : need}>
        {t('ui.logIn')}
      </Button>
      <Button kind="text" onClick={other}>
        {t(method === 'totp' ? 'auth.useRecovery' : 'auth.useOtp')}
      </Button>
    </form>
  );
}
