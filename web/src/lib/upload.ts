import { headersOf, idempotencyKey, settle, toRefusal, type Envelope } from './http';
import { Refusal } from './errors';

export type Purpose = 'kyc' | 'deposit' | 'ticket' | 'avatar';
const TIMEOUT = 60_000;

/** Sends one picture and reports progress in whole percent; the answer is its private address. */
export function upload(picture: Blob, purpose: Purpose, onPercent: (percent: number) => void, signal?: AbortSignal): Promise<string> {
  const form = new FormData();
  form.set('purpose', purpose);
  form.set('file', picture, 'picture.jpg');
  return new Promise((done, fail) => {
    const headers = headersOf({ 'idempotency-key': idempotencyKey() });
    const refuse = (refusal: Refusal) => fail(settle(refusal, headers.authorization ?? '', true));
    // `fetch` does not report the progress of an upload.
    const request = new XMLHttpRequest();
    request.open('POST', '/api/upload');
    request.timeout = TIMEOUT;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onPercent(total ? Math.floor((loaded * 100) / total) : 0));
    request.addEventListener('load', () => {
      let envelope: Envelope;
      try {
        envelope = JSON.parse(request.responseText) as Envelope;
      } catch {
        refuse(new Refusal('E_NETWORK', ''));
        return;
      }
      if (envelope.type === 'ok' && typeof envelope.message === 'string') done(envelope.message);
      else refuse(toRefusal(envelope));
    });
    request.addEventListener('error', () => refuse(new Refusal('E_NETWORK', '')));
    request.addEventListener('timeout', () => refuse(new Refusal('E_NETWORK', '')));
    request.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError')));
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}
