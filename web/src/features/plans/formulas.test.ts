import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { daysEarned, evenDay, exitAfter, exits, firstDay, interest, maturity, type Terms } from './formulas';

interface Case {
  id: string;
  op: string;
  in: Record<string, string>;
  out?: Record<string, string>;
  error?: string;
}
const { cases } = JSON.parse(readFileSync(new URL('../../../../crates/engine/tests/vectors/plans.json', import.meta.url), 'utf8')) as { cases: Case[] };
const of = (op: string) => cases.filter((one) => one.op === op && one.out);
const int = (text: string | undefined) => parseInt(text as string, 10);
const n = (text: string | undefined) => BigInt(text as string);
const terms = ({ in: row }: Case): Terms => ({ cycle: int(row.cycle), yield: n(row.yield), damage: n(row.damage ?? '0') });

test('the reference has cases of everything that is held to it', () => {
  for (const [op, least] of [['plan_accrue', 38], ['plan_redeem', 40], ['plan_mature', 8], ['plan_buy', 2]] as const) expect(of(op).length).toBeGreaterThanOrEqual(least);
});

test.each(of('plan_accrue'))('$id: days, income and maturity ($name)', (one) => {
  const { amount, bought, now } = one.in;
  const { cycle, yield: daily } = terms(one);
  const days = daysEarned(cycle, int(bought), int(now));
  expect({ days: String(days), accrued: String(interest(n(amount), daily, days)), maturity: String(maturity(cycle, int(bought))) }).toEqual(one.out);
});

test.each(of('plan_redeem'))('$id: leaving early ($name)', (one) => {
  const { amount, bought, now } = one.in;
  const t = terms(one);
  const got = exitAfter(n(amount), t, daysEarned(t.cycle, int(bought), int(now)));
  const { days, remaining, interest: earned, damages, penalty, deduction, payout, treasury, release } = one.out as Record<string, string>;
  expect([got.days, got.left, got.interest, got.damages, got.penalty, got.deduction, got.back, -got.net, interest(n(amount), t.yield, t.cycle)].map(String)).toEqual([days, remaining, earned, damages, penalty, deduction, payout, treasury, release]);
});

test.each(of('plan_mature'))('$id: staying to the end ($name)', (one) => {
  const t = terms(one);
  const got = exitAfter(n(one.in.amount), t, t.cycle);
  expect([got.interest, got.back, got.deduction].map(String)).toEqual([one.out?.interest, one.out?.payout, '0']);
});

test.each(of('plan_buy'))('$id: what a purchase promises ($name)', (one) => {
  const daily = { 7: 150_000n, 15: 400_000n, 30: 450_000n }[int(one.in.cycle)] as bigint;
  expect(String(interest(n(one.in.amount), daily, int(one.in.cycle)))).toBe(one.out?.total_interest);
});

test('500 USDT for 15 days as the design has it: worst −33, even on day 9, 487 back on day 5, +30 at the end', () => {
  const all = exits(500_000_000n, { cycle: 15, yield: 400_000n, damage: 400_000n });
  expect(all).toHaveLength(16);
  expect([all[0]?.net, all[5]?.back, all[15]?.net].map(String)).toEqual(['-33000000', '487000000', '30000000']);
  expect(evenDay(all)).toBe(9);
  expect(firstDay(Date.UTC(2026, 10, 20, 13))).toBe(Date.UTC(2026, 10, 21));
});
