import { afterEach, expect, test, vi } from 'vitest';
import { draft } from './draft';
import { useSession } from './session';

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

test('what a member typed is for nobody else, what a guest typed goes on with whoever logs in', () => {
  const kept = draft<string>();
  const log = (id?: number) => useSession.setState({ user: id === undefined ? null : ({ id } as never), token: id === undefined ? '' : 'token' });
  log(1);
  kept.keep('of one');
  log();
  expect(kept.read()).toBeUndefined();
  kept.keep('of a guest');
  log(2);
  expect(kept.read()).toBe('of a guest');
  kept.keep('of two');
  log();
  expect(kept.read()).toBeUndefined();
  log(1);
  expect(kept.read()).toBe('of one');
});
