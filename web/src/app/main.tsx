import { QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import '../styles/tokens.css';
import '../styles/base.css';
import { followSystemTheme } from '../data/appearance';
import { loadConfig } from '../data/config';
import { onReturn } from '../lib/online';
import { ended, started } from '../data/pending';
import { queryClient, refetchFailed } from '../data/query';
import { endSession, followOtherTabs, isLeaving, loggedIn, useSession } from '../data/session';
import { loadTickers } from '../data/tickers';
import { fetchCode, loadScreen } from '../lib/code';
import { configureHttp } from '../lib/http';
import { Refusal } from '../lib/errors';
import { activate, languageCode, locale, preferredLanguage, refusalsAfter, t } from '../lib/i18n';
import { current, go, isTab, startNav, toLogin } from '../lib/nav';
import { codeLost } from '../lib/socket';
import { storage } from '../lib/storage';
import { toast } from '../ui/Toast';
import { App } from './App';
import { setBusy } from './Busy';
import { clearForOthers } from './messages';
import { isRoute, ROUTES } from './routes';

/** Shows a refusal in the app's text, which loads in a chunk of its own, or else in the server's. */
async function say(refusal: Refusal): Promise<void> {
  const words = await import('../lib/refusal').catch(() => undefined);
  const way = words?.wayOn(refusal);
  toast(words?.refusalText(refusal) ?? (refusal.message || t('errors.ERROR')), { icon: 'warn', ...(way && { action: { label: t(way.label), run: () => go(way.path) } }) });
}

/** Event 999: clears the session, shows a message, and opens login if the page needs one. */
function loggedOut(refusal: Refusal = new Refusal('E_AUTH', '')): void {
  if (isLeaving() || (!loggedIn() && !useSession.getState().token)) return;
  endSession();
  void say(refusal);
  if (ROUTES[current().path]?.login && !isTab(current().path)) toLogin('login', true);
}

configureHttp({
  token: () => useSession.getState().token,
  person: () => useSession.getState().user?.id,
  language: () => storage.language.read().mark ?? languageCode(),
  loggedOut,
  identityNeeded: (refusal) => void say(refusal),
  toast: (refusal) => void say(refusal),
  busy: setBusy,
  started,
  ended,
});

const live = () => import('./live');
const goLive = () => void fetchCode(live).then(({ startLive }) => startLive(loggedOut), () => codeLost(goLive));

const screenOf = async (path: string) => ROUTES[path] && loadScreen(ROUTES[path].load);

/** Keeps sheets and footers above the on-screen keyboard. */
function followKeyboard(): void {
  const view = window.visualViewport;
  if (!view) return;
  const update = () => {
    const hidden = Math.max(0, Math.round(innerHeight - view.height - view.offsetTop));
    document.documentElement.style.setProperty('--kb', `${hidden > 80 ? hidden : 0}px`);
  };
  view.addEventListener('resize', update);
}

async function start(): Promise<void> {
  startNav(isRoute);
  followSystemTheme();
  followOtherTabs(loggedOut);
  clearForOthers();
  followKeyboard();
  onReturn(refetchFailed);
  void loadConfig().catch(() => {});
  // The first screen and its prices get the connection to themselves.
  const first = loadTickers().then(() => screenOf(current().path)).catch(() => {});
  refusalsAfter(first);
  await activate(preferredLanguage()).catch(() => activate('en'));
  const root = document.getElementById('root');
  if (!root) throw new Error('no root');
  createRoot(root).render(
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>,
  );
  delete document.documentElement.dataset.shell;
  // The first number format takes long to create, so it is created while the first prices load.
  setTimeout(() => new Intl.NumberFormat(locale(), { notation: 'compact' }).format(1));
  // The socket's code loads after the page is drawn.
  await first;
  const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
  idle(() => {
    goLive();
    void import('../lib/refusal').catch(() => {});
  });
}

void start();
