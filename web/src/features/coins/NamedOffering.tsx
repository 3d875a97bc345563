import type { ReactNode } from 'react';
import { useOfferings } from '../../data/coins';
import type { Offering } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { href, usePlace } from '../../lib/nav';
import { TextLink } from '../../ui/Button';
import { Screen } from '../../ui/Layout';
import { EmptyState, ListState } from '../../ui/ListState';

/** The page of the new coin that the address names. */
export function NamedOffering({ children }: { children: (offering: Offering) => ReactNode }) {
  useLocale();
  const id = usePlace().query.get('id');
  const query = useOfferings();
  const offering = query.data?.find((one) => String(one.id) === id);
  if (offering) return children(offering);
  return (
    <Screen title={t('coins.one')}>
      <ListState query={query} errorTitle={t('coins.error')} errorText={t('assets.errorText')}>
        {() => (
          <EmptyState icon="info" title={t('coins.gone')}>
            <TextLink href={href('publication/index')}>{t('explain.newCoins')}</TextLink>
          </EmptyState>
        )}
      </ListState>
    </Screen>
  );
}
