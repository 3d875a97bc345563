import { useEffect, useState, type ComponentType } from 'react';

/** Code that is fetched when it is needed. */

export type Load<M> = () => Promise<M>;

const TIMEOUT = 120_000;
/** Where the code is that did not come, by its loader; without an address only a new document brings it. */
const failed = new Map<Load<unknown>, string | null>();
let tries = 0;

function anew(): Promise<never> {
  location.reload();
  return new Promise(() => {});
}

/** Fetches code. Browsers keep a module that failed, so the next attempt asks for the same file under another address. */
export async function fetchCode<M>(load: Load<M>): Promise<M> {
  const address = failed.get(load);
  if (address === null && navigator.onLine) return anew();
  try {
    return await (address ? (import(/* @vite-ignore */ `${address}?again=${++tries}`) as Promise<M>) : load());
  } catch (error) {
    // The error names the file in Chromium and Firefox; Safari fetches anew by itself.
    const [file] = /https?:[^\s?]+\.js/.exec(String(error)) ?? [];
    if (file?.startsWith(location.origin)) failed.set(load, file);
    // The builder's loader never asks twice for the styles of a screen.
    else if (String(error).includes('preload CSS')) failed.set(load, null);
    throw error;
  }
}

type Screen<P> = Load<{ default: ComponentType<P> }>;
// A component of any properties: who asks with a loader gets what that loader brings.
const loaded = new Map<unknown, unknown>();
/** Screens that failed before somebody's eyes. */
const missed = new Set<unknown>();
const known = <P>(load: Screen<P>) => loaded.get(load) as ComponentType<P> | undefined;

/** Loads a component's code; code that does not come within 120 s has failed. */
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
    // What failed may be a file that this one needs: then only a new document helps.
    if (again && navigator.onLine) return anew();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Fetches a component's code ahead of its need; a failure is no one's concern yet. */
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
            // Only somebody who asks again may get a new document for it.
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
