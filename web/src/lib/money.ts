/** Exact money on the phone: a whole number of the smallest unit, and its scale. No other module may compute with amounts. */

import { plain } from './digits';

declare const brand: unique symbol;
export type Amount = { readonly units: bigint; readonly scale: number; readonly [brand]: true };

/** `down` toward zero, `up` away from zero, `floor` toward minus infinity, `nearest` half to even for what is not negative. */
export type Rounding = 'down' | 'up' | 'floor' | 'nearest';

/** The kind of a figure decides its rounding; no figure is rounded in our favour. */
export type Kind = 'balance' | 'cost' | 'result' | 'rate' | 'breakEven' | 'price';
const ROUNDING: Record<Kind, Rounding> = {
  balance: 'down',
  cost: 'up',
  result: 'floor',
  rate: 'down',
  breakEven: 'up',
  price: 'down',
};

const pow = (scale: number) => 10n ** BigInt(scale);

export function make(units: bigint, scale: number): Amount {
  return { units, scale } as Amount;
}

/** Reads a decimal string of the wire; its scale is the number of decimals sent. An invalid text is a programming error. */
export function amount(text: string): Amount {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) throw new TypeError(`not a decimal: ${text}`);
  const fraction = match[3] ?? '';
  const units = BigInt(match[2] + fraction);
  return make(match[1] === '-' ? -units : units, fraction.length);
}

export const zero = (scale = 0) => make(0n, scale);

/** Writes the canonical wire form with exactly the amount's scale. */
export function wire(a: Amount): string {
  const digits = (a.units < 0n ? -a.units : a.units).toString().padStart(a.scale + 1, '0');
  const whole = digits.slice(0, digits.length - a.scale);
  return `${a.units < 0n ? '-' : ''}${whole}${a.scale ? `.${digits.slice(-a.scale)}` : ''}`;
}

/** Integer division with a rounding rule. */
function divide(n: bigint, d: bigint, rounding: Rounding): bigint {
  const q = n / d;
  if (q * d === n) return q;
  const negative = n < 0n !== d < 0n;
  if (rounding === 'up') return negative ? q - 1n : q + 1n;
  if (rounding === 'floor') return negative ? q - 1n : q;
  if (rounding === 'nearest') return 2n * (n - q * d) + (q & 1n) > d ? q + 1n : q;
  return q;
}

export function rescale(a: Amount, scale: number, rounding: Rounding = 'down'): Amount {
  if (scale >= a.scale) return make(a.units * pow(scale - a.scale), scale);
  return make(divide(a.units, pow(a.scale - scale), rounding), scale);
}

function align(a: Amount, b: Amount): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [rescale(a, scale).units, rescale(b, scale).units, scale];
}

export function add(a: Amount, b: Amount): Amount {
  const [x, y, scale] = align(a, b);
  return make(x + y, scale);
}

export function sub(a: Amount, b: Amount): Amount {
  const [x, y, scale] = align(a, b);
  return make(x - y, scale);
}

export const neg = (a: Amount) => make(-a.units, a.scale);
// Stryker disable next-line EqualityOperator: 0 is minus 0
export const abs = (a: Amount) => (a.units < 0n ? neg(a) : a);

/** Exact product unless a scale is given. */
export function mul(a: Amount, b: Amount, scale = a.scale + b.scale, rounding: Rounding = 'down'): Amount {
  return rescale(make(a.units * b.units, a.scale + b.scale), scale, rounding);
}

/** Throws a `RangeError` for a divisor of 0. */
export function div(a: Amount, b: Amount, scale: number, rounding: Rounding = 'down'): Amount {
  const shift = scale + b.scale - a.scale;
  const n = a.units * pow(Math.max(shift, 0));
  const d = b.units * pow(Math.max(-shift, 0));
  return make(divide(n, d, rounding), scale);
}

