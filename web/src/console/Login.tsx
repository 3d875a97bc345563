import { useState, type FormEvent } from 'react';
import { Mark } from '../ui/Brand';
import { Button } from '../ui/Button';
import { Field } from '../ui/Field';
import { Note } from '../ui/Status';
import { ops, sandboxOperator, type LoggedIn, type Role } from './api';
import { Outcome, useAct } from './kit/Act';
import { begin, useSession } from './session';
import type { Result } from '../lib/http';
import css from './console.module.css';

const ROLES: readonly { role: Role; does: string }[] = [
  { role: 'support', does: 'tickets, chats, news' },
  { role: 'verifier', does: 'identity' },
  { role: 'treasury', does: 'money in and out' },
  { role: 'market', does: 'catalog, news' },
  { role: 'auditor', does: 'reads everything' },
  { role: 'admin', does: 'operators, pause' },
];

/** Name, password and the code of the authenticator, always. */
export function Login({ sandbox }: { sandbox: boolean }) {
  const ended = useSession((state) => state.ended);
  const [form, setForm] = useState({ name: '', password: '', otp: '' });
  const [tried, setTried] = useState(false);
  const act = useAct(({ message, data }: Result<string, LoggedIn>) => begin(message, data.operator));
  const problems = {
    name: form.name.trim() ? undefined : 'Enter your login name',
    password: form.password ? undefined : 'Enter your password',
    otp: /^\d{6}$/.test(form.otp.trim()) ? undefined : 'Enter the 6 digits of your authenticator',
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (act.busy || problems.name || problems.password || problems.otp) return;
    void act.run(() => ops.post('login', { name: form.name.trim(), password: form.password, otp: form.otp.trim() }));
  };
  const field = (name: keyof typeof form) => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
    error: tried ? problems[name] : undefined,
  });
  return (
    <main className={css.gate}>
      <div className={css.brand}>
        <Mark size={32} />
        <h1 className="h2">
          Meridian <span className="t3">Ops</span>
        </h1>
      </div>
      {ended && <Note tone="caution">{ended}</Note>}
      <form onSubmit={submit} noValidate>
        <Field label="Login name" autoComplete="username" spellCheck={false} {...field('name')} />
        <Field label="Password" type="password" autoComplete="current-password" {...field('password')} />
        <Field label="Authenticator code" inputMode="numeric" autoComplete="one-time-code" maxLength={7} {...field('otp')} />
        <Outcome state={act.state} />
        <Button kind="commit" wide type="submit" loading={act.busy}>
          Log in
        </Button>
      </form>
      <p className="t2">Everything you do and look at here is written to the audit log, with your name. Sessions end after 15 minutes without use and after 8 hours.</p>
      {sandbox && <SandboxRoles />}
    </main>
  );
}

/** Different names count as different persons, so that one person can try the second approval. */
function SandboxRoles() {
  const [name, setName] = useState('');
  const act = useAct(({ message }: Result<{ token: string } & LoggedIn, unknown>) => begin(message.token, message.operator));
  return (
    <section className={css.roles} aria-labelledby="sandbox-roles">
      <h2 id="sandbox-roles" className="h3">
        Try it in the sandbox
      </h2>
      <Field label="Your name here" hint="Another name is another person: use two for a second approval." placeholder="for example Ada" autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
      <div>
        {ROLES.map(({ role, does }) => (
          <button key={role} type="button" disabled={act.busy} onClick={() => void act.run(() => sandboxOperator(role, name.trim() || role))}>
            <b>{role}</b>
            <span className="cap t2">{does}</span>
          </button>
        ))}
      </div>
      <Outcome state={act.state} />
    </section>
  );
}
