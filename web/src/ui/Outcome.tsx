import { t } from '../lib/i18n';
import { Button } from './Button';
import shared from './Form.module.css';
import * as icons from './icons';
import { Refused } from './Refused';
import type { Parts } from './Sheet';
import { Note } from './Status';

/** The outcome of a write is unknown: it is being asked for, and nothing else of its kind can be sent. */
export const unknownParts = (text: string, key: string, onClose: () => void): Parts => ({
  title: t('trade.unknownTitle'),
  footer: <Button onClick={onClose}>{t('ui.close')}</Button>,
  children: (
    <div className={shared.stack}>
      <Note tone="caution" icon={icons.clock}>
        {text}
      </Note>
      <p className="lab t2 code">{t('trade.request', { key })}</p>
    </div>
  ),
});

/** Why a write was refused. */
export function RefusedNote({ state, className }: { state: { step: string; error?: unknown }; className?: string | undefined }) {
  if (state.step !== 'refused') return null;
  return (
    <div role="alert" className={className}>
      <Note tone="danger">
        <Refused error={state.error} />
      </Note>
    </div>
  );
}
