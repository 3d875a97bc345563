import { useEffect, useState, type ComponentType } from 'react';
import { useAppearance } from '../../data/appearance';
import { useConfig, useProduct } from '../../data/config';
import { queryClient } from '../../data/query';
import { useLoggedIn, useSession } from '../../data/session';
import { loadTickers, usePriceStale } from '../../data/tickers';
import { useScreen, type Load } from '../../lib/code';
import { t, useLocale, withWealthWords } from '../../lib/i18n';
import { href, toLogin } from '../../lib/nav';
import { Mark } from '../../ui/Brand';
import { Button, IconLink } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Header, Screen } from '../../ui/Layout';
import { MenuButton } from '../../ui/menu';
import { Announcement } from './Announcement';
import { asksForColours } from './model';
import { Value } from './Value';
import { Watchlist } from './Watchlist';
import css from './Home.module.css';

function Brand() {
  return (
    <h1 className={css.brand}>
      <Mark />
      {t('app.name')}
    </h1>
  );
}

/** Faint meridians behind the balance. */
function Globe() {
  const rx = [190, 171.2, 148.5, 118.5, 82.4, 42.3];
  return (
    <svg className={css.globe} width="390" height="330" viewBox="0 0 390 330" preserveAspectRatio="xMinYMin slice" fill="none" stroke="var(--text-1)" strokeOpacity=".075" aria-hidden="true">
      {rx.map((r) => (
        <ellipse key={r} cx="300" cy="150" rx={r} ry="190" />
      ))}
      <path d="M300 -40V340" />
    </svg>
  );
}

/** Promises live prices only while the first pair has one. */
export function Guest() {
  const stale = usePriceStale(useConfig()?.markets[0]?.symbol ?? '');
  return (
    <div className={css.guest}>
      <p className="h1">{t(stale ? 'trade.reason.stale' : 'home.guestTitle')}</p>
      <p className="t2">{t('home.guestText')}</p>
      <div className={css.guestActions}>
        <Button kind="commit" onClick={() => toLogin()}>
          {t('ui.logIn')}
        </Button>
        <Button onClick={() => toLogin('choose')}>{t('ui.createAccount')}</Button>
      </div>
    </div>
  );
}

const attention = () => import('./Attention');
const recommended = withWealthWords(() => import('./Recommended'));
/** A popup waits until the page is drawn and its prices are there. */
const QUIET = 3_000;

/** Parts that only some members need are not in a guest's first page. */
function Part({ load }: { load: Load<{ default: ComponentType }> }) {
  const screen = useScreen(load);
  return screen !== 'loading' && 'Screen' in screen && <screen.Screen />;
}

/** Only for members, so that no sheet covers a guest's first view. */
function Recommended() {
  const member = useLoggedIn();
  const offered = useProduct('subscription');
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setLate, QUIET, true);
    return () => clearTimeout(timer);
  }, []);
  return member && offered && late && <Part load={recommended} />;
}

const refresh = () => Promise.all([loadTickers(), queryClient.invalidateQueries()]);

export default function Home() {
  useLocale();
  const loggedIn = useLoggedIn();
  const asked = useAppearance((state) => state.asked);
  const sandbox = useConfig()?.mode === 'sandbox';
  const unread = useSession(({ user, token }) => (token && user?.unread) || 0);
  const header = (
    <Header
      left
      title={<Brand />}
      start={<MenuButton />}
      end={
        <>
          <IconLink label={t('home.searchMarkets')} href={href('trade/index', { search: 1 })}>
            <Icon name="search" />
          </IconLink>
          <IconLink label={t(unread > 0 ? 'home.unread' : 'home.notices', { count: unread })} href={href('notice/index')}>
            <Icon name="bell" />
            {unread > 0 && <span className={css.dot} />}
          </IconLink>
        </>
      }
    />
  );
  return (
    <Screen header={header} onRefresh={refresh}>
      <section className={css.hero}>
        <Globe />
        {loggedIn ? <Value sandbox={sandbox} /> : <Guest />}
      </section>
      {(loggedIn || asksForColours(asked)) && <Part load={attention} />}
      <Watchlist />
      <Announcement />
      <Recommended />
    </Screen>
  );
}
