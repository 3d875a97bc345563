import { useState } from 'react';
import { useConfig } from '../../data/config';
import { useOutbox } from '../../data/outbox';
import { t } from '../../lib/i18n';
import { SandboxCode } from '../../ui/CodeEntry';
import { Field } from '../../ui/Field';

/** A sandbox sends nothing: a person who types the account's whole address reads the code here. */
export function KeptCode({ onCode }: { onCode: (code: string) => void }) {
  const sandbox = useConfig()?.mode === 'sandbox';
  const [typed, setTyped] = useState('');
  const message = useOutbox(typed.trim(), sandbox).data;
  if (!sandbox) return null;
  return (
    <>
      <Field label={t('security.sandboxTo')} autoCapitalize="off" autoComplete="off" spellCheck={false} value={typed} onChange={(event) => setTyped(event.target.value)} hint={t('security.sandboxHint')} />
      <SandboxCode message={message} onCode={onCode} />
    </>
  );
}
