import { offers, useConfigQuery, useForbidden } from '../data/config';
import { usePositions } from '../data/positions';
import Contracts from '../features/lever/Contracts';
import { useScreen } from '../lib/code';
import { t } from '../lib/i18n';
import { Button } from '../ui/Button';
import { Header } from '../ui/Layout';
import { MenuButton } from '../ui/menu';
import { Plate, SkeletonRows } from '../ui/ListState';

const explained = () => import('../features/explain/Contracts');

function Explained() {
  const screen = useScreen(explained);
  if (screen !== 'loading' && 'Screen' in screen) return <screen.Screen />;
  return (
    <>
      <Header title={t('account.lever')} />
      <main>
        {screen === 'loading' ? (
          <SkeletonRows rows={6} />
        ) : (
          <Plate icon="warn" title={t('app.chunk')}>
            <Button small onClick={() => screen.retry()}>
              {t('ui.tryAgain')}
            </Button>
          </Plate>
        )}
      </main>
    </>
  );
}

/** Contracts where this server offers them here; else what they are, or that the rules of the country forbid them. */
export default function ContractsGate() {
  const config = useConfigQuery();
  const forbidden = useForbidden('contract') === 'country';
  const [open, waiting] = [usePositions(1).data ?? [], usePositions(0).data ?? []];
  // Whoever still holds something can see and close it, whatever may be opened.
  const held = open.length + waiting.length > 0;
  if (config.data && (held || !forbidden)) return held || offers(config.data, 'contract') ? <Contracts /> : <Explained />;
  return (
    <>
      <Header start={<MenuButton />} left title={t('account.lever')} />
      <main>
        {forbidden ? (
          <Plate icon="lock" title={t('errors.E_COUNTRY')} text={t('ui.guestText')} />
        ) : config.isError ? (
          <Plate icon="warn" title={t('home.errorTitle')} text={t('home.errorText')}>
            <Button small onClick={() => void config.refetch()}>
              {t('ui.tryAgain')}
            </Button>
          </Plate>
        ) : (
          <SkeletonRows rows={6} />
        )}
      </main>
    </>
  );
}
