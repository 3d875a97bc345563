import { useState } from 'react';
import { useConfig } from '../../data/config';
import { queryClient } from '../../data/query';
import { useLoggedIn } from '../../data/session';
import { loadTickers } from '../../data/tickers';
import { t, useLocale } from '../../lib/i18n';
import { exists, href, toLogin } from '../../lib/nav';
import { Button, IconButton, IconLink } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { Header, Screen } from '../../ui/Layout';
import { Announcement } from './Announcement';
import { Attention } from './Attention';
import { Menu } from './Menu';
import { Value } from './Value';
import { Watchlist } from './Watchlist';
import css from './Home.module.css';

/** The mark: a globe's meridian. */
function Brand() {
  return (
    <h1 className={css.brand}>
      <svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true">
        <circle cx="12" cy="12" r="9.200" stroke="currentColor" strokeWidth="1.700" opacity=".38" />
        <path d="M12 2.800c4.300 4.700 4.300 13.700 0 18.400" stroke="currentColor" strokeWidth="1.900" strokeLinecap="round" />
        <circle cx="15.200" cy="12" r="2.500" fill="var(--accent)" />
      </svg>
      {t('app.name')}
    </h1>
  );
}

/** Faint meridians behind the balance. */
function Globe() {
  const rx = [190, 171.2, 148.5, 118.5, 82.4, 42.3];
  return (
    <svg className={css.globe} width="390" height="330" viewBox="0 0 390 330" fill="none" stroke="var(--text-1)" strokeOpacity=".075" aria-hidden="true">
      {rx.map((r) => (
        <ellipse key={r} cx="300" cy="150" rx={r} ry="190" />
      ))}
      <path d="M300 -40V340" />
    </svg>
  );
}

function Guest() {
  return (
    <div className={css.guest}>
      <p className="h1">{t('home.guestTitle')}</p>
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

const refresh = () => Promise.all([loadTickers(), queryClient.invalidateQueries()]);

export default function Home() {
  useLocale();
  const loggedIn = useLoggedIn();
  const sandbox = useConfig()?.mode === 'sandbox';
  const [menu, setMenu] = useState(false);
  const header = (
    <Header
      left
      title={<Brand />}
      start={
        <IconButton label={t('home.menu')} onClick={() => setMenu(true)}>
          <Icon name="menu" />
        </IconButton>
      }
      end={
        <>
          {exists('trade/index') && (
            <IconLink label={t('home.searchMarkets')} href={href('trade/index', { search: 1 })}>
              <Icon name="search" />
            </IconLink>
          )}
          {exists('notice/index') && (
            <IconLink label={t('home.notices')} href={href('notice/index')}>
              <Icon name="bell" />
            </IconLink>
          )}
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
      <Attention />
      <Watchlist />
      <Announcement />
      <Menu open={menu} onClose={() => setMenu(false)} />
    </Screen>
  );
}
