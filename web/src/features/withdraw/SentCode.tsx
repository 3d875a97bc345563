import { useState } from 'react';
import { useConfig } from '../../data/config';
import { sendCode } from '../../data/funding';
import { useOutbox } from '../../data/outbox';
import { t } from '../../lib/i18n';
import { SandboxCode } from '../../ui/CodeEntry';
import { CodeRequest } from '../../ui/CodeRequest';
import { Field } from '../../ui/Field';

interface Props {
  value: string;
  onValue: (digits: string) => void;
  error: string | undefined;
}

/** The code that a withdrawal needs. A sandbox sends nothing: a person who types the account's whole address reads it here. */
export function SentCode({ value, onValue, error }: Props) {
  const sandbox = useConfig()?.mode === 'sandbox';
  const [typed, setTyped] = useState('');
  const message = useOutbox(typed.trim(), sandbox).data;
  return (
    <CodeRequest value={value} onValue={onValue} error={error} send={sendCode}>
      {sandbox && (
        <>
          <Field label={t('security.sandboxTo')} autoCapitalize="off" autoComplete="off" spellCheck={false} value={typed} onChange={(event) => setTyped(event.target.value)} hint={t('security.sandboxHint')} />
          <SandboxCode message={message} onCode={onValue} />
        </>
      )}
    </CodeRequest>
  );
}
