import type { ComponentProps, ReactNode } from 'react';
import type { Review } from '../lib/review';
import { t } from '../lib/i18n';
import { Button } from './Button';
import { CommitNote } from './CommitNote';
import shared from './Form.module.css';
import { ReviewNote, staleReason } from './ReviewNote';
import { Sheet } from './Sheet';

interface Props<T> {
  title: string;
  review: Review<T>;
  busy: boolean;
  state: ComponentProps<typeof CommitNote>['state'];
  onRemove: (what: T) => unknown;
  onClose: () => void;
  /** Shows what would be removed. */
  children: (what: T) => ReactNode;
}

/** Asks for confirmation before a stored destination of money is removed. */
export function RemovalSheet<T>({ title, review, busy, state, onRemove, onClose, children }: Props<T>) {
  return (
    <Sheet
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          {(busy || !review.gone) && (
            <Button kind="commit" loading={busy} reason={busy ? undefined : staleReason(review)} onClick={() => review.confirm(onRemove)}>
              {t('funding.remove')}
            </Button>
          )}
        </>
      }
    >
      <div className={shared.stack}>
        <ReviewNote review={review} busy={busy} />
        {review.value !== undefined && children(review.value)}
        <CommitNote state={state} />
      </div>
    </Sheet>
  );
}
