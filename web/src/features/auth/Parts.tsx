import { useState, type ReactNode } from 'react';
import { useConfig } from '../../data/config';
import { useCountries } from '../../data/countries';
import { chooseLanguage } from '../../data/language';
import { languageCode, languages, LANGUAGES, t, useLocale } from '../../lib/i18n';
import { isEmail, isPhone } from '../../lib/input';
import { back } from '../../lib/nav';
import { waitOf } from '../../lib/time';
import { IconButton } from '../../ui/Button';
import { CountryPicker } from '../../ui/Country';
import { Field } from '../../ui/Field';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Header, Screen } from '../../ui/Layout';
import { PickerSheet } from '../../ui/Picker';
import { PasswordField } from '../../ui/Secret';
import { toast } from '../../ui/Toast';
import { setContact, useContact, useDial } from './contact';
import { strength, type LoginMethod } from './model';
import css from './Auth.module.css';

function Language() {
  const [open, setOpen] = useState(false);
  const code = languageCode();
  const name = (of: string) => LANGUAGES.find((language) => language.code === of)?.name ?? of;
  return (
    <>
      <button type="button" className={css.language} aria-label={t('auth.language', { name: name(code) })} onClick={() => setOpen(true)}>
        <Icon name={icons.globe} size={18} />
        {name(code)}
        <Icon name="down" size={14} />
      </button>
      <PickerSheet
        open={open}
        onClose={() => setOpen(false)}
        title={t('auth.languageTitle')}
        options={languages().map((language) => ({ value: language.code, label: <span lang={language.tag}>{language.name}</span> }))}
        value={code}
        onValue={(chosen) => void chooseLanguage(chosen).catch(() => toast(t('auth.languageFailed', { name: name(chosen) }), { icon: 'warn' }))}
      />
    </>
  );
}

interface FrameProps {
  title: string;
  text?: ReactNode;
  /** Goes one step back; without it the header has Close. */
  onBack?: (() => void) | undefined;
  /** Above the title. */
  mark?: ReactNode;
  children: ReactNode;
}

/** How long to wait before the next attempt. */
export const waitText = (seconds: number) => {
  const wait = waitOf(seconds * 1000);
  return wait?.long ? t('auth.waitMinutes', { minutes: wait.minutes }) : t('auth.waitSeconds', { seconds });
};

/** Frame of the login screens: close or back, language, one title. */
export function LoginFrame({ title, text, onBack, mark, children }: FrameProps) {
  useLocale();
  const start = (
    <IconButton label={t(onBack ? 'ui.back' : 'auth.close')} onClick={onBack ?? back}>
      <Icon name={onBack ? 'back' : 'close'} />
    </IconButton>
  );
  return (
    <Screen header={<Header start={start} end={<Language />} />}>
      <div className={css.page}>
        {mark}
        <h1 className={css.title}>{title}</h1>
        {text && <p className="t2">{text}</p>}
        {children}
      </div>
    </Screen>
  );
}

const Valid = ({ on }: { on: boolean }) => on && <span className="t2 flex"><Icon name="check" size={18} /></span>;

interface ContactProps {
  way: LoginMethod;
  error?: string | undefined;
  onLeave?: (() => void) | undefined;
  autoComplete: string;
}

/** Phone with its country, e-mail, or account number. */
export function ContactField({ way, error, onLeave, autoComplete }: ContactProps) {
  const contact = useContact();
  const dial = useDial();
  const countries = useCountries().data ?? [];
  const common = { name: 'contact', error, onBlur: onLeave, autoComplete, autoCapitalize: 'off', spellCheck: false } as const;
  if (way === 'phone') {
    return (
      <Field
        {...common}
        label={t('auth.phone')}
        type="tel"
        inputMode="tel"
        value={contact.phone}
        onChange={(event) => setContact({ phone: event.target.value })}
        before={
          <>
            <CountryPicker dial countries={countries} value={dial === undefined ? undefined : contact.iso} onValue={(iso) => setContact({ iso })} label={t('auth.country')} />
            <span className={css.divider} />
          </>
        }
        after={<Valid on={isPhone(dial, contact.phone)} />}
      />
    );
  }
  if (way === 'email') {
    return (
      <Field
        {...common}
        label={t('auth.email')}
        type="email"
        inputMode="email"
        value={contact.email}
        onChange={(event) => setContact({ email: event.target.value })}
        after={<Valid on={isEmail(contact.email)} />}
      />
    );
  }
  return <Field {...common} label={t('auth.username')} hint={t('auth.usernameHint')} value={contact.username} onChange={(event) => setContact({ username: event.target.value })} />;
}

/** The country of a person who joins by e-mail; it decides which products they get. */
export function Residence() {
  const iso = useContact((state) => state.iso);
  const countries = useCountries().data ?? [];
  return (
    <div>
      <CountryPicker name="country" countries={countries} value={iso} onValue={(chosen) => setContact({ iso: chosen })} label={t('auth.residence')} />
      <p className={css.hint}>{t('auth.residenceHint')}</p>
    </div>
  );
}

interface PasswordsProps {
  label: string;
  password: string;
  again: string;
  onPassword: (text: string) => void;
  onAgain: (text: string) => void;
  errors: { password?: string | undefined; again?: string | undefined };
  /** The person left the repetition, so a difference can be shown now. */
  onLeaveAgain: () => void;
}

/** A new password, twice, with its strength in words. */
export function NewPassword({ label, password, again, onPassword, onAgain, errors, onLeaveAgain }: PasswordsProps) {
  const min = usePasswordRules().min;
  const word = strength(password, min);
  return (
    <>
      <PasswordField
        name="password"
        label={label}
        autoComplete="new-password"
        value={password}
        onChange={(event) => onPassword(event.target.value)}
        error={errors.password}
        hint={word ? t(word) : t('auth.passwordHint', { min })}
      />
      <PasswordField
        name="again"
        label={t('auth.repeat')}
        autoComplete="new-password"
        value={again}
        onChange={(event) => onAgain(event.target.value)}
        onBlur={onLeaveAgain}
        error={errors.again}
      />
    </>
  );
}

export function usePasswordRules() {
  const limits = useConfig()?.limits;
  return { min: limits?.password_min ?? 6, max: limits?.password_max ?? 128 };
}
