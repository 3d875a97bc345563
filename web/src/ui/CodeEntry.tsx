import { useEffect, useRef, type ReactNode } from 'react';
import { t } from '../lib/i18n';
import { Button } from './Button';
import { CodeField } from './Secret';
import { Icon } from './Icon';
import * as icons from './icons';
import { Note } from './Status';
import css from './CodeEntry.module.css';

interface Props {
  value: string;
  onValue: (digits: string) => void;
  error: string | undefined;
  hint: ReactNode;
  /** Seconds until another code can be requested. */
  wait: number;
  onAgain: () => void;
}

/** Six digits of a code that was sent, with "send again" below. */
export function CodeEntry({ value, onValue, error, hint, wait, onAgain }: Props) {
  const input = useRef<HTMLInputElement>(null);
  // A tap opened this step, so the code is the next input.
  useEffect(() => input.current?.focus(), []);
  return (
    <>
      <CodeField ref={input} label={t('auth.code')} value={value} onValue={onValue} error={error} hint={hint} />
      <div className={css.again}>
        {wait > 0 ? (
          <span className="lab t2 num">{t('auth.resendIn', { seconds: wait })}</span>
        ) : (
          <Button kind="text" small onClick={onAgain}>
            {t('auth.resend')}
          </Button>
        )}
      </div>
    </>
  );
}

/** The message that a sandbox stores instead of sending it. */
export function SandboxCode({ message, onCode }: { message: { code: string | null; text: string } | null | undefined; onCode: (code: string) => void }) {
  if (!message) return null;
  if (!message.code) return <Note icon={icons.mail}>{message.text}</Note>;
  const { code } = message;
  return (
    <div className={css.sandbox}>
      <span className="grow lab">{t('auth.sandboxCode', { code })}</span>
      <Button small onClick={() => onCode(code)}>
        {t('auth.fillIn')}
      </Button>
    </div>
  );
}

/** We never ask for a code. */
export const KeepCode = () => (
  <p className={`${css.secret} lab t2 flex gap2`}>
    <Icon name={icons.shield} size={18} />
    {t('auth.codeSecret')}
  </p>
);
