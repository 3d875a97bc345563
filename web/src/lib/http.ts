import type { Calls } from '../generated/api';
import { Refusal } from './errors';

/** The only place that turns an envelope into a result, a toast, a logout (999) or an identity prompt (998). */

type Method = 'GET' | 'POST' | 'PUT';
type PathOf<M extends Method> = Extract<keyof Calls, `${M} ${string}`> extends `${M} ${infer P}` ? P : never;
type Call<M extends Method, P extends string> = Calls[Extract<`${M} ${P}`, keyof Calls>];
type Params<M extends Method, P extends string> = Call<M, P>['params'];

export interface Result<Message, Data> {
  message: Message;
  data: Data;
  /** Journal sequence of the state behind the answer. */
  seq: number;
  /** From request to answer, ms. */
  took: number;
}
type Answer<M extends Method, P extends string> = Promise<Result<Call<M, P>['message'], Call<M, P>['data']>>;

export interface Options {
  /** Show no toast, because the caller shows the refusal. Reads are always quiet. */
  quiet?: boolean;
  /** Mask the screen if the answer takes more than a second; for money only. */
  mask?: boolean;
  signal?: AbortSignal;
  /** The kind of a write: its key is stored before it is sent, and removed once its answer is known. */
  kept?: string;
}

/** A write in progress. */
export interface Sent {
  key: string;
  kept: string;
  /** The session in which the member acted. */
  token: string;
  /** Until when it may be sent again, device time in ms. */
  until: number;
  resend: () => Promise<unknown>;
}

interface Hooks {
  token: () => string;
  /** The logged-in member, who may come back with another token. */
  person: () => number | undefined;
  /** Value of the `language-mark` header. */
  language: () => string;
  loggedOut: (refusal: Refusal) => void;
  identityNeeded: (refusal: Refusal) => void;
  toast: (refusal: Refusal) => void;
  busy: (on: boolean) => void;
  started: (sent: Sent) => void;
  ended: (key: string, how: 'done' | 'refused' | 'unknown') => void;
}
const hooks: Hooks = { token: () => '', person: () => undefined, language: () => 'en', loggedOut: () => {}, identityNeeded: () => {}, toast: () => {}, busy: () => {}, started: () => {}, ended: () => {} };
export const configureHttp = (given: Partial<Hooks>) => Object.assign(hooks, given);

const TIMEOUT = 60_000;
const MASK_AFTER = 1_000;
const RETRY_WAITS = [500, 1_500, 4_000];
/** An order sent again much later is no longer what the member meant; after this time, the app asks for its outcome instead. */
const RESEND_FOR = 600_000;
/** Not an answer to a key: the outcome is unknown, or the write was not examined. */
const VAGUE = ['E_NETWORK', 'E_OUTCOME_UNKNOWN', 'E_NOT_READY'];
/** Refused before the server looks at the key. Once the write may have arrived, this is not an answer to it either. */
const BESIDE = ['E_AUTH', 'E_RATE', 'E_INTERNAL'];

let minSeq = 0;
/** Later reads require a state at least this new. */
export function noteSeq(seq: number): void {
  if (seq > minSeq) minSeq = seq;
}
export function resetSeq(): void {
  minSeq = 0;
}

/** 128 random bits; `randomUUID` does not exist on plain HTTP. */
export function idempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const url = (path: string) => (path.startsWith('/') ? path : `/api/${path}`);

function encode(params: object): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(params as Record<string, unknown>)) {
    if (value === undefined || value === null || value === '') continue;
    form.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return form;
}

/** A whole number in a header; 0 if absent. */
const count = (text: string | null) => (text && /^\d{1,15}$/.test(text) ? parseInt(text, 10) : 0);

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

export interface Envelope {
  type?: string;
  code?: number;
  message?: unknown;
  data?: unknown;
}

export function toRefusal(envelope: Envelope): Refusal {
  const data = (typeof envelope.data === 'object' && envelope.data !== null ? envelope.data : {}) as Record<string, unknown>;
  const text = typeof envelope.message === 'string' ? envelope.message : '';
  const fallback = envelope.type === '999' ? 'E_AUTH' : 'ERROR';
  return new Refusal(typeof data.error === 'string' ? data.error : fallback, text, data);
}

/** One request, one answer: a result, or a thrown Refusal. `E_NETWORK` means that no answer came. */
async function once(method: Method, path: string, params: object, headers: Record<string, string>, signal?: AbortSignal): Promise<Result<unknown, unknown>> {
  const form = encode(params);
  const query = method === 'GET' && form.size ? `?${form}` : '';
  let response: Response;
  let envelope: Envelope;
  const asked = performance.now();
  const control = new AbortController();
  const abort = () => control.abort();
  const timer = setTimeout(abort, TIMEOUT);
  signal?.addEventListener('abort', abort);
  try {
    response = await fetch(url(path) + query, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body: form }),
      signal: control.signal,
    });
    // A file comes without an envelope, everything else in one.
    const file = response.headers.get('content-type')?.startsWith('text/csv');
    envelope = file ? { type: 'ok', message: await response.text() } : ((await response.json()) as Envelope);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new Refusal('E_NETWORK', '');
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
  const seq = count(response.headers.get('x-seq'));
  if (envelope.type === 'ok' || envelope.code === 1) return { message: envelope.message, data: envelope.data, seq, took: performance.now() - asked };
  const refusal = toRefusal(envelope);
  const after = count(response.headers.get('retry-after'));
  throw after && refusal.data.retry_ms === undefined ? new Refusal(refusal.code, refusal.message, { ...refusal.data, retry_ms: after * 1000 }) : refusal;
}

