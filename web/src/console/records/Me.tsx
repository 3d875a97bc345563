import { useState, type FormEvent } from 'react';
import { setAppearance, useAppearance } from '../../data/appearance';
import { Button } from '../../ui/Button';
import { Field } from '../../ui/Field';
import type { Theme } from '../../lib/storage';
import { toast } from '../../ui/Toast';
import { ops } from '../api';
import { Outcome, useAct } from '../kit/Act';
import { Select } from '../kit/Fields';
import { Facts, Screen, Section } from '../kit/Screen';
import { stamp } from '../kit/States';
import { end, useMe, useSession } from '../session';
import css from './records.module.css';

const LEAST = 15;
const THEMES: readonly { value: Theme; label: string }[] = [
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
  { value: 'system', label: 'Same as this machine' },
];

export default function Me() {
  const me = useMe();
  const { theme } = useAppearance();
  // The session ends here whatever the server answers, but not one that began in the meantime.
  const leave = async () => {
    const { token } = useSession.getState();
    await ops.post('logout', {}).catch(() => {});
    if (useSession.getState().token === token) end();
  };
  return (
    <Screen
      title={me.name}
      actions={
        <Button kind="line" small onClick={() => void leave()}>
          Log out
        </Button>
      }
    >
      <Facts
        facts={[
          ['Roles', me.roles.join(', ')],
          ['Number', String(me.id)],
          ['Last used', me.last_at_ms === null ? 'now' : stamp(me.last_at_ms)],
          ['Sessions', 'End after 15 minutes without use and after 8 hours'],
        ]}
      />
      <Section title="Appearance">
        <div className={css.narrow}>
          <Select label="Theme" options={THEMES} value={theme} onValue={(value) => setAppearance({ theme: THEMES.find((one) => one.value === value)?.value ?? 'dark' })} />
        </div>
      </Section>
      <Section title="Password">
        <Password />
      </Section>
    </Screen>
  );
}

const EMPTY = { old: '', fresh: '', again: '', otp: '' };

function Password() {
  const [form, setForm] = useState(EMPTY);
  const [tried, setTried] = useState(false);
  const act = useAct(() => {
    setForm(EMPTY);
    setTried(false);
    toast('Password changed. Your other sessions ended.');
  });
  const problems = {
    old: form.old ? undefined : 'Enter your present password',
    fresh: [...form.fresh].length >= LEAST ? undefined : `Use at least ${LEAST} characters`,
    again: form.again === form.fresh ? undefined : 'The two passwords are not the same',
    otp: /^\d{6}$/.test(form.otp.trim()) ? undefined : 'Enter the 6 digits of your authenticator',
  };
  const field = (name: keyof typeof form) => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
    error: tried ? problems[name] : undefined,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (act.busy || Object.values(problems).some(Boolean)) return;
    void act.run(() => ops.post('password', { old_password: form.old, password: form.fresh, otp: form.otp.trim() }));
  };
  return (
    <form className={css.narrow} onSubmit={submit} noValidate>
      <Field label="Present password" type="password" autoComplete="current-password" {...field('old')} />
      <Field label="New password" type="password" autoComplete="new-password" hint={`At least ${LEAST} characters`} {...field('fresh')} />
      <Field label="New password again" type="password" autoComplete="new-password" {...field('again')} />
      <Field label="Authenticator code" inputMode="numeric" autoComplete="one-time-code" maxLength={7} {...field('otp')} />
      <Outcome state={act.state} />
      <Button kind="commit" small type="submit" loading={act.busy}>
        Change password
      </Button>
    </form>
  );
}
