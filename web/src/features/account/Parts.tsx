import { useState } from 'react';
import { useConfig } from '../../data/config';
import { useOutbox } from '../../data/outbox';
import { useSession } from '../../data/session';
import { t } from '../../lib/i18n';
import { SandboxCode } from '../../ui/CodeEntry';
import { Field } from '../../ui/Field';
import { CodeField, PasswordField } from '../../ui/Secret';

/** Six digits of the authenticator app. */
export const OtpField = (props: { name: string; value: string; onValue: (digits: string) => void; error?: string | undefined }) => (
  <CodeField {...props} label={t('auth.otp')} hint={t('auth.otpHint')} />
);

/** The present login password. */
export const OwnPassword = ({ onValue, ...props }: { name: string; value: string; onValue: (text: string) => void; error?: string | undefined }) => (
  <PasswordField {...props} label={t('profile.loginPassword')} autoComplete="current-password" onChange={(event) => onValue(event.target.value)} />
);

/** Shows a password manager whose password this is. */
export const WhosePassword = () => {
  const account = useSession(({ user }) => user?.account_number ?? '');
  return <input className="vh" tabIndex={-1} aria-hidden="true" readOnly autoComplete="username" value={account} />;
};

interface KeptProps {
  /** The address a code was sent to; undefined if the app knows only a part of it. */
  to?: string;
  onCode: (code: string) => void;
}

/** In a sandbox the message that was not sent. Only a person who knows the whole address may read it. */
export function KeptCode({ to, onCode }: KeptProps) {
  const sandbox = useConfig()?.mode === 'sandbox';
  const [typed, setTyped] = useState('');
  const message = useOutbox(to ?? typed.trim(), sandbox).data;
  if (!sandbox) return null;
  return (
    <>
      {to === undefined && (
        <Field label={t('security.sandboxTo')} autoCapitalize="off" autoComplete="off" spellCheck={false} value={typed} onChange={(event) => setTyped(event.target.value)} hint={t('security.sandboxHint')} />
      )}
      <SandboxCode message={message} onCode={onCode} />
    </>
  );
}
