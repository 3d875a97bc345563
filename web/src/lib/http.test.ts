// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { api, configureHttp, resetSeq } from './http';
import { Refusal } from './errors';

type Handler = (url: string, init: RequestInit) => { body?: unknown; headers?: Record<string, string>; fail?: boolean };
let sent: { url: string; init: RequestInit }[];
const header = (n: number, name: string) => new Headers(sent[n]?.init.headers).get(name);

function serve(...answers: ReturnType<Handler>[]) {
  sent = [];
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    sent.push({ url, init });
    const answer = answers[Math.min(sent.length, answers.length) - 1];
    if (!answer || answer.fail) return Promise.reject(new TypeError('network'));
    return Promise.resolve(new Response(JSON.stringify(answer.body), { headers: answer.headers ?? {} }));
  });
}

const calls = { loggedOut: vi.fn(), identityNeeded: vi.fn(), toast: vi.fn(), busy: vi.fn() };
beforeEach(() => {
  resetSeq();
  for (const call of Object.values(calls)) call.mockReset();
  configureHttp({ ...calls, token: () => 'tok', person: () => undefined, language: () => 'deyu', ended: () => {} });
  vi.useFakeTimers();
});

/** Advances the timers between repetitions. */
async function patiently<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  await vi.advanceTimersByTimeAsync(20_000);
  return work;
}

const ok = (message: unknown, seq = '7') => ({ body: { type: 'ok', code: 1, message, data: '' }, headers: { 'x-seq': seq } });
const refused = (code: string, type = 'error') => ({ body: { type, code: 0, message: 'text', data: { error: code } } });

