import { t, useLocale } from '../../lib/i18n';
import { ButtonLink } from '../../ui/Button';
import { Screen } from '../../ui/Layout';
import { EmptyState } from '../../ui/ListState';

/** An address without a page. */
export default function NotFound() {
  useLocale();
  return (
    <Screen title={t('app.name')}>
      <EmptyState icon="search" title={t('app.notFound')} text={t('app.notFoundText')}>
        <ButtonLink kind="commit" small href="#/pages/index/index">
          {t('app.goHome')}
        </ButtonLink>
        <ButtonLink small href="#/pages/trade/index">
          {t('app.markets')}
        </ButtonLink>
      </EmptyState>
    </Screen>
  );
}
