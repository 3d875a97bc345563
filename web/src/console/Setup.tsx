import { useState, type FormEvent } from 'react';
import type { Result } from '../lib/http';
import { Mark } from '../ui/Brand';
import { Button } from '../ui/Button';
import { Field } from '../ui/Field';
import { QrCode } from '../ui/QrCode';
import { Note } from '../ui/Status';
import { ops, type Setup as Answer } from './api';
import { Outcome, useAct } from './kit/Act';
import { groups } from './model/values';
import { go } from './route';
import css from './console.module.css';

const LEAST = 15;

/** A new operator's link: shows the secret for the authenticator, then takes the password with the first code. */
export function Setup({ link }: { link: string }) {
  const [form, setForm] = useState({ link, password: '', again: '', otp: '' });
  const [tried, setTried] = useState(false);
  const [secret, setSecret] = useState<Answer | null>(null);
  const [done, setDone] = useState(false);
  const start = useAct(({ message }: Result<Answer, unknown>) => setSecret(message));
  const finish = useAct(({ message }: Result<Answer, unknown>) => setDone(Boolean(message.active)));
  const problems = {
    password: [...form.password].length >= LEAST ? undefined : `Use at least ${LEAST} characters`,
    again: form.again === form.password ? undefined : 'The two passwords are not the same',
    otp: /^\d{6}$/.test(form.otp.trim()) ? undefined : 'Enter the 6 digits your authenticator shows',
  };
  const text = (name: keyof typeof form) => ({ value: form[name], onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }) });
  const begin = (event: FormEvent) => {
    event.preventDefault();
    if (form.link.trim() && !start.busy) void start.run(() => ops.post('setup', { link: form.link.trim() }));
  };
  const activate = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (finish.busy || problems.password || problems.again || problems.otp) return;
    void finish.run(() => ops.post('setup', { link: form.link.trim(), password: form.password, otp: form.otp.trim() }));
  };
  return (
    <main className={css.gate}>
      <div className={css.brand}>
        <Mark size={32} />
        <h1 className="h2">Set up your account</h1>
      </div>
      {done ? (
        <>
          <Note>
            <b>{secret?.name} is ready.</b> Log in with your password and the next code of your authenticator. If a colleague proposed you, that person must release your first log-in.
          </Note>
          <Button kind="commit" wide onClick={() => go('', '', true)}>
            Go to log-in
          </Button>
        </>
      ) : secret ? (
        <form onSubmit={activate} noValidate>
          <p>
            <b>1.</b> Put this secret into your authenticator app. It is for {secret.name} alone and is not shown again once you are done.
          </p>
          <p className={`${css.secret} code`} aria-label="Secret for the authenticator">
            {groups(secret.secret ?? '').map((part, n) => (
              <span key={n}>{part}</span>
            ))}
          </p>
          {secret.uri && (
            <>
              <QrCode text={secret.uri} label="The secret, to be scanned by the authenticator" />
              <a className={css.link} href={secret.uri}>
              Open in the authenticator on this machine
              </a>
            </>
          )}
          <p>
            <b>2.</b> Choose a password, and prove that the authenticator works.
          </p>
          <input className="vh" tabIndex={-1} aria-hidden="true" autoComplete="username" readOnly value={secret.name} />
          <Field label="Password" type="password" autoComplete="new-password" hint={`At least ${LEAST} characters. A sentence is good.`} error={tried ? problems.password : undefined} {...text('password')} />
          <Field label="Password again" type="password" autoComplete="new-password" error={tried ? problems.again : undefined} {...text('again')} />
          <Field label="Authenticator code" inputMode="numeric" autoComplete="one-time-code" maxLength={7} error={tried ? problems.otp : undefined} {...text('otp')} />
          <Outcome state={finish.state} />
          <Button kind="commit" wide type="submit" loading={finish.busy}>
            Set password and finish
          </Button>
        </form>
      ) : (
        <form onSubmit={begin} noValidate>
          <p>The link works once and for 24 hours. It came from the person who made your account.</p>
          <Field label="One-time link" autoComplete="off" spellCheck={false} {...text('link')} />
          <Outcome state={start.state} />
          <Button kind="commit" wide type="submit" loading={start.busy}>
            Begin
          </Button>
        </form>
      )}
    </main>
  );
}
