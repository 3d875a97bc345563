import { useState, type ReactNode } from 'react';
import { offers, useConfigQuery, useForbidden } from '../data/config';
import type { ProductSwitch } from '../generated/api';
import { useScreen } from '../lib/code';
import { t } from '../lib/i18n';
import { Button } from '../ui/Button';
import { Header } from '../ui/Layout';
import { MenuButton } from '../ui/menu';
import { EmptyState, SkeletonRows } from '../ui/ListState';
import type { Load } from './routes';

/** A screen that is loaded on demand. */
export function Loaded({ load, title }: { load: Load; title: string }) {
  const screen = useScreen(load);
  if (screen !== 'loading' && 'Screen' in screen) return <screen.Screen />;
  return (
    <>
      <Header title={title} />
      <main>
        {screen === 'loading' ? (
          <SkeletonRows rows={6} />
        ) : (
          <EmptyState icon="warn" title={t('app.chunk')}>
            <Button small onClick={() => screen.retry()}>
              {t('ui.tryAgain')}
            </Button>
          </EmptyState>
        )}
      </main>
    </>
  );
}

interface Props {
  product: ProductSwitch['product'];
  title: string;
  /** A member who still holds something of the product can see and end it, even if nothing can be opened. */
  held?: boolean;
  /** Loads the explanation of the product, for a server that does not offer it. */
  explained: Load;
  /** Further pages of a product have a back button instead of the menu. */
  further?: boolean;
  /** The product's own page. */
  children: ReactNode;
}

/** A product if this server offers it here; otherwise what it is, or that the rules of the country forbid it. */
export function ProductGate({ product, title, held = false, explained, further = false, children }: Props) {
  const config = useConfigQuery();
  const forbidden = useForbidden(product) === 'country';
  // The page stays until it is left, because it still has to show that the last holding has ended.
  const [stays, setStays] = useState(held);
  if (held && !stays) setStays(true);
  if (config.data && (stays || !forbidden)) return stays || offers(config.data, product) ? children : <Loaded load={explained} title={title} />;
  return (
    <>
      {further ? <Header title={title} /> : <Header start={<MenuButton />} left title={title} />}
      <main>
        {forbidden ? (
          <EmptyState icon="lock" title={t('errors.E_COUNTRY')} text={t('ui.guestText')} />
        ) : config.isError ? (
          <EmptyState icon="warn" title={t('home.errorTitle')} text={t('home.errorText')}>
            <Button small onClick={() => void config.refetch()}>
              {t('ui.tryAgain')}
            </Button>
          </EmptyState>
        ) : (
          <SkeletonRows rows={6} />
        )}
      </main>
    </>
  );
}
