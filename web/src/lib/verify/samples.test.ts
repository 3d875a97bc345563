import { expect, test } from 'vitest';
import { bigEndian, fromHex } from './bytes';
import type { Genesis } from './entry';
import type { Entry } from './log';
import { addQuoted, samplesOf } from './samples';

/** Quotes of pair 1 by the sources 1, 2 and 3, each 1.00000000 (`crates/engine/tests/golden`). */
const QUOTES = '0101030180c2d72f000280c2d72f000380c2d72f00';
const entry = { seq: 5, timeMs: 0, kind: 4, version: 1, prev: bigEndian(0, 32), hash: bigEndian(0, 32), bytes: fromHex(QUOTES), sealed: null, own: null } as Entry;
const genesis = (names: string[]): Genesis => ({ sandbox: false, assets: [], markets: [{ id: 1, symbol: 'A/B', base: 1, quote: 2 }], indices: [{ market: 1, tick: 1n, origin: { names } }] }) as unknown as Genesis;

test('a sample of sources that operators added counts, and that they did is told', () => {
  const [three, four] = [genesis(['a', 'b', 'c']), genesis(['a', 'b', 'c', 'd'])];
  const made = (of: Genesis, names: string[]) => samplesOf(of, 1, { symbol: 'A/B', tick: 1n, names }, [entry]).map(({ price }) => price);
  expect(made(three, ['a', 'b', 'c'])).toEqual([]);
  expect(addQuoted(four, 1, [entry])).toBe(false);
  expect(addQuoted(three, 2, [entry])).toBe(false);
  expect(addQuoted(three, 1, [entry])).toBe(true);
  expect(made(three, ['a', 'b', 'c', ''])).toEqual([100_000_000n]);
});
