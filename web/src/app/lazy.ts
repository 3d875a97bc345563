import { useEffect, useState, type ComponentType } from 'react';
import type { Load } from './routes';

const TIMEOUT = 120_000;
const loaded = new Map<Load, ComponentType>();
const failed = new Set<Load>();

/** Loads a screen's chunk; a chunk that does not come within 120 s has failed. */
export async function loadScreen(load: Load): Promise<ComponentType> {
  const known = loaded.get(load);
  if (known) return known;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('chunk timeout')), TIMEOUT);
  });
  try {
    const screen = (await Promise.race([load(), late])).default;
    loaded.set(load, screen);
    return screen;
  } catch (error) {
    // Browsers keep a module that failed, so a second failure with a connection takes a new document.
    if (failed.has(load) && navigator.onLine) location.reload();
    failed.add(load);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

export type Loading = { Screen: ComponentType } | { failed: true; retry: () => void } | 'loading';

export function useScreen(load: Load): Loading {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ load: Load; result: Loading }>(() => {
    const known = loaded.get(load);
    return { load, result: known ? { Screen: known } : 'loading' };
  });
  useEffect(() => {
    let live = true;
    const done = (result: Loading) => live && setState({ load, result });
    loadScreen(load).then(
      (Screen) => done({ Screen }),
      () =>
        done({
          failed: true,
          retry: () => {
            setState({ load, result: 'loading' });
            setAttempt((n) => n + 1);
          },
        }),
    );
    return () => {
      live = false;
    };
  }, [load, attempt]);
  const known = loaded.get(load);
  if (known) return { Screen: known };
  return state.load === load ? state.result : 'loading';
}
