// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { amount } from './money';
import { useOpenReview, useReview } from './review';

interface Order {
  to: string;
  value?: ReturnType<typeof amount>;
}
const opened = (live: Order | undefined) => {
  const hook = renderHook(({ live }: { live: Order | undefined }) => useReview(live), { initialProps: { live } });
  act(() => hook.result.current.open());
  return hook;
};

test('what is sent is what was reviewed', () => {
  const { result } = opened({ to: 'ann', value: amount('5.00') });
  const send = vi.fn();
  result.current.confirm(send);
  expect(send).toHaveBeenCalledExactlyOnceWith({ to: 'ann', value: amount('5.00') });
});

test('a review stays as it was when something changes below it, and sends nothing until the person looks again', () => {
  const { result, rerender } = opened({ to: 'ann' });
  const { look } = result.current;
  rerender({ live: { to: 'bob' } });
  expect(result.current).toMatchObject({ stale: true, gone: false, value: { to: 'ann' }, look });
  const send = vi.fn();
  result.current.confirm(send);
  expect(send).not.toHaveBeenCalled();
  act(() => result.current.open());
  expect(result.current).toMatchObject({ stale: false, value: { to: 'bob' } });
  // A tick for the previous version does not count.
  expect(result.current.look).toBeGreaterThan(look);
  result.current.confirm(send);
  expect(send).toHaveBeenCalledExactlyOnceWith({ to: 'bob' });
});

test('an amount that differs in its last digit is another one; the same one read again is not', () => {
  const { result, rerender } = opened({ to: 'ann', value: amount('5.00') });
  rerender({ live: { to: 'ann', value: amount('5.00') } });
  expect(result.current.stale).toBe(false);
  rerender({ live: { to: 'ann', value: amount('5.01') } });
  expect(result.current.stale).toBe(true);
});

test('what is no longer there cannot be sent', () => {
  const { result, rerender } = opened({ to: 'ann' });
  rerender({ live: undefined });
  expect(result.current).toMatchObject({ shown: true, stale: true, gone: true, value: { to: 'ann' } });
  act(() => result.current.open());
  expect(result.current).toMatchObject({ stale: true, value: { to: 'ann' } });
  const send = vi.fn();
  result.current.confirm(send);
  expect(send).not.toHaveBeenCalled();
});

test('a review that is closed is neither stale nor sent', () => {
  const { result, rerender } = opened({ to: 'ann' });
  act(() => result.current.close());
  rerender({ live: { to: 'bob' } });
  expect(result.current).toMatchObject({ shown: false, stale: false });
  const send = vi.fn();
  result.current.confirm(send);
  expect(send).not.toHaveBeenCalled();
});

test('a sheet freezes what it shows each time it opens, and sends nothing while it is closed', () => {
  const { result, rerender } = renderHook(({ live, open }: { live: Order | undefined; open: boolean }) => useOpenReview(live, open), { initialProps: { live: { to: 'ann' } as Order | undefined, open: false } });
  const send = vi.fn();
  result.current.confirm(send);
  expect(send).not.toHaveBeenCalled();
  rerender({ live: { to: 'bob' }, open: true });
  expect(result.current).toMatchObject({ shown: true, stale: false, value: { to: 'bob' } });
  const { look } = result.current;
  rerender({ live: { to: 'cat' }, open: true });
  expect(result.current).toMatchObject({ stale: true, value: { to: 'bob' } });
  rerender({ live: { to: 'cat' }, open: false });
  expect(result.current).toMatchObject({ shown: false, stale: false });
  rerender({ live: { to: 'cat' }, open: true });
  expect(result.current).toMatchObject({ stale: false, value: { to: 'cat' } });
  expect(result.current.look).toBeGreaterThan(look);
  result.current.confirm(send);
  expect(send).toHaveBeenCalledExactlyOnceWith({ to: 'cat' });
});
