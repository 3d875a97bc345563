// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCommit } from './commit';
import { api, configureHttp } from '../lib/http';
import { askPending } from './ask';
import { dismiss, ended, started, usePending } from './pending';
import { useSession } from './session';

vi.mock('../lib/socket', () => ({ connect: vi.fn() }));
configureHttp({ token: () => useSession.getState().token, started, ended });

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

/** A form of transfers, and what it does. */
function form() {
  const [done, leave] = [vi.fn(), vi.fn()];
  const hook = renderHook(({ shown }) => useCommit<Awaited<ReturnType<typeof transfer>>>('transfer', shown, leave), { initialProps: { shown: true } });
  return { ...hook, done, leave, send: () => act(async () => void hook.result.current.run(transfer, { done })) };
}

test('an outcome that the root receives closes the screen that waited for it: it could send the same once more', async () => {
  serve(null);
  const { result, leave, done, send } = form();
  await send();
  await pass(20_000);
  expect(result.current.state.step).toBe('unknown');
  // Too long ago to be sent again.
  vi.setSystemTime(Date.now() + 11 * 60_000);
  serve(ok({ state: 'done', error: null, seq: 7 }));
  await act(() => askPending());
  expect(leave).toHaveBeenCalledTimes(1);
  expect(done).not.toHaveBeenCalled();
  expect(result.current).toMatchObject({ busy: false, state: { step: 'idle' } });
  expect(all()).toMatchObject([{ state: 'done' }]);
});

test('an outcome that becomes known closes a screen that was opened meanwhile, too, but does nothing to one that is closed', async () => {
  await lostAndLeft();
  const [there, closed] = [form(), form()];
  closed.rerender({ shown: false });
  serve(ok('done'));
  await act(() => askPending());
  expect([there.leave.mock.calls.length, closed.leave.mock.calls.length]).toEqual([1, 0]);
  there.rerender({ shown: false });
  there.rerender({ shown: true });
  expect(there.leave).toHaveBeenCalledTimes(1);
});

const refusal = { type: 'error', code: 0, message: '', data: { error: 'E_INSUFFICIENT' } };
test.each([
  ['done', ok('done'), 1],
  ['refused', refusal, 0],
] as const)('who closed the screen while it was sending is told that it was %s, after what follows', async (state, answer, followed) => {
  serve(answer);
  const answered = fetch;
  let arrive = () => {};
  vi.stubGlobal('fetch', async (...request: Parameters<typeof fetch>) => {
    await new Promise<void>((go) => (arrive = go));
    return answered(...request);
  });
  const { result, rerender, done, leave, send } = form();
  await send();
  rerender({ shown: false });
  expect(result.current.busy).toBe(true);
  await act(async () => arrive());
  await pass(0);
  expect(done).toHaveBeenCalledTimes(followed);
  expect(all()).toMatchObject([{ kind: 'transfer', user: 1, state }]);
  // The next request starts afresh, and its screen stays open.
  expect(result.current).toMatchObject({ busy: false, state: { step: 'idle' } });
  rerender({ shown: true });
  expect(leave).not.toHaveBeenCalled();
});

test('a screen that opens again says nothing of what was refused before', async () => {
  serve(refusal);
  const { result, rerender, send } = form();
  await send();
  expect(result.current.state.step).toBe('refused');
  rerender({ shown: false });
  expect(result.current.state.step).toBe('refused');
  rerender({ shown: true });
  expect(result.current.state.step).toBe('idle');
});

test('who closed the screen before the outcome was known is told it', async () => {
  serve(null);
  const { result, rerender, done, send } = form();
  await send();
  await pass(8_000);
  expect(result.current.state.step).toBe('unknown');
  rerender({ shown: false });
  serve(refusal);
  await pass(5_000);
  expect(done).not.toHaveBeenCalled();
  expect(all()).toMatchObject([{ state: 'refused' }]);
});
