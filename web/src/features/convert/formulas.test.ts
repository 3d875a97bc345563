import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { worthIn, type Priced } from './formulas';

type Index = Record<string, string>;
interface Case {
  id: string;
  op: string;
  in: Record<string, string> & { index?: Index };
  out?: Record<string, string>;
}
const { cases } = JSON.parse(readFileSync(new URL('../../../../crates/engine/tests/vectors/flash.json', import.meta.url), 'utf8')) as { cases: Case[] };
const SCALE: Record<string, number> = { BTC: 8, ETH: 8, USDT: 6, USDC: 6 };
const priced = (code = '', index: Index = {}): Priced => ({ scale: SCALE[code] ?? 0, index: BigInt(index[code] ?? 0) });

const quotes = cases.filter((one) => one.op === 'flash_quote' && one.out);

test('the reference has cases of everything that is held to it', () => {
  expect(quotes.length).toBeGreaterThan(20);
});

test.each(quotes)('$id, $name: what the spread costs is never less than nothing, and nothing but what the rate takes', ({ in: given, out = {} }) => {
  const [from, to] = [priced(given.from, given.index), priced(given.to, given.index)];
  const sold = BigInt(given.amount ?? 0);
  const worth = worthIn(sold, from, to);
  expect(worth - BigInt(out.gross ?? 0)).toBeGreaterThanOrEqual(0n);
  const isEnough = (bought: bigint) => bought * to.index * 10n ** BigInt(from.scale) >= sold * from.index * 10n ** BigInt(to.scale);
  expect([worth, worth - 1n].map(isEnough)).toEqual([true, false]);
});
