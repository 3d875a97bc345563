import { refreshFunding } from '../../data/funding';
import { t } from '../../lib/i18n';
import { current, replace } from '../../lib/nav';
import { toast } from '../../ui/Toast';

/** What follows a submission from the present place: its review, unless the member has gone elsewhere meanwhile. */
export function thenReview(): () => Promise<void> {
  const at = current();
  return async () => {
    await refreshFunding();
    toast(t('identity.sent'));
    if (current() === at) replace('verification/index');
  };
}
