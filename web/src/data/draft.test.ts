import { afterEach, expect, test, vi } from 'vitest';
import { draft } from './draft';

afterEach(() => void vi.useRealTimers());

test('what was typed is kept for ten minutes, and not after it was sent', () => {
  vi.useFakeTimers();
  const kept = draft<string>();
  expect(kept.read()).toBeUndefined();
  kept.keep('5');
  vi.advanceTimersByTime(599_999);
  expect(kept.read()).toBe('5');
  vi.advanceTimersByTime(1);
  expect(kept.read()).toBeUndefined();
  kept.keep('6');
  kept.keep(undefined);
  expect(kept.read()).toBeUndefined();
});
