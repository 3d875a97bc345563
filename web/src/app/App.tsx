import { Activity, Fragment, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useConfig } from '../data/config';
import { usePending } from '../data/pending';
import { useSession } from '../data/session';
import { useConnected } from '../lib/online';
import { preloadScreen, useScreen } from '../lib/code';
import { afterAnAct, t, useLocale } from '../lib/i18n';
import { isTab, usePlace, type Tab } from '../lib/nav';
import { lastTickAt, socketStatus } from '../lib/socket';
import { clock, serverTime } from '../lib/time';
import { Icon } from '../ui/Icon';
import { Toasts } from '../ui/Toast';
import { Busy } from './Busy';
import { MenuLayer } from './MenuLayer';
import { Page } from './Page';
import { HALVES, ROUTES, TAB_BAR } from './routes';
import { TabBar } from './TabBar';
import css from './App.module.css';

function Offline() {
  const connected = useConnected();
  const locale = useLocale();
  if (connected) return null;
  const at = lastTickAt();
  return (
    <div className={css.strip} role="status">
      <Icon name="pause" size={16} />
      {at ? t('app.offline', { time: clock(serverTime(at), locale, true) }) : t('app.offlineShort')}
    </div>
  );
}

const strip = afterAnAct(() => import('./PendingStrip'));
function Strip() {
  const screen = useScreen(strip);
  useEffect(() => {
    if (screen !== 'loading' && 'failed' in screen) setTimeout(screen.retry, QUIET, true);
  }, [screen]);
  return screen !== 'loading' && 'Screen' in screen && <screen.Screen style={css.strip} />;
}

/** Counts the members of this visit: a screen and what was typed into it belong to the member who opened it. */
function useMember(): number {
  const user = useSession((session) => session.user?.id);
  const [member, setMember] = useState({ user, count: 0 });
  if (user !== undefined && user !== member.user) setMember({ user, count: member.user ? member.count + 1 : 0 });
  return member.count;
}

/** The other tabs load once this one has been drawn for a while and the connection is good. */
const QUIET = 5_000;
function preloadTabs(): void {
  preloadScreen(strip);
  if (socketStatus() !== 'live') return;
  for (const { path } of TAB_BAR) if (ROUTES[path]) preloadScreen(ROUTES[path].load);
}

/** A page of the stack, or one of the five tabs, which keep state and scroll position while hidden. */
function Stage({ path, visible }: { path: string; visible: boolean }) {
  const stage = useRef<HTMLDivElement>(null);
  const scroll = useRef(0);
  useLayoutEffect(() => {
    const place = stage.current;
    if (!visible || !place) return;
    const main = place.querySelector('[data-scroll]');
    if (main) main.scrollTop = scroll.current;
    // On the first visit the scrolling element appears later than this place, with the code of its page.
    const note = ({ target }: Event) => {
      if (target instanceof Element && target.matches('[data-scroll]')) scroll.current = target.scrollTop;
    };
    place.addEventListener('scroll', note, { passive: true, capture: true });
    return () => place.removeEventListener('scroll', note, true);
  }, [visible]);
  return (
    <Activity mode={visible ? 'visible' : 'hidden'}>
      <div ref={stage} className={css.stage}>
        <Page path={path} />
      </div>
    </Activity>
  );
}

export function App() {
  useLocale();
  const { path, hash, query } = usePlace();
  const sandbox = useConfig()?.mode === 'sandbox';
  const tab = isTab(path) ? path : undefined;
  // The receipt of an option is a page of its own, although it has the address of the tab.
  const bar = query.has('order') ? undefined : (HALVES[path] ?? tab);
  const member = useMember();
  const pending = usePending().length > 0;
  const [visited, setVisited] = useState<readonly Tab[]>([]);
  if (tab && !visited.includes(tab)) setVisited([...visited, tab]);

  useEffect(() => {
    const timer = setTimeout(preloadTabs, QUIET);
    return () => clearTimeout(timer);
  }, []);

  return (
    <div className={ROUTES[path]?.wide ? `${css.app} ${css.wide}` : css.app}>
      {sandbox && <aside className={css.sandbox}>{t('app.sandbox')}</aside>}
      <Offline />
      {pending && <Strip />}
      <Fragment key={member}>
        {visited.map((name) => (
          <Stage key={name} path={name} visible={name === tab} />
        ))}
        {!tab && (
          <div key={hash} className={css.stage}>
            <Page path={path} />
          </div>
        )}
      </Fragment>
      {bar && <TabBar active={bar} />}
      <MenuLayer />
      <Toasts />
      <Busy />
    </div>
  );
}
