import type { Review } from '../lib/review';
import { t } from '../lib/i18n';
import { Button } from './Button';
import shared from './Form.module.css';
import { Note } from './Status';

type Looked = Pick<Review<unknown>, 'stale' | 'gone' | 'open'>;

/** Why a review cannot be sent: the screen does not show what would be sent. */
export const staleReason = ({ stale, gone }: Looked): string | undefined => (stale ? t(gone ? 'review.gone' : 'review.first') : undefined);

/** Says that the reviewed values have changed; the person asks for the new version. */
export function ReviewNote({ review: { stale, gone, open }, busy = false, className }: { review: Looked; busy?: boolean; className?: string | undefined }) {
  if (!stale || busy) return null;
  return (
    <div role="alert" className={className}>
      <Note tone="caution">
        {t(gone ? 'review.gone' : 'review.changed')}
        {!gone && (
          <div className={shared.begin}>
            <Button kind="text" small onClick={open}>
              {t('review.show')}
            </Button>
          </div>
        )}
      </Note>
    </div>
  );
}
