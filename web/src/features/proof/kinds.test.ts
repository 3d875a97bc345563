import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import en from '../../locales/journal/en.json';
import { KINDS } from './kinds';

test('the kinds are those of the documented bytes, and each has words', () => {
  const page = readFileSync(new URL('../../../../docs/log-bytes.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('## Every kind, field by field'), page.indexOf('## The tree and its head'));
  const documented = new Map([...table.matchAll(/^\| (\d+)\.\d+ \| (\w+) \|/gm)].map(([, number = '', name = '']) => [parseInt(number, 10), name]));
  expect(documented.size).toBeGreaterThan(40);
  expect(KINDS).toEqual(documented);
  expect(Object.keys(en.kinds).toSorted()).toEqual([...KINDS.values()].toSorted());
});
