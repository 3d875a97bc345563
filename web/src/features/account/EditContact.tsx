import { useState } from 'react';
import { useCountries } from '../../data/countries';
import { useUser } from '../../data/session';
import { t } from '../../lib/i18n';
import { digits } from '../../lib/input';
import { Refusal } from '../../lib/refusal';
import { Button } from '../../ui/Button';
import { CodeRequest } from '../../ui/CodeRequest';
import { CountryPicker } from '../../ui/Country';
import { Field } from '../../ui/Field';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { changeMail, changePhone, sendMailCode, sendPhoneCode } from './api';
import { useForm } from './form';
import { addressReason, contactFieldOf, contactReasons } from './model';
import { KeptCode, OtpField, OwnPassword, WhosePassword } from './Parts';
import css from './Account.module.css';

const FORM = 'contact-form';

/** A new e-mail address or phone, proved by a code sent to it and by the login password. */
export function EditContact({ way, title }: { way: 'email' | 'phone'; title: string }) {
  const user = useUser().data;
  const countries = useCountries().data ?? [];
  const [typed, setTyped] = useState({ email: '', phone: '', iso: new Intl.Locale(navigator.language || 'en').region ?? '', code: '', password: '', otp: '' });
  const dial = countries.find((country) => country.iso === typed.iso)?.area_code;
  const values = { ...typed, way, dial, otp: user?.totp ? typed.otp : undefined };
  const mail = typed.email.trim();
  const phone = digits(typed.phone);
  const address = addressReason(values);
  const { form, button, changed, show, errorAt, general } = useForm(contactReasons(values), contactFieldOf, async (leave) => {
    const proof = { code: typed.code, password: typed.password, ...(values.otp !== undefined && { otp: values.otp }) };
    if (way === 'email') await changeMail(mail, proof);
    else await changePhone(phone, dial ?? '', proof);
    toast(t('profile.saved'));
    leave();
  });
  const change = (part: Partial<typeof typed>) => {
    setTyped((before) => ({ ...before, ...part }));
    changed();
  };
  const send = () => {
    if (address) {
      show('contact');
      return Promise.reject(new Refusal(way === 'email' ? 'E_EMAIL' : 'E_PHONE', ''));
    }
    return way === 'email' ? sendMailCode(mail) : sendPhoneCode(phone, dial ?? '');
  };
  const common = { name: 'contact', error: errorAt('contact') } as const;
  const footer = (
    <Button kind="commit" wide type="submit" form={FORM} {...button}>
      {t('ui.save')}
    </Button>
  );
  return (
    <Screen title={title} footer={footer}>
      <form {...form} id={FORM} className={css.form}>
        <WhosePassword />
        {way === 'email' ? (
          <Field {...common} label={t('auth.email')} type="email" inputMode="email" autoComplete="email" autoCapitalize="off" spellCheck={false} value={typed.email} onChange={(event) => change({ email: event.target.value })} />
        ) : (
          <Field
            {...common}
            label={t('auth.phone')}
            type="tel"
            inputMode="tel"
            autoComplete="tel-national"
            value={typed.phone}
            onChange={(event) => change({ phone: event.target.value })}
            before={<CountryPicker dial countries={countries} value={dial === undefined ? undefined : typed.iso} onValue={(iso) => change({ iso })} label={t('auth.country')} />}
          />
        )}
        <CodeRequest value={typed.code} onValue={(code) => change({ code })} error={errorAt('code')} send={send}>
          <KeptCode to={way === 'email' ? mail : `${dial ?? ''}${phone}`} onCode={(code) => change({ code })} />
        </CodeRequest>
        <OwnPassword name="password" value={typed.password} onValue={(password) => change({ password })} error={errorAt('password')} />
        {values.otp !== undefined && <OtpField name="otp" value={typed.otp} onValue={(otp) => change({ otp })} error={errorAt('otp')} />}
        {general && <Note tone="danger">{general}</Note>}
        <Note icon={icons.clock}>{t('security.holdBefore')}</Note>
      </form>
    </Screen>
  );
}
