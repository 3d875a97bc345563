import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { releasedAfter, shareOf, wantedFor, worthAt, type Issue } from './formulas';

type Row = Record<'id' | 'wanted' | 'tokens' | 'cost' | 'charge' | 'refund', string>;
interface Case {
  id: string;
  op: string;
  in: { supply: string; price: string; token_scale: string; commits: [string, string, string][]; tokens: string; schedule: [string, string][]; days: string };
  out?: { oversubscribed: boolean; total_wanted: string; rows: Row[]; released: string };
}
const { cases } = JSON.parse(readFileSync(new URL('../../../../crates/engine/tests/vectors/subscription.json', import.meta.url), 'utf8')) as { cases: Case[] };
const of = (op: string) => cases.filter((one) => one.op === op && one.out);

test('the reference has cases of everything that is held to it', () => {
  expect(of('sub_allocate').length).toBeGreaterThanOrEqual(34);
  expect(of('sub_release').length).toBeGreaterThanOrEqual(14);
});

test.each(of('sub_allocate'))('$id: what each payment gets ($name)', ({ in: row, out }) => {
  const issue: Issue = { supply: BigInt(row.supply), price: BigInt(row.price), scale: parseInt(row.token_scale, 10) };
  const all = row.commits.reduce((sum, [, value]) => sum + wantedFor(issue, BigInt(value)), 0n);
  expect(String(all)).toBe(out?.total_wanted);
  const rows = row.commits.map(([id, value, paid]) => {
    const share = shareOf(issue, BigInt(paid), BigInt(value), all);
    return { id, ...Object.fromEntries(Object.entries(share).map(([name, units]) => [name, String(units)])) };
  });
  expect(rows).toEqual(out?.rows);
});

test.each(of('sub_release'))('$id: released so far ($name)', ({ in: row, out }) => {
  const schedule = row.schedule.map(([day, share]) => ({ day: parseInt(day, 10), share: BigInt(share) }));
  expect(String(releasedAfter(BigInt(row.tokens), schedule, parseInt(row.days, 10)))).toBe(out?.released);
});

test('1,600 tokens of 0.25 are worth 80 at 0.05', () => {
  const issue: Issue = { supply: 10n ** 15n, price: 25_000_000n, scale: 8 };
  const tokens = wantedFor(issue, 400_000_000n);
  expect([tokens, worthAt(issue, tokens, 5_000_000n)].map(String)).toEqual(['160000000000', '80000000']);
});
