import { t, useLocale } from '../../lib/i18n';
import { back } from '../../lib/nav';
import { Button } from '../../ui/Button';
import { Screen } from '../../ui/Layout';
import { EmptyState } from '../../ui/ListState';

/** The platform's location pages, which this app does not use. */
export default function System() {
  useLocale();
  return (
    <Screen title={t('app.name')}>
      <EmptyState icon="info" title={t('app.noLocation')}>
        <Button kind="commit" small onClick={back}>
          {t('ui.back')}
        </Button>
      </EmptyState>
    </Screen>
  );
}
