import { useEffect, useRef, useState, type FormEvent } from 'react';
import { signIn, useLoggedIn } from '../../data/session';
import { secondsUntil, useNow } from '../../lib/clock';
import { t } from '../../lib/i18n';
import { fromLogin, href } from '../../lib/nav';
import { problem, Refusal } from '../../lib/refusal';
import { serverNow } from '../../lib/time';
import { Mark } from '../../ui/Brand';
import { Button, TextLink } from '../../ui/Button';
import { Segment } from '../../ui/Choice';
import { focusField } from '../../ui/Field';
import * as icons from '../../ui/icons';
import { PasswordField } from '../../ui/Secret';
import { Note } from '../../ui/Status';
import { logIn } from './api';
import { carried, setContact, useContact, useDial, useStepBack } from './contact';
import { contactReason, type LoginMethod } from './model';
import { ContactField, LoginFrame, waitText } from './Parts';
import { within } from './links';
import { SecondStep } from './SecondStep';
import css from './Auth.module.css';

/** Faint meridians behind the title, never behind the form's text. */
function Arcs() {
  return (
    <svg className={css.arcs} viewBox="0 0 390 420" fill="none" stroke="currentColor" strokeOpacity=".1" aria-hidden="true">
      {[250, 231, 208, 177, 139, 96, 49].map((r) => (
        <ellipse key={r} cx="300" cy="120" rx={r} ry="250" />
      ))}
      <path d="M300 -130V370" />
    </svg>
  );
}

export default function Login() {
  const contact = useContact();
  const dial = useDial();
  const loggedIn = useLoggedIn();
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<{ contact?: string; password?: string }>({});
  const [sending, setSending] = useState(false);
  const [until, setUntil] = useState(0);
  const [challenge, setChallenge] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const wait = secondsUntil(until, serverNow());
  useNow(1_000);
  const reset = { ...carried(), for: 'reset' };

  // Also if login is opened, or returned to, with a session: then nothing is left to do here.
  useEffect(() => {
    if (loggedIn) fromLogin();
  }, [loggedIn]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (sending || wait > 0) return;
    const reason = contactReason(contact, dial);
    if (reason || password === '') {
      setErrors(reason ? { contact: t(reason.text) } : { password: t('auth.needPassword') });
      focusField(form.current, reason ? 'contact' : 'password');
      return;
    }
    setSending(true);
    setErrors({});
    try {
      await signIn(await logIn(contact, dial, password));
    } catch (cause) {
      if (cause instanceof Refusal && cause.code === 'E_2FA_REQUIRED' && typeof cause.data.challenge === 'string') {
        setChallenge(cause.data.challenge);
        setPassword('');
        setSending(false);
        return;
      }
      if (cause instanceof Refusal && cause.code === 'E_LOGIN_WAIT' && typeof cause.data.retry_ms === 'number') setUntil(serverNow() + cause.data.retry_ms);
      else setErrors({ password: problem(cause) });
      focusField(form.current, 'password');
    }
    setSending(false);
  };
  const choose = (way: LoginMethod) => {
    setContact({ way });
    setErrors({});
    setUntil(0);
  };
  const leaveStep = useStepBack(challenge !== undefined && !loggedIn, () => setChallenge(undefined));
  if (challenge !== undefined) {
    return (
      <LoginFrame title={t('auth.secondTitle')} text={t('auth.secondText')} onBack={leaveStep}>
        <SecondStep
          challenge={challenge}
          onLost={(text) => {
            leaveStep();
            setErrors({ password: text });
          }}
        />
      </LoginFrame>
    );
  }
  return (
    <LoginFrame
      title={t('auth.welcome')}
      text={t('auth.welcomeText')}
      mark={
        <>
          <Arcs />
          <div className={css.mark}>
            <Mark size={48} />
          </div>
        </>
      }
    >
      <form ref={form} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <Segment
          label={t('auth.way')}
          value={contact.way}
          onValue={choose}
          options={[
            { value: 'phone', label: t('auth.byPhone') },
            { value: 'email', label: t('auth.byEmail') },
            { value: 'username', label: t('auth.byUsername') },
          ]}
        />
        <ContactField way={contact.way} autoComplete="username" error={errors.contact} />
        <PasswordField
          name="password"
          label={t('auth.password')}
          aside={
            <TextLink href={href('user/login/choose', reset)} onClick={within('user/login/choose', reset)}>
              {t('auth.forgot')}
            </TextLink>
          }
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={wait > 0 ? t('errors.E_LOGIN_WAIT', { seconds: wait }) : errors.password}
        />
        <Button kind="commit" wide type="submit" loading={sending} reason={wait > 0 ? waitText(wait) : undefined}>
          {t('ui.logIn')}
        </Button>
      </form>
      <p className={css.other}>
        {t('auth.newHere')}{' '}
        <TextLink href={href('user/login/choose', carried())} onClick={within('user/login/choose', carried())}>
          {t('auth.createLink')}
        </TextLink>
      </p>
      <p className={css.other}>
        <TextLink href={href('user/login/stopChange', carried())} onClick={within('user/login/stopChange', carried())}>
          {t('auth.stopChange')}
        </TextLink>
      </p>
      <div className={css.foot}>
        <Note icon={icons.shield}>{t('auth.phishing')}</Note>
        <p className="cap t3 center">{t('auth.risk')}</p>
      </div>
    </LoginFrame>
  );
}
