import type { Side } from './position';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { closeAt, closeNow, fillsAt, holdOf, isLiquidated, levelsOf, liquidationPrice, openAt, openingPrice, overnightFee, tierOf, within, type Requirement, type Stake, type Terms } from './contracts';
import { openingRefusal, sizeRefusal, triggerAt } from './verify/contractRules';
import { isFresh } from './verify/samples';

interface Case {
  id: string;
  op: string;
  in: Record<string, string> & { pos?: Record<string, string>; positions?: Record<string, string>[] };
  out?: Record<string, string> & { fill?: Record<string, string> | null; rank?: Record<string, string>[]; closed?: Record<string, string>[] };
  error?: string;
}
const { cases } = JSON.parse(readFileSync(new URL('../../../crates/engine/tests/vectors/contracts.json', import.meta.url), 'utf8')) as { cases: Case[] };
const of = (op: string) => cases.filter((one) => one.op === op);

const TERMS: Record<string, Terms> = Object.fromEntries(
  [
    ['BTC/USDT', 10n],
    ['ETH/USDT', 100n],
  ].map(([market, lotTick]) => [
    market,
    {
      lotTick,
      multiples: [1, 2, 5, 10, 20, 25, 50],
      fee: 50_000n,
      spread: 10_000n,
      liquidationFee: 300_000n,
      overnight: 30_000n,
      capTimes: 10n,
      maxLots: 100_000n,
      tiers: [
        { bound: 50_000_000_000n, maxMultiple: 50, maintenance: 500_000n, deduction: 0n },
        { bound: 250_000_000_000n, maxMultiple: 25, maintenance: 1_000_000n, deduction: 250_000_000n },
        { bound: 1_000_000_000_000n, maxMultiple: 10, maintenance: 2_000_000n, deduction: 2_750_000_000n },
      ],
    },
  ]),
);

const n = (text: string | undefined) => BigInt(text as string);
const sideOf = (text: string | undefined): Side => (text === 'LONG' ? 'long' : 'short');
const terms = ({ in: { market } }: Case) => TERMS[market as string] as Terms;
const stakeOf = (t: Terms, row: Record<string, string>): Stake => ({ side: sideOf(row.side), value: n(row.lots) * t.lotTick, entry: n(row.p0) });
function required(t: Terms, stake: Stake): Requirement {
  const tier = tierOf(t.tiers, stake.value * stake.entry);
  if (!tier) throw new Error('above the last tier');
  return { maintenance: tier.maintenance, liquidationFee: t.liquidationFee, deduction: tier.deduction };
}
const NO_CAP = 10n ** 30n;

test('the reference has cases of everything that is held to it', () => {
  for (const op of ['ct_open', 'ct_close', 'ct_liq_price', 'ct_liquidate', 'ct_overnight', 'ct_event', 'ct_limit', 'ct_adl']) expect(of(op).length).toBeGreaterThan(4);
});

describe.each(of('ct_open').filter((one) => one.out))('opening $id', (one) => {
  test('price, notional, margin, fee, cap and liquidation are the reference’s', () => {
    const t = terms(one);
    const { side, lots, leverage, mark } = one.in;
    const got = openAt(t, sideOf(side), n(lots), n(leverage), openingPrice(sideOf(side), n(mark), t.spread));
    const { price, notional, margin, fee, mmr, ded, liq, cap, cap_tick: capTick } = one.out as Record<string, string>;
    expect(got && [got.stake.entry, got.notional, got.margin, got.fee, got.tier.maintenance, got.tier.deduction, got.liquidation, got.cap, got.capPrice].map(String)).toEqual([price, notional, margin, fee, mmr, ded, liq, cap, capTick]);
  });
});

/**
 * Refusals of 4.4 that no receipt shows, because they depend on the owner's money and the pool. No order can have a third side
 * (`entry.test.ts`).
 */
const UNSHOWN = ['E_SIDE', 'E_INSUFFICIENT', 'E_POOL_LOSS_LIMIT', 'E_POOL_SHORT'];

/** The first guard that refuses an order, in the order of 4.4. */
function refusal(one: Case): string | null {
  const t = terms(one);
  const [side, lots, multiple, mark] = [sideOf(one.in.side), n(one.in.lots), parseInt(one.in.leverage as string, 10), n(one.in.mark)];
  const size = sizeRefusal(t, lots, multiple);
  if (size) return size;
  if (!isFresh({ timeMs: 0 }, parseInt(one.in.index_age as string, 10))) return 'E_PRICE_STALE';
  const stop = (text: string | undefined) => n(text) || null;
  return openingRefusal(openAt(t, side, lots, BigInt(multiple), openingPrice(side, mark, t.spread)), multiple, mark, { takeProfit: stop(one.in.tp), stopLoss: stop(one.in.sl) });
}

test.each(of('ct_open').filter(({ error }) => error !== 'E_SIDE'))('$id: an opening is refused with the first guard that fails ($error)', (one) => {
  expect(refusal(one)).toBe(one.error === undefined || UNSHOWN.includes(one.error) ? null : one.error);
});

test('of every kind of refusal there is a case, and of each that nothing shows one', () => {
  const errors = new Set(of('ct_open').flatMap(({ error = [] }) => error));
  expect([...errors].toSorted()).toEqual(['E_LEVERAGE', 'E_LOTS', 'E_LOTS_MAX', 'E_PRICE_STALE', 'E_SL', 'E_TIER', 'E_TP', ...UNSHOWN].toSorted());
});

