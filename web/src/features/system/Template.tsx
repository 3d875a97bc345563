import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { ButtonLink } from '../../ui/Button';
import { Screen } from '../../ui/Layout';
import { EmptyState } from '../../ui/ListState';

/** A page of the platform without links to it. */
export default function Template() {
  useLocale();
  return (
    <Screen title={t('app.name')}>
      <EmptyState icon="info" title={t('app.nothingHere')}>
        <ButtonLink kind="commit" small href={href('index/index')}>
          {t('app.goHome')}
        </ButtonLink>
      </EmptyState>
    </Screen>
  );
}