export function cmp(a: Amount, b: Amount): -1 | 0 | 1 {
  const [x, y] = align(a, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

export const sign = (a: Amount): -1 | 0 | 1 => (a.units < 0n ? -1 : a.units > 0n ? 1 : 0);
export const isZero = (a: Amount) => a.units === 0n;
export const min = (a: Amount, b: Amount) => (cmp(a, b) <= 0 ? a : b);
export const max = (a: Amount, b: Amount) => (cmp(a, b) >= 0 ? a : b);

/** `percent` hundredths of an amount, at its own scale. */
export function part(a: Amount, percent: number, rounding: Rounding = 'down'): Amount {
  return make(divide(a.units * BigInt(percent), 100n, rounding), a.scale);
}

/** Largest multiple of `step` that is at most the amount, at the step's scale. */
export function floorTo(a: Amount, step: Amount): Amount {
  const [x, y, scale] = align(a, step);
  return rescale(make(x - (x % y), scale), step.scale);
}

/** Drops trailing zeros of the fraction down to `least` decimals. */
export function trim(a: Amount, least = 0): Amount {
  let { units, scale } = a;
  while (scale > least && units % 10n === 0n) {
    units /= 10n;
    scale -= 1;
  }
  return make(units, scale);
}

/** Decimals of a column of amounts: at least this many, and as many as the longest needs. */
export const columnScale = (values: readonly Amount[], least: number): number => Math.max(least, ...values.map((value) => trim(value).scale));

/** For charts and bar widths only; never for a figure that is shown or sent. */
export const approximate = (a: Amount): number => Number(wire(a));
/** Share of `a` in `b` between 0 and 1, for bar widths only. */
export const share = (a: Amount, b: Amount): number =>
  sign(b) === 0 ? 0 : Math.min(1, Math.max(0, approximate(div(abs(a), abs(b), 4))));

// ---- locale -----------------------------------------------------------------

export interface Separators {
  group: string;
  decimal: string;
}
const separators = new Map<string, Separators>();

export function separatorsOf(locale: string): Separators {
  let found = separators.get(locale);
  if (!found) {
    const parts = new Intl.NumberFormat(locale, { useGrouping: 'always', numberingSystem: 'latn' } as Intl.NumberFormatOptions).formatToParts(-1234567.8);
    found = {
      group: parts.find((p) => p.type === 'group')?.value ?? ',',
      decimal: parts.find((p) => p.type === 'decimal')?.value ?? '.',
    };
    separators.set(locale, found);
  }
  return found;
}

const formats = new Map<string, Intl.NumberFormat>();
/** Creating one takes many times as long as using it, and lists show a figure in each row. */
function numbers(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale + JSON.stringify(options);
  const found = formats.get(key) ?? new Intl.NumberFormat(locale, { ...options, numberingSystem: 'latn' });
  formats.set(key, found);
  return found;
}

export interface FormatOptions {
  kind?: Kind;
  /** Decimals shown at least and at most. */
  min?: number;
  max?: number;
  /** `plus` puts + before gains as well; `auto` shows only the minus. */
  sign?: 'auto' | 'plus' | 'never';
}

/** Formats for a locale; rounds by the kind of the figure. A value too small to show is `<0.0001`. */
export function format(a: Amount, locale: string, { kind = 'balance', min: least = 0, max: most = a.scale, sign: signs = 'auto' }: FormatOptions = {}): string {
  const { group, decimal } = separatorsOf(locale);
  let rounded = trim(rescale(a, most, ROUNDING[kind]), least);
  if (rounded.scale < least) rounded = rescale(rounded, least);
  const tiny = a.units !== 0n && rounded.units === 0n;
  if (tiny) rounded = make(a.units < 0n ? -1n : 1n, most);
  const [whole = '0', fraction] = wire(abs(rounded)).split('.');
  const body = whole.replace(/\B(?=(\d{3})+$)/g, group) + (fraction ? decimal + fraction : '');
  const mark = signs === 'never' ? '' : rounded.units < 0n ? '\u2212' : signs === 'plus' && rounded.units > 0n ? '+' : '';
  return `${tiny ? '<' : ''}${mark}${body}`;
}

/** Formats a percent figure ("1.82" is 1.82 %) with the locale's order and spacing. */
export function formatPercent(a: Amount, locale: string, options: FormatOptions = {}): string {
  const parts = numbers(locale, { style: 'percent' }).formatToParts(0.01);
  const plain = format(a, locale, { kind: 'rate', ...options, sign: options.sign ?? 'auto' });
  const mark = /^<?[+\u2212]?/.exec(plain)?.[0] ?? '';
  const body = parts.map((p) => (p.type === 'integer' ? plain.slice(mark.length) : p.value)).join('');
  return mark + body;
}

/** Volumes: 1.24B, 12.4億, 1,24 Mrd. */
export function compact(a: Amount, locale: string): string {
  return numbers(locale, { notation: 'compact', maximumSignificantDigits: 3 }).format(approximate(a));
}

// ---- input ------------------------------------------------------------------

export type Parsed = { ok: true; value: Amount } | { ok: false; reason: 'empty' | 'format' | 'scale' };

/** One to three digits followed by complete groups of three. A first group of 0 is never grouping. */
const isGrouped = (text: string, marks: string) => new RegExp(`^[1-9]\\d{0,2}([${marks}]\\d{3})+$`).test(text);

/** The index of the decimal mark in a text of digits and marks: -1 without one, undefined if it is ambiguous. */
function pointOf(text: string, group: string): number | undefined {
  const arabic = text.indexOf('\u066b');
  if (arabic >= 0) return arabic;
  const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','));
  if (last < 0) return -1;
  const mark = text[last] as string;
  const head = text.slice(0, last);
  if (head.includes(mark)) return isGrouped(text, mark) ? -1 : undefined;
  // A single mark counts as a group mark only if the reader's language groups like that, so that 0.005 never becomes 5.
  return mark === group && isGrouped(text, mark) ? -1 : last;
}

