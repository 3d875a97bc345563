import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fromHex } from './bytes';

/**
 * Reads the tables of `docs/log-bytes.md` as an independent program would. They alone suffice to read every golden entry to its last byte.
 */

const at = (path: string) => new URL(`../../../../${path}`, import.meta.url);
const read = (path: string) => readFileSync(at(path), 'utf8');
const page = read('docs/log-bytes.md');
const section = page.slice(page.indexOf('## Every kind, field by field'), page.indexOf('## The tree and its head'));
const unquoted = (cell: string) => cell.replaceAll('`', '');

const KINDS = new Map([...section.matchAll(/^\| (\d+\.\d+) \| (\w+) \| (.+) \| (.+) \|$/gm)].map(([, kind = '', name = '', open = '', sealed = '']) => [kind, { name, parts: [unquoted(open), unquoted(sealed)] as const }]));
const FORMS = new Map([...section.matchAll(/^\| ([a-z_]+) \| (`[^|]+`) \|$/gm)].filter(([, name]) => name !== 'kind').map(([, name = '', bytes = '']) => [name, unquoted(bytes)]));
const NUMBERS = new Set(['number', 'price', 'amount', 'rate', 'time']);

/** Splits at a separator outside brackets. */
function split(text: string, by: string): string[] {
  let depth = 0;
  const parts = [''];
  for (const letter of text) {
    depth += '(['.includes(letter) ? 1 : ')]'.includes(letter) ? -1 : 0;
    if (letter === by && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

/** A reader's position in the bytes, and which of several forms it has seen. */
interface Place {
  bytes: Uint8Array;
  at: number;
  seen: Set<string>;
}

function take(from: Place, count: number): Uint8Array {
  if (from.at + count > from.bytes.length) throw new Error('too few bytes');
  from.at += count;
  return from.bytes.subarray(from.at - count, from.at);
}
const byteOf = (from: Place) => take(from, 1)[0] as number;
function numberOf(from: Place): bigint {
  let [value, shift] = [0n, 0n];
  for (;;) {
    const byte = byteOf(from);
    value |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (byte < 0x80) {
      if (byte === 0 && shift > 7n) throw new Error('more bytes than it takes');
      return value;
    }
  }
}
const sizeOf = (from: Place) => parseInt(numberOf(from).toString(), 10);
function flagOf(from: Place): boolean {
  const byte = byteOf(from);
  if (byte > 1) throw new Error(`a flag of ${byte}`);
  return byte === 1;
}

const formOf = (field: string) => split(field, ':').at(-1) as string;
const nameOf = (field: string) => split(field, ':')[0]?.replace('?', '') as string;

function readFields(from: Place, fields: string): void {
  if (fields !== '-' && fields !== '') for (const field of split(fields, ',')) readForm(from, formOf(field));
}

function readOneOf(from: Place, name: string, forms: string[]): void {
  const index = sizeOf(from);
  const [word = '', fields = ''] = /^(\w+)(?: \((.*)\))?$/s.exec(forms[index] ?? '')?.slice(1) ?? [];
  if (!word) throw new Error(`${name} has no form ${index}`);
  from.seen.add(`${name} ${word}`);
  readFields(from, fields);
}

function readForm(from: Place, form: string): void {
  if (form.endsWith('?')) {
    if (flagOf(from)) readForm(from, form.slice(0, -1));
  } else if (form.startsWith('[')) {
    for (let left = numberOf(from); left > 0n; left--) readForm(from, form.slice(1, -1));
  } else if (form.startsWith('(')) readFields(from, form.slice(1, -1));
  else if (NUMBERS.has(form)) numberOf(from);
  else if (form === 'byte') byteOf(from);
  else if (form === 'flag') flagOf(from);
  else if (form === 'digest') take(from, 32);
  else if (form === 'text') new TextDecoder('utf-8', { fatal: true }).decode(take(from, sizeOf(from)));
  else {
    const bytes = FORMS.get(form);
    if (bytes === undefined) throw new Error(`no form ${form}`);
    const forms = split(bytes, '/');
    if (forms.length > 1) readOneOf(from, form, forms);
    else readFields(from, bytes);
  }
}

const GOLDEN = 'crates/engine/tests/golden';
const files = readdirSync(at(GOLDEN)).map((folder) => `${GOLDEN}/${folder}/entries.txt`);
const lines = files.filter((file) => existsSync(at(file))).flatMap((file) => read(file).trim().split('\n'));
const golden = lines.map((line) => {
  const [, name = '', kind = '', version = '', open = '', sealed = ''] = /^(.+): (\d+) (\d+) (\S+) (\S+)$/.exec(line) ?? [];
  return { name, kind: `${kind}.${version}`, parts: [open, sealed].map((hex) => (hex === '-' ? '' : hex)) };
});

test('every golden entry is read to its last byte by the tables alone, and each kind and each form is among them', () => {
  const [seen, kinds] = [new Set<string>(), new Set<string>()];
  expect(golden.length).toBeGreaterThan(300);
  for (const { name, kind, parts } of golden) {
    kinds.add(kind);
    for (const [part, hex] of parts.entries()) {
      const from: Place = { bytes: fromHex(hex), at: 0, seen };
      readFields(from, KINDS.get(kind)?.parts[part] ?? `no kind ${kind}`);
      expect([name, from.at]).toEqual([name, from.bytes.length]);
    }
  }
  expect([...KINDS.keys()].toSorted()).toEqual([...kinds].toSorted());
  const told = [...FORMS].flatMap(([name, bytes]) => split(bytes, '/').flatMap((form, _, all) => (all.length > 1 ? `${name} ${form.split(' ')[0]}` : [])));
  // Only three pauses are golden. A product is a number in an act like any other, and its order is checked below.
  expect(told.filter((form) => !seen.has(form) && !form.startsWith('product '))).toEqual([]);
});

const snake = (word: string) => word.replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
const source = (folder: string): string[] =>
  readdirSync(at(folder), { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.rs')).map((file) => read(`${folder}/${file}`).replaceAll(/^\s*\/\/.*\n|^\s*#\[.*\]\n/gm, ''));
const code = source('crates/engine/src').join('\n');
/** What is between the braces of every public type, item by item. */
const types = (what: 'struct' | 'enum') => [...code.matchAll(new RegExp(String.raw`^pub ${what} \w+ \{\n(.*?)^\}`, 'gms'))].map(([, body = '']) => [...body.matchAll(what === 'enum' ? /^ {4}(\w+)/gm : /^ {4}pub (\w+):/gm)].map(([, item = '']) => snake(item)));

test('names and order of the forms are those of the engine, which the bytes alone do not show', () => {
  const [structs, enums] = [types('struct'), types('enum')].map((all) => new Set(all.map((items) => items.join(' '))));
  expect([structs?.size, enums?.size].every((size = 0) => size > 30)).toBe(true);
  const wrong = [...FORMS].filter(([, bytes]) => {
    const forms = split(bytes, '/');
    const words = forms.length > 1 ? forms.map((form) => form.split(' ')[0]) : split(bytes, ',').map(nameOf);
    return !(forms.length > 1 ? enums : structs)?.has(words.join(' '));
  });
  expect(wrong).toEqual([]);
  const named = new Map([...code.matchAll(/^ {4}\(([A-Z_]+), "(\w+)"\),$/gm)].map(([, constant = '', name = '']) => [constant, name]));
  const numbers = [...code.matchAll(/^(?:pub )?const ([A-Z_]+): u16 = (\d+);$/gm)].filter(([, constant = '']) => named.has(constant));
  expect([...KINDS].map(([kind, { name }]) => `${kind.split('.')[0]} ${name}`).filter((row, index, all) => all.indexOf(row) === index).toSorted()).toEqual(numbers.map(([, constant = '', number]) => `${number} ${named.get(constant)}`).toSorted());
});

test('the fields of a kind have the names and the order in which the engine writes them', () => {
  const written = new Map<string, string[]>();
  for (const [, constant = '', names = ''] of code.matchAll(/\(([A-Z_]+), bytes\(&?\(?([a-z_, ]+)\)*, /g)) written.set(constant.toLowerCase(), names.split(', '));
  expect(written.size).toBeGreaterThan(15);
  // Genesis is written as its parts.
  const rows = [...KINDS.values()].filter(({ name }) => written.has(name) && name !== 'genesis');
  expect(rows.map(({ name, parts }) => [name, split(parts[0], ',').map(nameOf)])).toEqual(rows.map(({ name }) => [name, written.get(name)]));
});
