import type { Side } from './position';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { closeNow, fillsAt, holdOf, isLiquidated, levelsOf, liquidateAt, liquidationPrice, openAt, openingPrice, overnightFee, tierOf, within, type Requirement, type Stake, type Terms } from './contracts';

interface Case {
  id: string;
  op: string;
  in: Record<string, string> & { pos?: Record<string, string> };
  out?: Record<string, string> & { fill?: Record<string, string> | null };
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
  for (const op of ['ct_open', 'ct_close', 'ct_liq_price', 'ct_liquidate', 'ct_overnight', 'ct_event', 'ct_limit']) expect(of(op).length).toBeGreaterThan(4);
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

test.each(of('ct_open').filter(({ error }) => error === 'E_TP' || error === 'E_SL'))('$id: a trigger on the wrong side is refused ($error)', (one) => {
  const t = terms(one);
  const side = sideOf(one.in.side);
  const mark = n(one.in.mark);
  const opening = openAt(t, side, n(one.in.lots), n(one.in.leverage), openingPrice(side, mark, t.spread));
  if (!opening) throw new Error('above the last tier');
  const levels = levelsOf(side, mark, opening.liquidation, opening.capPrice);
  const fits = { E_TP: within(n(one.in.tp), levels.takeProfit), E_SL: within(n(one.in.sl), levels.stopLoss) };
  expect(fits[one.error as 'E_TP' | 'E_SL']).toBe(false);
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
  const got = liquidateAt(stake, n(one.in.margin), NO_CAP, n(one.in.mark), t.liquidationFee);
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
