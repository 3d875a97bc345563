import { t } from '../lib/i18n';
import { Refused } from './Refused';
import { Note } from './Status';

/** The outcome of a write without a receipt: still unknown, or refused. */
export function CommitNote({ state, unknown }: { state: { step: string; key?: string; error?: unknown }; unknown?: (key: string) => string }) {
  const key = state.key?.slice(0, 8) ?? '';
  if (state.step === 'unknown') return <Note tone="caution">{unknown ? unknown(key) : t('transfer.unknown', { key })}</Note>;
  return (
    state.step === 'refused' && (
      <Note tone="danger">
        <Refused error={state.error} />
      </Note>
    )
  );
}
