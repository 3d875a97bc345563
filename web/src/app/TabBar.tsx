import { t } from '../lib/i18n';
import { href, type Tab } from '../lib/nav';
import { PLANS, useReach } from '../data/config';
import { queryClient } from '../data/query';
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

export function TabBar({ active }: { active: Tab }) {
  const reach = useReach();
  // A tab leads to the first of its pages that exists.
  const tabs = TAB_BAR.flatMap((tab) => {
    const page = tab.path === PLANS[0] ? PLANS.find(reach) : reach(tab.path) && tab.path;
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