test('a write is a form with token, language and key; later reads ask for its state', async () => {
  serve(ok('done', '42'), ok({}, '42'));
  await api.post('wallet/change', { currency_id: 3, number: '5', from_field: 'change', to_field: 'lever' });
  expect(sent[0]?.url).toBe('/api/wallet/change');
  expect(String(sent[0]?.init.body)).toBe('currency_id=3&number=5&from_field=change&to_field=lever');
  expect(header(0, 'authorization')).toBe('tok');
  expect(header(0, 'language-mark')).toBe('deyu');
  expect(header(0, 'idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
  await api.query('wallet/list');
  expect(header(1, 'x-min-seq')).toBe('42');
  expect(header(1, 'idempotency-key')).toBeNull();
});

test.each([{ type: 'ok' }, { code: 1 }])('%o is success', async (mark) => {
  serve({ body: { ...mark, message: [1], data: '' } });
  await expect(api.get('favor/list')).resolves.toMatchObject({ message: [1] });
});

test('a refusal is thrown by name and toasted once', async () => {
  serve(refused('E_INSUFFICIENT'));
  await expect(api.post('user/logout')).rejects.toMatchObject({ code: 'E_INSUFFICIENT' });
  expect(calls.toast).toHaveBeenCalledOnce();
  await expect(api.post('user/logout', {}, { quiet: true })).rejects.toBeInstanceOf(Refusal);
  expect(calls.toast).toHaveBeenCalledOnce();
});

test('999 ends the session, 998 asks for identity, neither is toasted', async () => {
  serve(refused('E_AUTH', '999'));
  await expect(api.get('user/center')).rejects.toMatchObject({ code: 'E_AUTH' });
  expect(calls.loggedOut).toHaveBeenCalledOnce();
  serve(refused('E_KYC_BASIC', '998'));
  await expect(api.get('user/center')).rejects.toBeInstanceOf(Refusal);
  expect(calls.identityNeeded).toHaveBeenCalledOnce();
  expect(calls.toast).not.toHaveBeenCalled();
});

test('an answer to an older session does not end the present one', async () => {
  let token = 'old';
  configureHttp({ token: () => token });
  serve(refused('E_AUTH', '999'));
  const answer = api.get('user/center');
  token = 'new';
  await expect(answer).rejects.toBeInstanceOf(Refusal);
  expect(calls.loggedOut).not.toHaveBeenCalled();
});

test('a lost answer is asked for again with the same key', async () => {
  serve({ fail: true }, refused('E_OUTCOME_UNKNOWN'), ok('done'));
  await expect(patiently(api.post('user/logout'))).resolves.toMatchObject({ message: 'done' });
  expect(sent).toHaveLength(3);
  expect(new Set([0, 1, 2].map((n) => header(n, 'idempotency-key'))).size).toBe(1);
});

test('an outcome that stays unknown can be resent with the same key', async () => {
  serve({ fail: true });
  const error = await patiently(api.post('user/logout')).catch((e: unknown) => e);
  expect(error).toMatchObject({ code: 'E_OUTCOME_UNKNOWN' });
  const key = header(0, 'idempotency-key');
  serve(ok('done'));
  await (error as Refusal).resend?.();
  expect(header(0, 'idempotency-key')).toBe(key);
});

test('two writes never share a key', async () => {
  serve(ok('a'), ok('b'));
  await api.post('user/logout');
  await api.post('user/logout');
  expect(header(0, 'idempotency-key')).not.toBe(header(1, 'idempotency-key'));
});

test('something that is not an envelope is a refusal, not a crash', async () => {
  serve({ body: 'nonsense' });
  await expect(api.get('user/center')).rejects.toMatchObject({ code: 'ERROR' });
});

test('a file comes as it is', async () => {
  serve({ body: 'id,change', headers: { 'content-type': 'text/csv; charset=utf-8' } });
  await expect(api.get('wallet/export', { from_ms: 0, to_ms: 1 })).resolves.toMatchObject({ message: '"id,change"' });
});

test('a write that is repeated after somebody else logged in is not sent, and is not their business', async () => {
  let token = 'ann';
  configureHttp({ token: () => token });
  serve({ fail: true });
  const answer = api.post('wallet/change', { currency_id: 3, number: '5', from_field: 'change', to_field: 'lever' });
  answer.catch(() => {});
  await vi.advanceTimersByTimeAsync(100);
  expect(sent).toHaveLength(1);
  token = 'bob';
  serve(ok('done'));
  const error = await patiently(answer).catch((e: unknown) => e);
  expect(error).toMatchObject({ code: 'E_OUTCOME_UNKNOWN' });
  await expect((error as Refusal).resend?.()).rejects.toMatchObject({ code: 'E_OUTCOME_UNKNOWN' });
  expect(sent).toEqual([]);
  expect(calls.toast).not.toHaveBeenCalled();
  // For the member who acted it continues.
  token = 'ann';
  await expect((error as Refusal).resend?.()).resolves.toMatchObject({ message: 'done' });
  expect(header(0, 'authorization')).toBe('ann');
});

test('what a write brought is handed to nobody but the one who acted (F30)', async () => {
  let person: number | undefined = 1;
  const ended = vi.fn();
  configureHttp({ person: () => person, ended });
  for (const answer of [ok('done'), refused('E_INSUFFICIENT')]) {
    person = 1;
    serve(answer);
    const late = api.post('favor/add', { match_id: 1 });
    person = 2;
    await expect(late).rejects.toMatchObject({ code: 'E_SESSION' });
  }
  // For the member who comes back it is kept.
  expect(ended.mock.calls.map(([, how]) => how)).toEqual(['done', 'refused']);
  expect(calls.toast).not.toHaveBeenCalled();
  // The member whose session ended by freezing the account still gets the message.
  person = 1;
  serve(ok('done'));
  const own = api.post('favor/add', { match_id: 1 });
  person = undefined;
  await expect(own).resolves.toMatchObject({ message: 'done' });
});

test('a node that is not ready after an answer was lost does not make the outcome known', async () => {
  serve({ fail: true }, refused('E_NOT_READY'));
  const error = await patiently(api.post('user/logout')).catch((e: unknown) => e);
  expect(error).toMatchObject({ code: 'E_OUTCOME_UNKNOWN' });
  serve(refused('E_NOT_READY'));
  await expect(patiently((error as Refusal).resend?.() as Promise<unknown>)).rejects.toMatchObject({ code: 'E_OUTCOME_UNKNOWN' });
  serve(refused('E_NOT_READY'));
  await expect(patiently(api.post('user/logout'))).rejects.toMatchObject({ code: 'E_NOT_READY' });
});

test('a read that was asked for by a former session brings nothing to the present one', async () => {
  let token = 'ann';
  configureHttp({ token: () => token });
  serve(ok('of ann'));
  const answer = api.get('user/center');
  token = 'bob';
  await expect(answer).rejects.toMatchObject({ code: 'E_SESSION' });
});

test('a write that is kept is noted before it is sent and until its outcome is known', async () => {
  const told: unknown[] = [];
  configureHttp({ started: ({ kept, key }) => told.push([kept, key]), ended: (key, how) => told.push([how, key]) });
  serve({ fail: true });
  const error = await patiently(api.post('user/logout', {}, { kept: 'order' })).catch((e: unknown) => e);
  serve(ok('done'));
  await (error as Refusal).resend?.();
  const key = header(0, 'idempotency-key');
  expect(told).toEqual([['order', key], ['unknown', key], ['done', key]]);
});

test('what is refused beside the key says nothing of a write that may have arrived', async () => {
  for (const code of ['E_RATE', 'E_AUTH', 'E_INTERNAL']) {
    serve({ fail: true }, refused(code));
    await expect(patiently(api.post('user/logout'))).rejects.toMatchObject({ code: 'E_OUTCOME_UNKNOWN' });
    serve(refused(code));
    await expect(patiently(api.post('user/logout'))).rejects.toMatchObject({ code });
  }
});

test('a write of money is not sent again ten minutes later', async () => {
  serve({ fail: true });
  const error = await patiently(api.post('user/logout', {}, { kept: 'order' })).catch((e: unknown) => e);
  await vi.advanceTimersByTimeAsync(600_000);
  serve(ok('done'));
  await expect((error as Refusal).resend?.()).rejects.toMatchObject({ code: 'E_OUTCOME_UNKNOWN' });
  expect(sent).toEqual([]);
});
