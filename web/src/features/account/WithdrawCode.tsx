import { useState } from 'react';
import { useUser } from '../../data/session';
import type { UserCenter } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { dateTime } from '../../lib/time';
import { Button } from '../../ui/Button';
import { CodeRequest } from '../../ui/CodeRequest';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { sendOwnCode, setWithdrawCode } from './api';
import { useForm } from './form';
import { KeptCode, OtpField, OwnPassword, WhosePassword } from './Parts';
import css from './Account.module.css';

const FORM = 'withdraw-code-form';
type Part = 'password' | 'code' | 'otp';

const PLACES: Record<string, Part> = { E_PASSWORD_OLD: 'password', E_CODE: 'code', E_CODE_LOCKED: 'code', E_2FA_REQUIRED: 'otp', E_2FA_WRONG: 'otp' };

/** Switching off needs proof and a day, switching on needs the password. */
function Form({ me }: { me: UserCenter }) {
  const locale = useLocale();
  const on = me.withdraw_code === 'on' && me.withdraw_code_until_ms === null;
  const proof: Part | undefined = on ? (me.totp ? 'otp' : 'code') : undefined;
  const [typed, setTyped] = useState({ password: '', code: '', otp: '' });
  const reasons = [
    ...(typed.password === '' ? [{ field: 'password' as const, text: 'security.needLogin' as const }] : []),
    ...(proof === 'code' && typed.code.length < 6 ? [{ field: 'code' as const, text: 'errors.E_CODE' as const }] : []),
    ...(proof === 'otp' && typed.otp.length < 6 ? [{ field: 'otp' as const, text: 'auth.needOtp' as const }] : []),
  ];
  const { form, button, changed, errorAt, general } = useForm<Part>(reasons, (code) => PLACES[code] ?? null, async (leave) => {
    await setWithdrawCode(!on, typed.password, proof && { [proof]: typed[proof] });
    toast(t('profile.saved'));
    leave();
  });
  const change = (part: Partial<typeof typed>) => {
    setTyped((before) => ({ ...before, ...part }));
    changed();
  };
  const footer = (
    <Button kind="commit" wide type="submit" form={FORM} {...button}>
      {t(on ? 'security.withdrawCodeOff' : 'security.withdrawCodeOn')}
    </Button>
  );
  return (
    <Screen help title={t('security.withdrawCode')} footer={footer}>
      <form {...form} id={FORM} className={css.form}>
        <WhosePassword />
        <p className="t2">{t('security.withdrawCodeText')}</p>
        {me.totp === 1 && <p className="t2">{t('security.withdrawCodeTotp')}</p>}
        {me.withdraw_code_until_ms !== null && <Note tone="caution">{t('security.withdrawCodeUntil', { until: dateTime(me.withdraw_code_until_ms, locale) })}</Note>}
        <OwnPassword name="password" value={typed.password} onValue={(password) => change({ password })} error={errorAt('password')} />
        {proof === 'code' && (
          <CodeRequest value={typed.code} onValue={(code) => change({ code })} error={errorAt('code')} send={() => sendOwnCode('operation')}>
            <KeptCode onCode={(code) => change({ code })} />
          </CodeRequest>
        )}
        {proof === 'otp' && <OtpField name="otp" value={typed.otp} onValue={(otp) => change({ otp })} error={errorAt('otp')} />}
        {general && <Note tone="danger">{general}</Note>}
        {on && <Note icon={icons.clock}>{t('security.withdrawCodeWait')}</Note>}
      </form>
    </Screen>
  );
}

/** The code that each withdrawal needs, and its switch. */
export default function WithdrawCode() {
  useLocale();
  const user = useUser();
  if (user.data) return <Form me={user.data} />;
  return (
    <Screen help title={t('security.withdrawCode')}>
      <ListState query={user} errorTitle={t('profile.error')} errorText={t('profile.errorText')}>
        {() => null}
      </ListState>
    </Screen>
  );
}
