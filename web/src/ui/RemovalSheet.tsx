import type { ComponentProps, ReactNode } from 'react';
import { t } from '../lib/i18n';
import { Button } from './Button';
import { CommitNote } from './CommitNote';
import shared from './Form.module.css';
import { Sheet } from './Sheet';

interface Props {
  title: string;
  busy: boolean;
  state: ComponentProps<typeof CommitNote>['state'];
  onRemove: () => unknown;
  onClose: () => void;
  /** What would go. */
  children: ReactNode;
}

/** Asks once more before a stored destination of money goes. */
export function RemovalSheet({ title, busy, state, onRemove, onClose, children }: Props) {
  return (
    <Sheet
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button kind="commit" loading={busy} onClick={() => void onRemove()}>
            {t('funding.remove')}
          </Button>
        </>
      }
    >
      <div className={shared.stack}>
        {children}
        <CommitNote state={state} unknown={(key) => t('funding.unknown', { key })} />
      </div>
    </Sheet>
  );
}