test('what is liquidated as it opens is refused for that before its stops', () => {
  // One tick of spread is more than the margin of 50x at ten ticks.
  const t = TERMS['ETH/USDT'] as Terms;
  const at = (multiple: number, takeProfit: bigint | null) => openingRefusal(openAt(t, 'long', 1n, BigInt(multiple), openingPrice('long', 10n, t.spread)), multiple, 10n, { takeProfit, stopLoss: null });
  expect([at(50, null), at(50, 10n), at(10, 10n), at(10, null)]).toEqual(['E_LIQ_AT_OPEN', 'E_LIQ_AT_OPEN', 'E_TP', null]);
});

test.each(of('ct_event'))('$id: what a sample does to a position, the first that matches', (one) => {
  const t = terms(one);
  const { pos = {} } = one.in;
  const stake = stakeOf(t, pos);
  const stop = (text: string | undefined) => n(text) || null;
  const at = triggerAt({ stake, cap: n(pos.cap), required: required(t, stake) }, n(pos.margin), { takeProfit: stop(pos.tp), stopLoss: stop(pos.sl) }, n(one.in.mark));
  expect(at ?? 'NONE').toBe(one.out?.event);
});

/**
 * All open positions decide who is closed to save the pool, and in which order; a receipt cannot show that and says `pool`. The test
 * checks that the closed position got its margin and its whole profit at the mark, without spread and fee. The last case pays only a part,
 * which no pool with its reserve does.
 */
test.each(of('ct_adl'))('$id: what a position that is closed to save the pool has won', (one) => {
  const t = terms(one);
  const { positions = [] } = one.in;
  const won = positions.flatMap((row) => {
    const { profit, fee, returned } = closeAt(stakeOf(t, row), n(row.margin), n(row.cap), n(one.in.mark), 0n);
    expect([fee, returned > n(row.margin)]).toEqual([0n, profit > 0n]);
    return profit > 0n ? [[row.id, String(returned - n(row.margin))]] : [];
  });
  expect(Object.fromEntries(won)).toEqual(Object.fromEntries((one.out?.rank ?? []).map(({ id, pnl }) => [id, pnl])));
});

test.each(of('ct_open').filter((one) => one.out && (one.in.tp !== '0' || one.in.sl !== '0')))('$id: a trigger that the reference takes is taken', (one) => {
  const t = terms(one);
  const side = sideOf(one.in.side);
  const mark = n(one.in.mark);
  const opening = openAt(t, side, n(one.in.lots), n(one.in.leverage), openingPrice(side, mark, t.spread));
  if (!opening) throw new Error('above the last tier');
  const { takeProfit, stopLoss } = levelsOf(side, mark, opening.liquidation, opening.capPrice);
  expect(one.in.tp === '0' || within(n(one.in.tp), takeProfit)).toBe(true);
  expect(one.in.sl === '0' || within(n(one.in.sl), stopLoss)).toBe(true);
});

test.each(of('ct_close'))('$id: a closing returns what the reference returns', (one) => {
  const t = terms(one);
  const got = closeNow(stakeOf(t, one.in), n(one.in.margin), n(one.in.cap), n(one.in.mark), t);
  const { price, pnl, close_fee: fee, fee_paid: paid, user } = one.out as Record<string, string>;
  const capped = got.profit < n(one.in.cap) ? got.profit : n(one.in.cap);
  expect([got.price, capped, got.fee, got.feePaid, got.returned].map(String)).toEqual([price, pnl, fee, paid, user]);
});

test.each(of('ct_liq_price'))('$id: the liquidation price, and the tick beside it, are the reference’s', (one) => {
  const t = terms(one);
  const stake = stakeOf(t, one.in);
  const margin = n(one.in.margin);
  const need = required(t, stake);
  const price = liquidationPrice(stake, margin, need);
  expect(String(price)).toBe(one.out?.liq);
  if (price === 0n) return;
  expect(isLiquidated(stake, margin, need, price)).toBe(true);
  expect(isLiquidated(stake, margin, need, price + (stake.side === 'long' ? 1n : -1n))).toBe(false);
});

test.each(of('ct_liquidate'))('$id: a liquidation', (one) => {
  const t = terms(one);
  const stake = stakeOf(t, one.in);
  const hit = isLiquidated(stake, n(one.in.margin), required(t, stake), n(one.in.mark));
  expect(hit).toBe(one.error === undefined && one.out !== undefined && one.out.user !== undefined);
  if (!hit) return;
  const got = closeAt(stake, n(one.in.margin), NO_CAP, n(one.in.mark), t.liquidationFee);
  expect([got.profit, got.fee, got.feePaid, got.returned].map(String)).toEqual([one.out?.pnl, one.out?.liq_fee, one.out?.fee_paid, one.out?.user]);
});

test.each(of('ct_overnight'))('$id: the overnight fee', (one) => {
  const t = terms(one);
  const paid = overnightFee(n(one.in.lots) * t.lotTick, n(one.in.mark), n(one.in.margin), t.overnight);
  expect([paid, n(one.in.margin) - paid].map(String)).toEqual([one.out?.paid, one.out?.margin_after]);
});

test.each(of('ct_limit'))('$id: a waiting order', (one) => {
  const t = terms(one);
  const side = sideOf(one.in.side);
  const price = openingPrice(side, n(one.in.mark), t.spread);
  const value = n(one.in.lots) * t.lotTick;
  expect(String(holdOf(value, n(one.in.limit), n(one.in.leverage), t.fee))).toBe(one.in.hold);
  expect(fillsAt(side, n(one.in.limit), price)).toBe(one.out?.fill !== null);
});
