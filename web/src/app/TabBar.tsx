import { useEffect } from 'react';
import { t } from '../lib/i18n';
import { href, usePlace, type Tab } from '../lib/nav';
import { PLANS, useReach } from '../data/config';
import { queryClient } from '../data/query';
import { useSession } from '../data/session';
import { loadTickers } from '../data/tickers';
import { Icon } from '../ui/Icon';
import { TAB_BAR } from './routes';
import css from './App.module.css';

/** A tap on the active tab scrolls to the top; at the top, it refreshes. */
function again(): void {
  const main = [...document.querySelectorAll('[data-scroll]')].find((element) => element.clientHeight > 0);
  if (main && main.scrollTop > 0) main.scrollTo({ top: 0, behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
  else {
    void loadTickers();
    void queryClient.invalidateQueries();
  }
}

/** The page of each tab that was visited last. */
const last = new Map<Tab, string>();
useSession.subscribe(({ user }, before) => {
  if (user?.id !== before.user?.id) last.clear();
});

export function TabBar({ active }: { active: Tab }) {
  const reach = useReach();
  const { path } = usePlace();
  useEffect(() => void last.set(active, path), [active, path]);
  // A tab leads to the page where it was left, else to the first of its pages that exists.
  const tabs = TAB_BAR.flatMap((tab) => {
    const page = [last.get(tab.path) ?? '', ...(tab.path === PLANS[0] ? PLANS : [tab.path])].find((one) => one && reach(one));
    return page ? [{ ...tab, page }] : [];
  });
  return (
    <nav className={css.tabs} aria-label={t('app.tabs')}>
      {tabs.map(({ path, page, icon, label }) => (
        <a
          key={path}
          href={href(page)}
          aria-current={path === active ? 'page' : undefined}
          onClick={(event) => {
            if (path !== active) return;
            event.preventDefault();
            again();
          }}
        >
          <Icon name={icon} filled={path === active} />
          {t(label)}
        </a>
      ))}
    </nav>
  );
}
