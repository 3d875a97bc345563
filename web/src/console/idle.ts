import { create } from 'zustand';

/**
 * Automatic refreshing must not keep an unused session alive: after five minutes without input the console stops refreshing, and the
 * session ends on the server as it should.
 */
export const REST_AFTER = 5 * 60_000;

export const useIdle = create<{ resting: boolean }>(() => ({ resting: false }));

export function watchHands(wake: () => void): void {
  let timer: ReturnType<typeof setTimeout>;
  const touched = () => {
    clearTimeout(timer);
    timer = setTimeout(() => useIdle.setState({ resting: true }), REST_AFTER);
    if (!useIdle.getState().resting) return;
    useIdle.setState({ resting: false });
    wake();
  };
  for (const kind of ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const) addEventListener(kind, touched, { passive: true });
  touched();
}
