import { Refusal } from './errors';
import { has, locale, placeholders, t, type Key } from './i18n';
import * as money from './money';
import { dateTime, waitOf } from './time';

export { Refusal };

function shown(value: unknown): string | number | undefined {
  if (typeof value === 'number') return value;
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'string') return undefined;
  return /^-?\d+(\.\d+)?$/.test(value) ? money.format(money.trim(money.amount(value), value.includes('.') ? 2 : 0), locale()) : value;
}

/** The app's own text for a name it knows, else the server's message, else the general one. */
export function refusalText(error: unknown): string {
  if (!(error instanceof Refusal)) return t('errors.ERROR');
  const wait = waitOf(error.data.retry_ms);
  const finer = `errors.${error.code}_${wait?.long ? 'MINUTES' : error.data.rule === 'chars' ? 'CHARS' : ''}`;
  const key = has(finer) ? finer : `errors.${error.code}`;
  if (!has(key)) return error.message || t('errors.ERROR');
  const values: Record<string, string | number> = { ...wait };
  for (const [name, value] of Object.entries(error.data)) {
    const text = shown(value);
    if (text !== undefined) values[name] = text;
  }
  const { needed, available, until_ms: until } = error.data;
  if (typeof needed === 'string' && typeof available === 'string') {
    const more = money.sub(money.amount(needed), money.amount(available));
    values.more = money.format(more, locale(), { kind: 'cost', min: 2, max: more.scale });
  }
  if (typeof until === 'number') values.until = dateTime(until, locale());
  // A value that the server did not send must not leave a gap in the text.
  if (placeholders(key).some((name) => values[name] === undefined)) return error.message || t('errors.ERROR');
  return t(key, values);
}

/** Where a person can go if they are refused for what they are, and not for what they typed. */
export function wayOn(error: unknown): { path: string; label: Key } | undefined {
  if (!(error instanceof Refusal)) return undefined;
  if (error.code === 'E_COUNTRY') return { path: 'help-center', label: 'menu.help' };
  return error.code === 'E_KYC_BASIC' || error.code === 'E_KYC_ADVANCED' ? { path: 'verification/index', label: 'menu.identity' } : undefined;
}

/** The text for a refusal of a form that moves no money; there, a lost answer is a lost connection. */
export function problem(error: unknown): string {
  return error instanceof Refusal && error.code === 'E_OUTCOME_UNKNOWN' ? t('errors.E_NETWORK') : refusalText(error);
}
