import { useEffect, useState } from 'react';

type Listener = () => void;
const clocks = new Map<number, { listeners: Set<Listener>; timer: ReturnType<typeof setInterval> }>();

/** Calls back every `period` ms. Rows with the same period share one timer, so they render together. */
export function every(period: number, listener: Listener): () => void {
  let clock = clocks.get(period);
  if (!clock) {
    const listeners = new Set<Listener>();
    clock = { listeners, timer: setInterval(() => listeners.forEach((one) => one()), period) };
    clocks.set(period, clock);
  }
  const { listeners, timer } = clock;
  // A wrapper, so that the same callback can be added and removed twice.
  const own = () => listener();
  listeners.add(own);
  return () => {
    listeners.delete(own);
    if (listeners.size > 0 || clocks.get(period)?.timer !== timer) return;
    clearInterval(timer);
    clocks.delete(period);
  };
}

/** Re-renders every `period` ms with the device's time, for ages and countdowns. */
export function useNow(period = 1_000): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => every(period, () => setNow(Date.now())), [period]);
  return now;
}

/** True once `ms` have passed since the component mounted. */
export function useDelay(ms: number): boolean {
  const [passed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return passed;
}

/** Whole seconds until an instant; 0 once it has passed. */
export const secondsUntil = (at: number, now: number) => Math.max(0, Math.ceil((at - now) / 1000));
