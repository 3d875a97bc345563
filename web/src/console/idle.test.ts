// @vitest-environment jsdom
import { expect, it, vi } from 'vitest';
import { REST_AFTER, useIdle, watchHands } from './idle';

it('rests when no hand is on the console, so that the session can end, and wakes with the first touch', () => {
  vi.useFakeTimers();
  const wake = vi.fn<() => void>();
  watchHands(wake);
  vi.advanceTimersByTime(REST_AFTER - 1);
  expect(useIdle.getState().resting).toBe(false);
  dispatchEvent(new Event('pointermove'));
  vi.advanceTimersByTime(REST_AFTER - 1);
  expect(useIdle.getState().resting).toBe(false);
  vi.advanceTimersByTime(1);
  expect(useIdle.getState().resting).toBe(true);
  expect(wake).not.toHaveBeenCalled();
  dispatchEvent(new Event('keydown'));
  expect(useIdle.getState().resting).toBe(false);
  expect(wake).toHaveBeenCalledOnce();
  vi.useRealTimers();
});
