import { useEffect, useState } from 'react';
import { useLoggedIn } from '../../data/session';
import type { CodeSent } from '../../generated/api';
import { t } from '../../lib/i18n';
import { fromLogin, replace } from '../../lib/nav';
import { carried, useStepBack } from './contact';
import { CodeStep } from './CodeStep';
import { ContactStep } from './ContactStep';
import { LoginFrame } from './Parts';
import { PasswordStep } from './PasswordStep';
import css from './Auth.module.css';

/** Registration in three steps: contact, code, password. */
export default function Register() {
  const [sent, setSent] = useState<CodeSent>();
  const [code, setCode] = useState<string>();
  const loggedIn = useLoggedIn();
  const toContact = () => {
    setSent(undefined);
    setCode(undefined);
  };
  const leaveSteps = useStepBack(sent !== undefined, toContact);

  useEffect(() => {
    if (!loggedIn) return;
    leaveSteps();
    fromLogin();
    // oxlint-disable-next-line react/exhaustive-deps -- only when the session begins
  }, [loggedIn]);

  const step = sent === undefined ? 1 : code === undefined ? 2 : 3;
  const backOne = step === 1 ? () => replace('user/login/choose', carried()) : step === 2 ? leaveSteps : () => setCode(undefined);
  const text = step === 1 ? t('auth.contactText') : step === 2 ? t('auth.codeText', { target: sent?.sent_to ?? '' }) : t('auth.passwordText');
  return (
    <LoginFrame title={t('ui.createAccount')} text={text} onBack={backOne}>
      <p className={`${css.step} lab t3`}>{t('auth.step', { step, of: 3 })}</p>
      {sent === undefined ? (
        <ContactStep purpose="register" onSent={setSent} />
      ) : code === undefined ? (
        <CodeStep purpose="register" sent={sent} onSent={setSent} onCode={setCode} />
      ) : (
        <PasswordStep code={code} onCodeLost={() => setCode(undefined)} />
      )}
    </LoginFrame>
  );
}
