import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { convertAt, hasMoved, worthIn, type Priced } from './formulas';

type Index = Record<string, string>;
interface Case {
  id: string;
  op: string;
  in: Record<string, string> & { index?: Index; quote_index?: Index; now_index?: Index };
  out?: Record<string, string>;
  error?: string;
}
const { cases } = JSON.parse(readFileSync(new URL('../../../../crates/engine/tests/vectors/flash.json', import.meta.url), 'utf8')) as { cases: Case[] };
const SCALE: Record<string, number> = { BTC: 8, ETH: 8, USDT: 6, USDC: 6 };
const priced = (code = '', index: Index = {}): Priced => ({ scale: SCALE[code] ?? 0, index: BigInt(index[code] ?? 0) });

const quotes = cases.filter((one) => one.op === 'flash_quote' && one.out);
const accepts = cases.filter((one) => one.op === 'flash_accept' && (one.out || one.error === 'E_PRICE_MOVED'));

test('the reference has cases of everything that is held to it', () => {
  expect(quotes.length).toBeGreaterThan(20);
  expect(accepts.filter(({ error }) => error).length).toBeGreaterThan(1);
});

describe.each(quotes)('$id, $name', ({ in: given, out = {} }) => {
  const [from, to] = [priced(given.from, given.index), priced(given.to, given.index)];
  test('gross, fee and net are the reference’s', () => {
    const got = convertAt(BigInt(given.amount ?? 0), from, to, BigInt(given.spread ?? 0), BigInt(given.fee ?? 0));
    expect([got.gross, got.fee, got.net].map(String)).toEqual([out.gross, out.fee, out.net]);
  });
  test('what the spread costs is never less than nothing, and nothing but what the rate takes', () => {
    const worth = worthIn(BigInt(given.amount ?? 0), from, to);
    const fair = convertAt(BigInt(given.amount ?? 0), from, to, 0n, 0n).gross;
    expect(worth - BigInt(out.gross ?? 0)).toBeGreaterThanOrEqual(0n);
    expect(worth - fair).toBeLessThanOrEqual(1n);
  });
});

test.each(accepts)('$id, $name: a rate has moved only beyond 1 %', ({ in: given, error }) => {
  const at = (index: Index = {}) => ({ from: priced(given.from, index).index, to: priced(given.to, index).index });
  expect(hasMoved(at(given.quote_index), at(given.now_index))).toBe(error === 'E_PRICE_MOVED');
});
