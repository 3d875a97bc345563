// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refusal } from '../lib/errors';
import { useCommit } from './commit';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A write whose answer is lost; `late` is the answer to the repetition. */
const lost = (late: () => Promise<string>) => () => Promise.reject(new Refusal('E_OUTCOME_UNKNOWN', '', { key: 'k1' }, late));
const poll = () => act(() => vi.advanceTimersByTimeAsync(5_000));

test('what follows a write follows a late answer too, once, and until then nothing else may be sent', async () => {
  const done = vi.fn(async () => {});
  const { result } = renderHook(() => useCommit<string>());
  const late = lost(async () => 'receipt');
  await act(() => result.current.run(lost(late), { done }));
  await poll();
  expect(result.current).toMatchObject({ busy: true, state: { step: 'unknown', key: 'k1' } });
  expect(done).not.toHaveBeenCalled();
  await poll();
  expect(result.current).toMatchObject({ busy: false, state: { step: 'done', result: 'receipt' } });
  expect(done.mock.calls).toEqual([['receipt']]);
});

test('a write is not done before what follows it is', async () => {
  let leave = () => {};
  const done = () => new Promise<void>((go) => (leave = go));
  const { result } = renderHook(() => useCommit<string>());
  await act(() => result.current.run(lost(async () => 'receipt'), { done }));
  await poll();
  expect(result.current.busy).toBe(true);
  await act(async () => leave());
  expect(result.current.busy).toBe(false);
});

test('a late refusal goes to its place, or stays with the commit', async () => {
  const { result } = renderHook(() => useCommit<string>());
  const late = () => Promise.reject(new Refusal('E_FUNDPW_WRONG', ''));
  for (const [own, step] of [[true, 'idle'], [false, 'refused']] as const) {
    const refused = vi.fn(() => own);
    await act(() => result.current.run(lost(late), { refused }));
    await poll();
    expect(refused).toHaveBeenCalledTimes(1);
    expect(result.current.state.step).toBe(step);
  }
});

test('somebody who has left is not led anywhere', async () => {
  const done = vi.fn();
  let answer: (text: string) => void = () => {};
  const { result, unmount } = renderHook(() => useCommit<string>());
  await act(() => result.current.run(lost(() => new Promise((go) => (answer = go))), { done }));
  await poll();
  unmount();
  await act(async () => answer('receipt'));
  expect(done).not.toHaveBeenCalled();
});
