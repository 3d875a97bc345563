// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCommit } from './commit';
import { api, configureHttp } from '../lib/http';
import { askPending } from './ask';
import { begun, dismiss, ended, usePending } from './pending';
import { useSession } from './session';

vi.mock('../lib/socket', () => ({ connect: vi.fn() }));
configureHttp({ token: () => useSession.getState().token, begun, ended });

const logIn = (id: number, token = `token ${id}`) => act(() => useSession.setState({ user: { id } as never, token }));
const all = () => renderHook(usePending).result.current;
let sent: { path: string; key: string | null; token: string | null }[] = [];

/** Answers in this order, repeating the last one; null is a lost answer. */
function serve(...answers: (object | null)[]): void {
  sent = [];
  vi.stubGlobal('fetch', (path: string, { headers, body }: RequestInit) => {
    const given = new Headers(headers);
    sent.push({ path, key: path.endsWith('outcome') ? new URLSearchParams(String(body)).get('key') : given.get('idempotency-key'), token: given.get('authorization') });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    return answer ? Promise.resolve(new Response(JSON.stringify(answer))) : Promise.reject(new TypeError('network'));
  });
}
const ok = (message: unknown) => ({ type: 'ok', code: 1, message, data: '' });
const transfer = () => api.post('wallet/change', { currency_id: 3, number: '5', from_field: 'change', to_field: 'micro' }, { quiet: true, kept: 'transfer' });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  logIn(1);
});
afterEach(() => {
  for (const { key } of all()) act(() => dismiss(key));
  vi.useRealTimers();
});

/** A transfer whose answers were lost, sent by a form that no longer exists. */
async function lostAndLeft(): Promise<string> {
  serve(null);
  const { result, unmount } = renderHook(() => useCommit('transfer'));
  await act(async () => void result.current.run(transfer));
  await pass(20_000);
  expect(result.current.state.step).toBe('unknown');
  unmount();
  return sent[0]?.key ?? '';
}

test('an unknown outcome locks the forms of its kind, outlives its screen and is told when it is known', async () => {
  const key = await lostAndLeft();
  expect(all()).toMatchObject([{ key, kind: 'transfer', user: 1, state: 'unknown' }]);
  const form = renderHook(() => useCommit('transfer'));
  const other = renderHook(() => useCommit('order'));
  expect(form.result.current).toMatchObject({ busy: true, state: { step: 'unknown', key } });
  expect(other.result.current.busy).toBe(false);
  const send = vi.fn(transfer);
  await act(() => form.result.current.run(send));
  expect(send).not.toHaveBeenCalled();
  // The root sends the same request again with its key.
  serve(ok('done'));
  await act(() => askPending());
  expect(sent).toEqual([{ path: '/api/wallet/change', key, token: 'token 1' }]);
  expect(all()).toMatchObject([{ key, state: 'done' }]);
  expect(form.result.current.busy).toBe(false);
});

test('only keys are stored, and nothing of what was sent', async () => {
  const key = await lostAndLeft();
  expect(JSON.parse(sessionStorage.getItem('meridian.pending') ?? '')).toEqual(expect.arrayContaining([{ key, kind: 'transfer', user: 1, at: expect.anything(), state: 'unknown' }]));
  expect(sessionStorage.getItem('meridian.pending')).not.toContain('micro');
});

test('in another session of the same member the outcome is asked for by its key, and in one of somebody else not at all', async () => {
  const key = await lostAndLeft();
  logIn(2);
  serve(ok({ state: 'done', error: null, seq: 7 }));
  await act(() => askPending());
  expect(sent).toEqual([]);
  expect(all()).toEqual([]);
  logIn(1, 'a later one');
  await act(() => askPending());
  expect(sent).toEqual([{ path: '/api/user/outcome', key, token: 'a later one' }]);
  expect(all()).toMatchObject([{ key, state: 'done' }]);
});

test('what follows a late answer follows it on a screen that is still there', async () => {
  serve(null);
  const done = vi.fn();
  const { result } = renderHook(() => useCommit('transfer'));
  await act(async () => void result.current.run(transfer, { done }));
  await pass(8_000);
  expect(result.current.state.step).toBe('unknown');
  serve(ok('done'));
  await pass(5_000);
  expect(done).toHaveBeenCalledTimes(1);
  expect(result.current.state.step).toBe('done');
  expect(all()).toEqual([]);
});

test('an old one is asked for instead of sent again, and a very old one is left to the person', async () => {
  const key = await lostAndLeft();
  vi.setSystemTime(Date.now() + 11 * 60_000);
  serve(ok({ state: 'never', error: null, seq: null }));
  await act(() => askPending());
  expect(sent).toEqual([{ path: '/api/user/outcome', key, token: 'token 1' }]);
  expect(all()).toMatchObject([{ key, state: 'refused' }]);
  act(() => dismiss(key));
  await lostAndLeft();
  vi.setSystemTime(Date.now() + 24 * 3_600_000);
  serve(ok({ state: 'never', error: null, seq: null }));
  await act(() => askPending());
  expect(sent).toEqual([]);
  expect(all()).toMatchObject([{ state: 'unknown' }]);
  expect(renderHook(() => useCommit('transfer')).result.current.busy).toBe(false);
});

test('a screen that waits shows the answer itself, and none is kept', async () => {
  serve(ok('done'));
  const { result } = renderHook(() => useCommit('transfer'));
  const before = all().length;
  await act(() => result.current.run(transfer));
  expect(result.current.state.step).toBe('done');
  expect(all()).toHaveLength(before);
});
