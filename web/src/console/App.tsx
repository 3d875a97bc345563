import { lazy, Suspense } from 'react';
import { Login } from './Login';
import { useConfig } from './reads';
import { usePlace } from './route';
import { useSession } from './session';
import { Setup } from './Setup';
import css from './console.module.css';

/** Loaded after the log-in, so that a stranger loads none of it. */
const Shell = lazy(() => import('./Shell'));

/** Shows the set-up of a new operator with a link, the log-in, or the console of the operator. */
export function App() {
  const { area, id } = usePlace();
  const loggedIn = useSession(({ token, operator }) => Boolean(token && operator));
  const sandbox = useConfig().data?.mode === 'sandbox';
  return (
    <>
      {sandbox && (
        <aside className={css.strip} aria-label="Sandbox">
          Sandbox. Paper money.
        </aside>
      )}
      {area === 'setup' ? (
        <Setup link={id} />
      ) : loggedIn ? (
        <Suspense fallback={null}>
          <Shell />
        </Suspense>
      ) : (
        <Login sandbox={sandbox} />
      )}
    </>
  );
}
