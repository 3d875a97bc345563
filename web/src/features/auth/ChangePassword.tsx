import { useRef, useState, type FormEvent } from 'react';
import { useProduct } from '../../data/config';
import { refreshUser, useUser } from '../../data/session';
import { t, useLocale } from '../../lib/i18n';
import { back, current } from '../../lib/nav';
import { problem, Refusal } from '../../lib/refusal';
import { Button } from '../../ui/Button';
import { focusField } from '../../ui/Field';
import { CodeField, PasswordField } from '../../ui/Secret';
import { Screen } from '../../ui/Layout';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { changePassword } from './api';
import { changeReasons, fieldOf, type Reason } from './model';
import { NewPassword, usePasswordRules } from './Parts';
import css from './Auth.module.css';

const FORM = 'change-password';

/** Old password, and the new one twice; every other device is logged out. */
export default function ChangePassword() {
  useLocale();
  const user = useUser().data;
  const withdrawals = useProduct('withdraw_coin');
  const rules = usePasswordRules();
  const [form, setForm] = useState({ old: '', password: '', again: '', otp: '' });
  const [shown, setShown] = useState<Reason['field'][]>([]);
  const [refused, setRefused] = useState<{ field: Reason['field'] | null; text: string }>();
  const [saving, setSaving] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const otp = user?.totp ? form.otp : undefined;
  const reasons = changeReasons({ old: form.old, password: form.password, again: form.again, ...(otp !== undefined && { otp }) }, rules);
  const first = reasons[0];
  const change = (part: Partial<typeof form>) => {
    setForm((before) => ({ ...before, ...part }));
    setRefused(undefined);
  };
  const errorAt = (field: Reason['field']) => {
    if (refused && refused.field === field) return refused.text;
    const reason = shown.includes(field) ? reasons.find((r) => r.field === field) : undefined;
    return reason && t(reason.text, reason.values);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (first || saving) return;
    setSaving(true);
    const at = current();
    try {
      await changePassword(form.old, form.password, form.again, otp);
      toast(t('auth.changed'));
      if (current() === at) back();
    } catch (cause) {
      const field = cause instanceof Refusal ? fieldOf(cause.code) : null;
      // The field may be missing here, because two-factor was turned on elsewhere.
      if (cause instanceof Refusal && cause.code === 'E_2FA_REQUIRED') await refreshUser();
      setRefused({ field, text: problem(cause) });
      if (field) focusField(element.current, field);
    }
    setSaving(false);
  };
  const footer = (
    <Button
      kind="commit"
      wide
      type="submit"
      form={FORM}
      loading={saving}
      reason={first && t(first.text, first.values)}
      onBlocked={() => {
        if (!first) return;
        setShown((before) => [...before, first.field]);
        focusField(element.current, first.field);
      }}
    >
      {t('profile.changePassword')}
    </Button>
  );
  return (
    <Screen title={t('profile.loginPassword')} footer={footer}>
      <form ref={element} id={FORM} className={`${css.form} pad`} noValidate onSubmit={(event) => void submit(event)}>
        {/* Shows a password manager whose password this is. */}
        <input className="vh" tabIndex={-1} aria-hidden="true" readOnly autoComplete="username" value={user?.account_number ?? ''} />
        <PasswordField name="old" label={t('profile.oldPassword')} autoComplete="current-password" value={form.old} onChange={(event) => change({ old: event.target.value })} error={errorAt('old')} />
        <NewPassword
          label={t('auth.newPassword')}
          password={form.password}
          again={form.again}
          onPassword={(password) => change({ password })}
          onAgain={(again) => change({ again })}
          errors={{ password: errorAt('password'), again: errorAt('again') }}
          onLeaveAgain={() => form.again && setShown((before) => [...before, 'again'])}
        />
        {otp !== undefined && <CodeField name="otp" label={t('auth.otp')} hint={t('auth.otpHint')} value={otp} onValue={(typed) => change({ otp: typed })} error={errorAt('otp')} />}
        {refused?.field === null && <Note tone="danger">{refused.text}</Note>}
        <Note>{withdrawals ? t('profile.othersAndHold') : t('profile.others')}</Note>
      </form>
    </Screen>
  );
}
