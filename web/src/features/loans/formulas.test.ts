import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { debtAfter, isCovered, levelOf, ltvOf, priceAtLtv, repay, smallestCollateral, valueOf, type Terms } from './formulas';

interface Row extends Record<string, string> {
  periods: string;
}
interface Case {
  id: string;
  op: string;
  in: Record<string, string> & { events?: [string, string][] };
  out?: Record<string, string> & { rows?: (Row | string)[] };
  error?: string;
}
const { cases } = JSON.parse(readFileSync(new URL('../../../../crates/engine/tests/vectors/loans.json', import.meta.url), 'utf8')) as { cases: Case[] };
const of = (op: string) => cases.filter((one) => one.op === op);
const n = (text: string | undefined) => BigInt(text ?? 0);
const ms = (text: string | undefined) => parseInt(text ?? '0', 10);

/** B-4: days begun; the first at once, each later one after its boundary. */
const periodsAt = (elapsed: number): number => Math.max(1, Math.ceil(elapsed / 86_400_000));

const TERMS: Terms = { days: 7, rate: 50_000n, overdue: 3n, startLtv: 60_000_000n, callLtv: 75_000_000n, liquidationLtv: 83_000_000n };
const SCALES = { collateral: 8, lent: 6 };

test('the reference has cases of everything that is held to it', () => {
  for (const op of ['loan_run', 'loan_collateral', 'loan_apply', 'loan_level']) expect(of(op).length).toBeGreaterThan(4);
});

test.each(of('loan_collateral'))('$id: the smallest collateral covers the amount, and an atom less does not', ({ in: given, out = {} }) => {
  const scales = { ...SCALES, collateral: ms(given.cs) };
  const [amount, price] = [n(given.amount), n(given.price)];
  const least = smallestCollateral(amount, price, TERMS, scales);
  expect(String(least)).toBe(out.collateral);
  expect([least, least - 1n].map((collateral) => isCovered(amount, valueOf(collateral, price, scales), TERMS))).toEqual([true, false]);
});

const decided = of('loan_apply').filter((one) => one.out || one.error === 'E_LTV');
test.each(decided)('$id, $name: an application is covered as the engine sees it', ({ in: given, error }) => {
  expect(isCovered(n(given.amount), valueOf(n(given.coll), n(given.price), SCALES), TERMS)).toBe(error !== 'E_LTV');
});

test.each(of('loan_level'))('$id: debt, value and level are the reference’s', ({ in: given, out = {} }) => {
  const terms = { ...TERMS, days: ms(given.cycle), rate: n(given.rate) };
  const { debt } = debtAfter(n(given.principal), terms, periodsAt(ms(given.t) - ms(given.t0)));
  const value = valueOf(n(given.coll), n(given.price), SCALES);
  expect([debt, value].map(String)).toEqual([out.debt, out.value]);
  expect(levelOf(debt, value, terms)).toBe({ OK: 'ok', MARGIN_CALL: 'call', LIQUIDATE: 'liquidation' }[out.level ?? '']);
});

test.each(of('loan_level'))('$id: the prices of a call and of a sale are the first that bring them', ({ in: given, out = {} }) => {
  const [debt, collateral] = [n(out.debt), n(given.coll)];
  const level = (price: bigint) => levelOf(debt, valueOf(collateral, price, SCALES), TERMS);
  const sold = priceAtLtv(debt, collateral, TERMS.liquidationLtv, SCALES);
  expect([level(sold), level(sold + 1n)]).toEqual(['liquidation', 'call']);
  const called = priceAtLtv(debt, collateral, TERMS.callLtv, SCALES);
  expect([level(called), level(called + 1n)]).toEqual(['call', 'ok']);
});

test('a debt of 600.30 against 0.01 BTC: called from 80 040 down, sold from 72 325 down (7.4, example 5)', () => {
  const at = (ltv: bigint) => priceAtLtv(600_300_000n, 1_000_000n, ltv, SCALES) / 100_000_000n;
  expect([at(TERMS.callLtv), at(TERMS.liquidationLtv)]).toEqual([80_040n, 72_325n]);
  expect(ltvOf(600_300_000n, 1_000_000_000n)).toBe(6_003n);
  expect(ltvOf(1n, 0n)).toBeUndefined();
});

/** Each run up to and including its first repayment, because later interest is on the remainder. */
describe.each(of('loan_run').filter((one) => one.out?.rows?.[0] !== 'E_AMOUNT'))('$id, $name', ({ in: given, out }) => {
  const terms = { ...TERMS, days: ms(given.cycle), rate: n(given.rate) };
  const events = given.events ?? [];
  const paid = events.findIndex(([, amount]) => amount !== '0');
  const known = paid < 0 ? events : events.slice(0, paid + 1);
  test.each(known.map((event, at) => ({ event, row: out?.rows?.[at] })))('after $event', ({ event: [at, amount], row }) => {
    if (!row || typeof row === 'string') throw new Error('no first row is refused');
    const { interest, penalty, debt } = debtAfter(n(given.principal), terms, periodsAt(ms(at) - ms(given.t0)));
    const got = repay(n(amount), { penalty, interest, principal: n(given.principal) });
    const [told, expected] =
      amount === '0'
        ? [
            [interest, penalty, debt],
            [row.interest, row.penalty, row.debt],
          ]
        : [
            [got.penalty, got.interest, got.principal, got.taken, debt - got.taken],
            [row.penalty, row.interest, row.principal, row.taken, row.debt],
          ];
    expect(told.map(String)).toEqual(expected);
  });
});