/** The typed text as a decimal of the wire, with the decimals that were typed. */
function read(text: string, locale: string): string | undefined {
  const clean = plain(text);
  if (!/^[\d.,\s'’\u066b]+$/.test(clean) || !/\d/.test(clean)) return undefined;
  const point = pointOf(clean, separatorsOf(locale).group);
  if (point === undefined) return undefined;
  const [head, fraction] = point < 0 ? [clean, ''] : [clean.slice(0, point), clean.slice(point + 1)];
  const mark = /[^\d]/.exec(head)?.[0] ?? '';
  if ((mark && !isGrouped(head, /[.,]/.test(mark) ? mark : "\\s'’")) || !/^\d*$/.test(fraction)) return undefined;
  const digits = head.replace(/\D/g, '').replace(/^0+(?=\d)/, '') || '0';
  return digits.length > 18 ? undefined : fraction ? `${digits}.${fraction}` : digits;
}

/**
 * Reads what a person typed, with at most `scale` decimals and the marks of any language. A text with two readings is read in the reader's
 * language; an ambiguous one is refused.
 */
export function parseInput(text: string, locale: string, scale: number): Parsed {
  if (text.trim() === '') return { ok: false, reason: 'empty' };
  const decimal = read(text, locale);
  if (decimal === undefined) return { ok: false, reason: 'format' };
  const value = amount(decimal);
  return value.scale > scale ? { ok: false, reason: 'scale' } : { ok: true, value: rescale(value, scale) };
}

/**
 * How an amount was understood, if the text has two readings: 1.500 is 1500 to one reader and 1.5 to another. The result has no group
 * marks and never three decimals, so it has only one reading.
 */
export function understood(text: string, locale: string, scale: number): string | undefined {
  const input = parseInput(text, locale, scale);
  if (!input.ok || plain(text).length > 7 || !isGrouped(plain(text), '.,')) return undefined;
  const value = trim(input.value);
  return wire(rescale(value, value.scale === 3 ? 4 : 2)).replace('.', separatorsOf(locale).decimal);
}

/** Rewrites what was typed in one language as another one writes it. A text that is not an amount stays as it is. */
export function translateInput(text: string, from: string, to: string): string {
  const decimal = read(text, from);
  if (decimal === undefined) return text;
  const value = amount(decimal);
  return format(value, to, { min: value.scale });
}