export function headersOf(extra: Record<string, string>): Record<string, string> {
  const token = hooks.token();
  return { 'language-mark': hooks.language(), ...(token ? { authorization: token } : {}), ...extra };
}

/** Repeats while the node is not ready, which is harmless for reads and for writes with a key. */
async function read(method: Method, path: string, params: object, { signal }: Options): Promise<Result<unknown, unknown>> {
  for (let attempt = 0; ; attempt++) {
    const token = hooks.token();
    try {
      const result = await once(method, path, params, headersOf(minSeq ? { 'x-min-seq': String(minSeq) } : {}), signal);
      // The answer is for a member who is no longer logged in.
      if (token && hooks.token() !== token) throw new Refusal('E_SESSION', '');
      return result;
    } catch (error) {
      const again = error instanceof Refusal && error.code === 'E_NOT_READY' && attempt < RETRY_WAITS.length && hooks.token() === token;
      if (!again) throw settle(error, token, true);
      await wait(RETRY_WAITS[attempt] ?? 0);
    }
  }
}

/** A write is bound to the session in which the member acted: once another session has begun, it is not sent again. */
interface Write {
  method: Method;
  path: string;
  params: object;
  key: string;
  token: string;
  headers: Record<string, string>;
  until: number;
}

/** Sends a write until a definite answer comes; the key makes every repetition the same act. `doubt`: it may have arrived before. */
async function attempt(write: Write, doubt = false): Promise<Result<unknown, unknown>> {
  const { method, path, params, key, token, headers, until } = write;
  const unknown = (why: Refusal) => {
    hooks.ended(key, 'unknown');
    return new Refusal('E_OUTCOME_UNKNOWN', why.message, { ...why.data, key }, () => attempt(write, true));
  };
  for (let turn = 0, arrived = doubt; ; turn++) {
    if (hooks.token() !== token || Date.now() > until) throw unknown(new Refusal('E_SESSION', ''));
    try {
      const result = await once(method, path, params, headers);
      noteSeq(result.seq);
      hooks.ended(key, 'done');
      return result;
    } catch (error) {
      if (!(error instanceof Refusal) || !(VAGUE.includes(error.code) || (arrived && BESIDE.includes(error.code)))) {
        hooks.ended(key, 'refused');
        throw error;
      }
      // A node that is not ready has done nothing, but an earlier attempt may have been executed.
      arrived ||= error.code !== 'E_NOT_READY';
      if (turn >= RETRY_WAITS.length) {
        if (arrived) throw unknown(error);
        hooks.ended(key, 'refused');
        throw error;
      }
      await wait(RETRY_WAITS[turn] ?? 0);
    }
  }
}

async function write(method: Method, path: string, params: object, { quiet, mask, kept }: Options): Promise<Result<unknown, unknown>> {
  const [token, person, key] = [hooks.token(), hooks.person(), idempotencyKey()];
  /** Another member is logged in by now. The outcome is stored for the one who acted. */
  const gone = () => person !== undefined && ![person, undefined].includes(hooks.person());
  if (!navigator.onLine) throw settle(new Refusal('E_OFFLINE', ''), token, quiet);
  const timer = mask ? setTimeout(() => hooks.busy(true), MASK_AFTER) : undefined;
  const act: Write = { method, path, params, key, token, headers: headersOf({ 'idempotency-key': key }), until: kept ? Date.now() + RESEND_FOR : Infinity };
  if (kept) hooks.started({ ...act, kept, resend: () => attempt(act, true) });
  try {
    const result = await attempt(act);
    if (gone()) throw new Refusal('E_SESSION', '');
    return result;
  } catch (error) {
    if (gone() && error instanceof Refusal && !error.resend) throw new Refusal('E_SESSION', '');
    throw settle(error, token, quiet);
  } finally {
    clearTimeout(timer);
    if (mask) hooks.busy(false);
  }
}

export function settle(error: unknown, token: string, quiet = false): unknown {
  // An answer to an older session must not end the present one, and does not concern its member.
  if (!(error instanceof Refusal) || hooks.token() !== token) return error;
  if (error.code === 'E_AUTH') hooks.loggedOut(error);
  else if (error.code === 'E_KYC_BASIC' || error.code === 'E_KYC_ADVANCED') hooks.identityNeeded(error);
  else if (!quiet) hooks.toast(error);
  return error;
}

export const api = {
  get: <P extends PathOf<'GET'>>(path: P, params: Params<'GET', P> = {} as Params<'GET', P>, options: Options = {}) =>
    read('GET', path, params, options) as Answer<'GET', P>,
  /** A call that is a POST but only reads. */
  query: <P extends PathOf<'POST'>>(path: P, params: Params<'POST', P> = {} as Params<'POST', P>, options: Options = {}) =>
    read('POST', path, params, options) as Answer<'POST', P>,
  post: <P extends PathOf<'POST'>>(path: P, params: Params<'POST', P> = {} as Params<'POST', P>, options: Options = {}) =>
    write('POST', path, params, options) as Answer<'POST', P>,
  put: <P extends PathOf<'PUT'>>(path: P, params: Params<'PUT', P>, options: Options = {}) => write('PUT', path, params, options) as Answer<'PUT', P>,
};
