import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react';
import { onReturn } from '../lib/online';
import { useLoggedIn } from '../data/session';
import { useScreen } from '../lib/code';
import { t } from '../lib/i18n';
import { focusOn, isTab, leadToLogin } from '../lib/nav';
import { Button } from '../ui/Button';
import { Guarded } from '../ui/Guarded';
import { Header } from '../ui/Layout';
import { EmptyState, SkeletonRows } from '../ui/ListState';
import { ROUTES, type Route } from './routes';
import { VERSION } from '../lib/version';

function Failed({ title, text, onRetry }: { title: string; text: string; onRetry: () => void }) {
  return (
    <>
      <Header title={t('app.name')} />
      <main>
        <EmptyState icon="warn" title={title} text={text}>
          <Button kind="commit" small onClick={onRetry}>
            {t('ui.tryAgain')}
          </Button>
          <Button small onClick={() => location.reload()}>
            {t('app.reload')}
          </Button>
        </EmptyState>
      </main>
    </>
  );
}

const Crashed = ({ retry }: { retry: () => void }) => <Failed title={t('app.crashed')} text={t('app.crashedText', { version: VERSION })} onRetry={retry} />;

const UNKNOWN: Route = { load: () => import('../features/system/NotFound') };

/** Code that failed to load is requested again as soon as the connection is back. */
function Missing({ retry }: { retry: (byItself?: boolean) => void }) {
  const again = useEffectEvent(() => retry(true));
  useEffect(() => onReturn(() => again()), []);
  return <Failed title={t('app.chunk')} text={t('app.chunkText', { version: VERSION })} onRetry={() => retry()} />;
}

/** Moves keyboard focus and screen readers to the heading of an opened page; on the first page they are already there. */
let opened = false;
function Arrival({ children }: { children: ReactNode }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const stage = place.current?.parentElement;
    const first = !opened;
    opened = true;
    if (stage && !first && !stage.contains(document.activeElement)) focusOn(null, stage);
  }, []);
  return (
    <>
      <span ref={place} hidden />
      {children}
    </>
  );
}

function Known({ path, route }: { path: string; route: Route }) {
  const allowed = useLoggedIn() || !route.login;
  useEffect(() => (allowed ? undefined : leadToLogin()), [allowed]);
  const screen = useScreen(route.load);
  if (!allowed || screen === 'loading') {
    return (
      <>
        {isTab(path) ? <Header start={<span />} /> : <Header />}
        <main>
          <SkeletonRows rows={6} />
        </main>
      </>
    );
  }
  if ('failed' in screen) return <Missing retry={screen.retry} />;
  return (
    <Guarded Broken={Crashed}>
      <Arrival>
        <screen.Screen />
      </Arrival>
    </Guarded>
  );
}

/** The screen of a route, with its loading, failure and guest behaviour. */
export function Page({ path }: { path: string }) {
  return <Known path={path} route={ROUTES[path] ?? UNKNOWN} />;
}
