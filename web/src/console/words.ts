import { Refusal } from '../lib/errors';

/** Refusals in the console's words, where the server's text does not say what to do next. */
const TEXTS: Record<string, string> = {
  E_VERSION: 'This changed while you had it open. Nothing was submitted. Review the new version.',
  E_SAME_OPERATOR: 'You were the first. A second person must confirm.',
  E_SELF_REVIEW: 'This is about yourself. Another person must decide.',
  E_STATE: 'Its state does not allow this, or someone else was faster. Review it again.',
  E_CREDENTIALS: 'Wrong name, password or code.',
  E_CHALLENGE: 'This link was used or is older than 24 hours. Ask for a new one.',
  E_2FA_WRONG: 'Wrong code, or used before. Wait for the next one.',
  E_AUTH: 'Your session ended. Log in again.',
  E_NETWORK: 'No answer from the server.',
  E_OFFLINE: 'You are offline.',
  E_OUTCOME_UNKNOWN: 'No answer came. It may or may not have happened.',
};

const detail = (value: unknown): string => (Array.isArray(value) ? value.join(', ') : String(value));

export function told(error: unknown): string {
  if (!(error instanceof Refusal)) return 'That did not work.';
  const { code, message, data } = error;
  if (data.state === 'not_released') return 'Your first log-in has to be released by the person who proposed you.';
  const text = TEXTS[code] ?? (message || 'That did not work.');
  const facts = Object.entries(data).filter(([name]) => !['error', 'key', 'hash', 'version', 'retry_ms'].includes(name));
  const wait = typeof data.retry_ms === 'number' ? ` Wait ${Math.ceil(data.retry_ms / 1000)} s.` : '';
  return `${text}${wait}${facts.length ? ` (${facts.map(([name, value]) => `${name}: ${detail(value)}`).join(', ')})` : ''}`;
}
/** The stable name, for a person who reports it. */
export const codeOf = (error: unknown): string => (error instanceof Refusal ? error.code : '');
