import { fromHex, type Bytes } from './bytes';
import { Fault } from './fault';

/** Reads a document from an untrusted source. One of another form is not a receipt. */

export type Fields = Readonly<Record<string, unknown>>;

const fail = (what: string): never => {
  throw new Fault('format', what);
};

export const fields = (value: unknown, what: string): Fields => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : fail(what));
export const items = (value: unknown, what: string): readonly unknown[] => (Array.isArray(value) ? value : fail(what));
export const text = (value: unknown, what: string): string => (typeof value === 'string' ? value : fail(what));
/** Numbers of entries, milliseconds and kinds: whole, and exact as a JavaScript number. */
export const isWhole = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < 2 ** 53 && Math.floor(value) === value;
export const whole = (value: unknown, what: string): number => (isWhole(value) ? value : fail(what));
export const hex = (value: unknown, what: string): Bytes => fromHex(text(value, what));
export function digest(value: unknown, what: string): Bytes {
  const bytes = hex(value, what);
  return bytes.length === 32 ? bytes : fail(what);
}

/** The content of a saved document, which may be the whole answer of its call. */
export function inner(document: unknown): Fields {
  const outer = fields(document, 'document');
  return typeof outer.message === 'object' && outer.message !== null ? fields(outer.message, 'document') : outer;
}

/** Whether two JSON values are equal. */
export function equal(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Fields, b as Fields];
  const names = Object.keys(left);
  return names.length === Object.keys(right).length && names.every((name) => Object.hasOwn(right, name) && equal(left[name], right[name]));
}
