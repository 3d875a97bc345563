import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Position } from '../../generated/api';
import { amount, make, wire } from '../../lib/money';
import { netOf } from '../../lib/position';
import { same } from '../../lib/review';
import { arrange, apart, closeResult, closingOf, ifHit, liveOf, ruler, totals, triggersOf } from './position';
import { LONG, market, SHORT } from './testing';

const text = (a: Parameters<typeof wire>[0] | undefined) => a && wire(a);
const at = (position: Position, mark: string) => liveOf(position, amount(mark), 6);

test('profit is exact at the mark, and its share of the margin is never rounded in our favour', () => {
  const up = at(LONG, '105000.00');
  expect([up.profit, up.percent, up.value, up.distance].map(text)).toEqual(['49.900000', '49.8950', '1050.000000', '13.5858']);
  expect(text(at(LONG, '99999.99').profit)).toBe('-0.100100');
  expect(text(at(LONG, '99999.99').percent)).toBe('-0.1001');
  expect(text(at(SHORT, '95000.00').profit)).toBe('49.900000');
});

const { cases } = JSON.parse(readFileSync(new URL('../../../../crates/engine/tests/vectors/contracts.json', import.meta.url), 'utf8')) as { cases: { op: string; id: string; in: Record<string, string>; out: Record<string, string> }[] };
const LOTS = { 'BTC/USDT': 3, 'ETH/USDT': 2 } as Record<string, number>;
test.each(cases.filter(({ op }) => op === 'ct_close' || op === 'ct_liquidate'))('$id: a position of the wire has the profit of the reference', (one) => {
  if (!one.out?.pnl || !one.out.price) return;
  const position: Position = { ...LONG, type: one.in.side === 'LONG' ? 1 : 2, price: wire(make(BigInt(one.in.p0 as string), 2)), number: wire(make(BigInt(one.in.lots as string), LOTS[one.in.market as string] as number)) };
  const live = liveOf(position, make(BigInt(one.out.price), 2), 6);
  const cap = one.in.cap === undefined ? live.profit.units : BigInt(one.in.cap);
  expect(String(live.profit.units < cap ? live.profit.units : cap)).toBe(one.out.pnl);
});

test('closing example 1 at 105 000 returns what 4.10 says', () => {
  const found = closeResult(LONG, market('105000.00'), 10_500_000n);
  expect([found?.result, found?.fee, found?.returned].map(text)).toEqual(['49.795000', '0.524948', '149.280052']);
});
test('a position closes under its own terms, whatever new ones are', () => {
  const other = { ...LONG, fee_rate: '0.1', spread: '0', profit_cap: '40.000000' };
  const found = closeResult(other, market('105000.00'), 10_500_000n);
  expect([found?.price, text(found?.result), text(found?.fee), text(found?.returned)]).toEqual([10_500_000n, '40.000000', '1.050000', '138.960000']);
});
test('a trigger says before it is hit what the position says afterwards: all fees and nights are in it', () => {
  const worn = { ...LONG, caution_money: '99.710000' };
  const net = ifHit(worn, market(), amount('105000.00'));
  const returned = closeResult(worn, market(), 10_500_000n)?.returned;
  expect([net, returned].map(text)).toEqual(['48.470002', '148.980052']);
  expect(net).toEqual(netOf({ ...worn, status: 3, returned: wire(returned ?? amount('0')) }));
});
test('a position from other ticks than today’s has no result to show', () => {
  expect(closeResult({ ...LONG, price: '100010.005' }, market(), 10_000_000n)).toBeUndefined();
});

test('who is within 5 % of liquidation comes first, the closest at the top; then the newest', () => {
  const row = (id: number, mark: string, position = LONG) => ({ position: { ...position, id }, live: at(position, mark) });
  const rows = [row(1, '120000.00'), row(2, '95000.00'), row(3, '120000.00'), row(4, '91000.00'), { position: { ...LONG, id: 5 }, live: undefined }];
  expect(arrange(rows).map(({ position }) => position.id)).toEqual([4, 2, 5, 3, 1]);
});
test('a position that can never be liquidated has no distance', () => {
  const safe = at({ ...LONG, liquidation_price: '0.00' }, '10.00');
  expect([safe.distance, safe.near]).toEqual([undefined, false]);
});
test('beyond its liquidation price nothing is left, not less than nothing', () => {
  expect(text(at(LONG, '90000.00').distance)).toBe('0.0000');
});

test('the account: equity has the open profit in it, and the bar shows what is bound', () => {
  const sum = totals(amount('1827.260000'), amount('1040.990000'), amount('-15.399000'));
  expect([sum.equity, sum.profit, sum.share].map(text)).toEqual(['2852.851000', '-15.399000', '36.2936']);
  expect(totals(amount('0.000000'), amount('0.000000'), amount('0.000000')).share).toBeUndefined();
});

test('the ruler is true to scale and keeps its ends', () => {
  const marks = ruler({ liquidation: amount('90'), open: amount('100'), now: amount('105'), profit: amount('110'), stop: undefined });
  const place = Object.fromEntries(marks.map(({ name, at: where }) => [name, where]));
  expect(place.liquidation).toBeCloseTo(0.03);
  expect(place.profit).toBeCloseTo(0.97);
  expect(place.open).toBeCloseTo(0.5);
  expect(place).not.toHaveProperty('stop');
  expect(ruler({ now: amount('1') })).toEqual([{ name: 'now', at: 0.5 }]);
});
test('how far a price is from another', () => expect(text(apart(amount('66800.00'), amount('68412.30')))).toBe('2.35'));

test.each<[string, Partial<Position>, boolean, boolean]>([
  ['the price moves', { update_price: '101000.00', profits: '9.900000', seq: 9 }, true, true],
  ['a night is charged', { caution_money: '99.980000', liquidation_price: '90737.91' }, false, false],
  ['a stop is set elsewhere', { stop_loss_price: '97000.00' }, true, false],
  ['a take-profit is set elsewhere', { target_profit_price: '103000.00' }, true, false],
  ['it is closed elsewhere', { status: 3 }, false, false],
])('%s: what is reviewed of a close and of triggers', (_, change, close, triggers) => {
  const one = { ...LONG, ...change };
  expect([same(closingOf(LONG), closingOf(one)), same(triggersOf(LONG), triggersOf(one))]).toEqual([close, triggers]);
});
test('what is closed leaves nothing to review', () => {
  expect([closingOf({ ...LONG, status: 3 }), triggersOf({ ...LONG, status: 3 })]).toEqual([undefined, undefined]);
});
