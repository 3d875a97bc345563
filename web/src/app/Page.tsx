import { Component, useEffect, type ReactNode } from 'react';
import { useLoggedIn } from '../data/session';
import { t } from '../lib/i18n';
import { isTab, toLogin } from '../lib/nav';
import { Button, ButtonLink } from '../ui/Button';
import { Header } from '../ui/Layout';
import { Plate, SkeletonRows } from '../ui/ListState';
import { useScreen } from './lazy';
import { ROUTES, type Route } from './routes';
import { VERSION } from '../lib/version';

function Failed({ title, text, onRetry }: { title: string; text: string; onRetry?: () => void }) {
  return (
    <main>
      <Plate icon="warn" title={title} text={text}>
        {onRetry && (
          <Button kind="commit" small onClick={onRetry}>
            {t('ui.tryAgain')}
          </Button>
        )}
        <Button small onClick={() => location.reload()}>
          {t('app.reload')}
        </Button>
      </Plate>
    </main>
  );
}

class Guarded extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  override render() {
    if (!this.state.broken) return this.props.children;
    return <Failed title={t('app.crashed')} text={t('app.crashedText', { version: VERSION })} onRetry={() => this.setState({ broken: false })} />;
  }
}

export function NotFound() {
  return (
    <>
      <Header title={t('app.name')} />
      <main>
        <Plate icon="search" title={t('app.notFound')} text={t('app.notFoundText')}>
          <ButtonLink kind="commit" small href="#/pages/index/index">
            {t('app.goHome')}
          </ButtonLink>
          <ButtonLink small href="#/pages/trade/index">
            {t('app.markets')}
          </ButtonLink>
        </Plate>
      </main>
    </>
  );
}

function Known({ path, route }: { path: string; route: Route }) {
  const allowed = useLoggedIn() || !route.login;
  useEffect(() => {
    if (!allowed) toLogin('login', true);
  }, [allowed]);
  const screen = useScreen(route.load);
  if (!allowed) return null;
  if (screen === 'loading') {
    return (
      <>
        {isTab(path) ? <Header start={<span />} /> : <Header />}
        <main>
          <SkeletonRows rows={6} />
        </main>
      </>
    );
  }
  if ('failed' in screen) {
    return (
      <>
        <Header title={t('app.name')} />
        <Failed title={t('app.chunk')} text={t('app.chunkText', { version: VERSION })} onRetry={screen.retry} />
      </>
    );
  }
  return (
    <Guarded>
      <screen.Screen />
    </Guarded>
  );
}

/** The screen of a route, with its loading, failure and guest behaviour. */
export function Page({ path }: { path: string }) {
  const route = ROUTES[path];
  return route ? <Known path={path} route={route} /> : <NotFound />;
}
