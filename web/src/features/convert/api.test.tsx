import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useQuote } from './api';

const LIFE = 10_000;
const server = vi.hoisted(() => ({ asked: 0 }));
vi.mock('../../lib/http', async (original) => ({
  ...(await original<object>()),
  api: { post: async () => ({ message: { quote_id: (server.asked += 1), expires_ms: Date.now() + LIFE } }) },
}));

beforeEach(() => {
  vi.useFakeTimers();
  server.asked = 0;
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const WANTED = { from: 3, to: 1, amount: '1000.000000' };
const show = () => renderHook(({ hold }) => useQuote(WANTED, hold), { initialProps: { hold: false } });
const pass = (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms)));

test('a rate whose time is up is renewed by itself, twelve times and no more', async () => {
  const { result } = show();
  await pass(400);
  expect([server.asked, result.current.quoted.step]).toEqual([1, 'held']);
  for (let turn = 2; turn <= 13; turn += 1) {
    await pass(LIFE);
    expect([server.asked, result.current.quoted]).toMatchObject([turn, { step: 'held', quote: { quote_id: turn } }]);
  }
  await pass(10 * LIFE);
  expect([server.asked, result.current.quoted.step]).toEqual([13, 'expired']);
  // A person who comes back requests a rate, and the next two minutes begin.
  await act(async () => void (await result.current.ask()));
  await pass(LIFE);
  expect([server.asked, result.current.quoted.step]).toEqual([15, 'held']);
});

test('a rate that is being looked at is not changed', async () => {
  const { result, rerender } = show();
  await pass(400);
  rerender({ hold: true });
  await pass(3 * LIFE);
  expect([server.asked, result.current.quoted.step]).toEqual([1, 'expired']);
  rerender({ hold: false });
  await pass(0);
  expect([server.asked, result.current.quoted.step]).toEqual([2, 'held']);
});
