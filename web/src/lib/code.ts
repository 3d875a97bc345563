import { useEffect, useState, type ComponentType } from 'react';

/** Code that is loaded on demand. */

export type Load<M> = () => Promise<M>;

const TIMEOUT = 120_000;
/** The address of code that failed to load, by its loader. Without an address, only a reload helps. */
const failed = new Map<Load<unknown>, string | null>();
let tries = 0;

function anew(): Promise<never> {
  location.reload();
  return new Promise(() => {});
}

/** Loads code. Browsers remember a module that failed, so the next attempt requests the same file under another address. */
export async function fetchCode<M>(load: Load<M>): Promise<M> {
  const address = failed.get(load);
  if (address === null && navigator.onLine) return anew();
  try {
    return await (address ? (import(/* @vite-ignore */ `${address}?again=${++tries}`) as Promise<M>) : load());
  } catch (error) {
    // Chromium and Firefox name the file in the error; Safari requests it again by itself.
    const [file] = /https?:[^\s?]+\.js/.exec(String(error)) ?? [];
    if (file?.startsWith(location.origin)) failed.set(load, file);
    // The bundler's loader never retries the styles of a screen.
    else if (String(error).includes('preload CSS')) failed.set(load, null);
    throw error;
  }
}

type Screen<P> = Load<{ default: ComponentType<P> }>;
// Components of any props: a loader's entry has the type that this loader returns.
const loaded = new Map<unknown, unknown>();
/** Screens that failed while a person was looking. */
const missed = new Set<unknown>();
const known = <P>(load: Screen<P>) => loaded.get(load) as ComponentType<P> | undefined;

/** Loads a component's code; it has failed if it does not arrive within 120 s. */
export async function loadScreen<P>(load: Screen<P>): Promise<ComponentType<P>> {
  const before = known(load);
  if (before) return before;
  const again = missed.has(load);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('code timeout')), TIMEOUT);
  });
  try {
    const screen = (await Promise.race([fetchCode(load), late])).default;
    loaded.set(load, screen);
    return screen;
  } catch (error) {
    missed.add(load);
    // The failed file may be one that this file imports; then only a reload helps.
    if (again && navigator.onLine) return anew();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Loads a component's code before it is needed; a failure does not matter yet. */
export function preloadScreen<P>(load: Screen<P>): void {
  if (known(load)) return;
  fetchCode(load).then(
    (screen) => loaded.set(load, screen.default),
    () => {},
  );
}

export type Loading<P> = { Screen: ComponentType<P> } | { failed: true; retry: (byItself?: boolean) => void } | 'loading';

export function useScreen<P>(load: Screen<P>): Loading<P> {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ load: Screen<P>; result: Loading<P> }>({ load, result: 'loading' });
  useEffect(() => {
    let live = true;
    const done = (result: Loading<P>) => live && setState({ load, result });
    loadScreen(load).then(
      (Screen) => done({ Screen }),
      () =>
        done({
          failed: true,
          retry: (byItself = false) => {
            // Reload only for a person who asks again.
            if (byItself) missed.delete(load);
            setState({ load, result: 'loading' });
            setAttempt((n) => n + 1);
          },
        }),
    );
    return () => {
      live = false;
    };
  }, [load, attempt]);
  const Screen = known(load);
  if (Screen) return { Screen };
  return state.load === load ? state.result : 'loading';
}
