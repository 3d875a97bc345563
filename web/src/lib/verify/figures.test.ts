import { expect, test } from 'vitest';
import { fromHex } from './bytes';
import {
  checkCommitment,
  checkCommitments,
  checkCut,
  checkDay,
  checkMovements,
  checkPlaces,
  checkPromises,
  checkPurchase,
  checkRebates,
  checkShown,
  checkStat,
  checkTraded,
  checkTrades,
  checkVolume,
  checkWorth,
  isOver,
  type Committed,
  type Day,
  type Minute,
  type Movements,
  type Promised,
  type Rebates,
  type Traded,
  type Treasury,
} from './figures';
import type { Entry } from './log';

const reasonOf = (check: () => void) => {
  try {
    check();
    return null;
  } catch (fault) {
    return (fault as { reason?: string }).reason;
  }
};
const DAY = 86_400_000;
const bought = Date.UTC(2026, 0, 1, 12);
const promise: Promised = { seq: 40, plan_id: 2, currency_id: 3, amount: '1000.000000', day: 15, day_percent: '0.4', interest: '60.000000', bought_ms: bought, end_at_ms: Date.UTC(2026, 0, 17) };
// 123.456789 USDT: floor(7.40740734).
const other: Promised = { ...promise, seq: 41, amount: '123.456789', interest: '7.407407' };
const treasury: Treasury = { currency_id: 3, balance: '100000.000000', reserve: '67.407407', open_orders: 2 };

test('promises follow from their terms and add up to what is set aside', () => {
  expect(reasonOf(() => checkPromises([promise, other], [treasury]))).toBeNull();
  expect(reasonOf(() => checkPromises([], [{ ...treasury, reserve: '0.000000', open_orders: 0 }]))).toBeNull();
});

test.each([
  ['an interest of an atom less', [{ ...promise, interest: '59.999999' }, other], treasury, 'part'],
  ['a yield that is higher', [{ ...promise, day_percent: '0.5' }, other], treasury, 'part'],
  ['an end a day later', [{ ...promise, end_at_ms: promise.end_at_ms + DAY }, other], treasury, 'part'],
  ['one promise twice', [promise, promise], treasury, 'sum'],
  ['one left out', [promise], treasury, 'sum'],
  ['one left out with its money', [promise], { ...treasury, reserve: '60.000000' }, 'sum'],
  ['less set aside', [promise, other], { ...treasury, reserve: '67.407406' }, 'sum'],
  ['more promised than there is', [promise, other], { ...treasury, balance: '67.407406' }, 'sum'],
  ['a coin of another treasury', [promise, other], { ...treasury, currency_id: 4 }, 'sum'],
] as const)('%s is noticed', (_, promises, pool, reason) => {
  expect(reasonOf(() => checkPromises(promises, [pool]))).toBe(reason);
});

test('the entry of a purchase says what the promise says', () => {
  const none = new Uint8Array(32);
  // Plan 2, 1,000,000,000 atoms, agreed.
  const entry: Entry = { seq: 40, timeMs: bought, kind: 144, version: 1, prev: none, hash: none, bytes: fromHex('028094ebdc030100'), sealed: null, own: null };
  expect(reasonOf(() => checkPurchase(promise, entry))).toBeNull();
  expect(reasonOf(() => checkPurchase(promise, { ...entry, bytes: fromHex(`028094ebdc030101${'08'.repeat(32)}`) }))).toBeNull();
  for (const wrong of [{ plan_id: 3 }, { amount: '1000.000001' }, { bought_ms: bought + 1 }, { seq: 41 }]) expect(reasonOf(() => checkPurchase({ ...promise, ...wrong }, entry))).toBe('purchase');
  expect(reasonOf(() => checkPurchase(promise, { ...entry, bytes: fromHex('028094ebdc030000') }))).toBe('purchase');
  expect(reasonOf(() => checkPurchase(promise, { ...entry, kind: 145 }))).toBe('purchase');
});

const paid: Committed = { seq: 40, currency_id: 3, amount: '100.000000', value: '100.000000', created_at_ms: bought };
const inBtc: Committed = { ...paid, seq: 41, currency_id: 1, amount: '0.00012345', value: '12.345000' };

test('commitments up to an entry add up to what the new coin shows', () => {
  expect(reasonOf(() => checkCommitments([paid, inBtc], 3, '112.345000', 41))).toBeNull();
  // What came later is no part of it.
  expect(reasonOf(() => checkCommitments([paid, inBtc], 3, '100.000000', 40))).toBeNull();
  expect(reasonOf(() => checkCommitments([], 0, '0.000000', 40))).toBeNull();
});

test.each([
  ['one left out', [inBtc], '112.345000', 'sum'],
  ['one twice', [paid, paid, inBtc], '212.345000', 'sum'],
  ['another figure', [paid, inBtc], '112.345001', 'sum'],
  ['another value', [paid, { ...inBtc, value: '12.345001' }], '112.345000', 'sum'],
  ['a value that is not what was paid', [{ ...paid, value: '100.000001' }, inBtc], '112.345001', 'part'],
] as const)('%s of a new coin is noticed', (_, commitments, shown, reason) => {
  expect(reasonOf(() => checkCommitments(commitments, 3, shown, 41))).toBe(reason);
});

test('what was paid in another coin counts at its price, rounded down', () => {
  expect(reasonOf(() => checkWorth(inBtc, '100000.00'))).toBeNull();
  expect(reasonOf(() => checkWorth(inBtc, '100000.01'))).toBe('part');
  expect(reasonOf(() => checkWorth({ ...inBtc, amount: '0.00000001', value: '0.000999' }, '99999.99'))).toBeNull();
});

test('the entry of a commitment says what the commitment says', () => {
  const none = new Uint8Array(32);
  // Offering 1, coin 3, 100,000,000 atoms.
  const entry: Entry = { seq: 40, timeMs: bought, kind: 176, version: 1, prev: none, hash: none, bytes: fromHex('010380c2d72f'), sealed: null, own: null };
  expect(reasonOf(() => checkCommitment(1, paid, entry))).toBeNull();
  expect(reasonOf(() => checkCommitment(2, paid, entry))).toBe('purchase');
  for (const wrong of [{ currency_id: 2 }, { amount: '100.000001' }, { created_at_ms: bought + 1 }, { seq: 41 }]) expect(reasonOf(() => checkCommitment(1, { ...paid, ...wrong }, entry))).toBe('purchase');
  expect(reasonOf(() => checkCommitment(1, paid, { ...entry, kind: 161 }))).toBe('purchase');
});

const start = Math.floor(bought / 60_000) * 60_000;
const minute: Minute = { start_ms: start, volume: '0.03000000', quote_volume: '2999.9700000000', count: 2 };
const next: Minute = { start_ms: start + 60_000, volume: '0.01000000', quote_volume: '1000.000000', count: 1 };
const rolling: Day = { from_ms: start, volume: '0.04000000', quote_volume: '3999.970000', count: 3 };
const trade: Traded = { id: 7, seq: 40, ts: start + 5, direction: 'buy', price: '99999.00', amount: '0.01000000' };
const trades = [{ ...trade, id: 9, ts: start + 59_999, price: '99999.00', amount: '0.02000000' }, trade];

test('the minutes of a day add up to its volume, and the trades of a minute to the minute', () => {
  expect(reasonOf(() => checkVolume([minute, next], rolling))).toBeNull();
  expect(reasonOf(() => checkVolume([], { from_ms: start, volume: '0.00000000', quote_volume: '0.000000', count: 0 }))).toBeNull();
  expect(reasonOf(() => checkTrades(minute, trades))).toBeNull();
});

test.each([
  ['a volume', [{ ...minute, volume: '0.03000001' }, next], rolling],
  ['a value', [minute, { ...next, quote_volume: '1000.000001' }], rolling],
  ['a number of trades', [minute, { ...next, count: 2 }], rolling],
  ['a figure', [minute, next], { ...rolling, volume: '0.05000000' }],
  ['a minute left out', [minute], rolling],
  ['a minute twice', [minute, minute, next], { ...rolling, volume: '0.07000000', quote_volume: '6999.940000', count: 5 }],
  ['a minute of the day before', [{ ...minute, start_ms: start - 60_000 }, next], rolling],
  ['a minute after the day', [minute, { ...next, start_ms: start + DAY }], rolling],
  ['half a minute', [minute, { ...next, start_ms: start + 30_000 }], rolling],
] as const)('%s of a rolling day is noticed', (_, minutes, day) => {
  expect(reasonOf(() => checkVolume(minutes, day))).toBe('sum');
});

test.each([
  ['one left out', [trade]],
  ['one twice', [trades[0] ?? trade, trade, trade]],
  ['another amount', [{ ...trade, id: 9, amount: '0.02000001' }, trade]],
  ['another price', [{ ...trade, id: 9, amount: '0.02000000', price: '99999.01' }, trade]],
  ['one of another minute', [{ ...trade, id: 9, amount: '0.02000000', ts: start + 60_000 }, trade]],
])('%s of the trades of a minute is noticed', (_, wrong) => {
  expect(reasonOf(() => checkTrades(minute, wrong))).toBe('sum');
});

test('what a list shows lies between two looks at the same day', () => {
  const later = { ...rolling, volume: '0.06000000', quote_volume: '5999.970000' };
  for (const shown of [rolling, later, { volume: '0.05', quote_volume: '4000' }]) expect(checkShown(shown, rolling, later)).toBe(true);
  expect(checkShown(rolling, rolling, { ...later, from_ms: start + 60_000 })).toBe(false);
  expect(reasonOf(() => checkShown({ ...rolling, volume: '0.03999999' }, rolling, later))).toBe('sum');
  expect(reasonOf(() => checkShown({ ...rolling, quote_volume: '5999.970001' }, rolling, later))).toBe('sum');
  expect([isOver(minute, rolling), isOver({ ...minute, start_ms: start + DAY - 60_000 }, rolling)]).toEqual([true, false]);
});

test('the entry of a trade is an order for it, or brings a price that ran a stop', () => {
  const none = new Uint8Array(32);
  // Pair 1, buy, limit.
  const entry: Entry = { seq: 40, timeMs: start + 5, kind: 16, version: 1, prev: none, hash: none, bytes: fromHex('010000010100'), sealed: none, own: null };
  expect(reasonOf(() => checkTraded(1, trade, entry))).toBeNull();
  expect(reasonOf(() => checkTraded(2, trade, entry))).toBe('part');
  for (const wrong of [{ direction: 'sell' as const }, { ts: start + 6 }, { seq: 41 }]) expect(reasonOf(() => checkTraded(1, { ...trade, ...wrong }, entry))).toBe('part');
  // Order 39 moves to 100,000 or 99,999; order 40 by itself.
  const moved = (bytes: string) => ({ ...entry, kind: 19, bytes: fromHex(bytes) });
  const [higher, same, itself] = [moved('2780c0caf384a302'), moved('2780fef2c384a302'), moved('2880fef2c384a302')];
  const sold = { ...trade, direction: 'sell' as const };
  for (const [of, entries] of [[trade, [higher, same]], [sold, [same]]] as const) for (const fits of entries) expect(reasonOf(() => checkTraded(1, of, fits))).toBeNull();
  for (const [of, wrong] of [[sold, higher], [{ ...trade, price: '99999.01' }, same], [trade, itself]] as const) expect(reasonOf(() => checkTraded(1, of, wrong))).toBe('part');
  const priced = { ...entry, kind: 242, bytes: fromHex('0101') };
  expect(reasonOf(() => checkTraded(1, trade, priced))).toBeNull();
  expect(reasonOf(() => checkTraded(1, trade, { ...priced, timeMs: start + 60_005 }))).toBe('part');
});

const fees: Movements = { id: 1, day: '2026-01-01', account: 'fee', currency_id: 3, received: '5.000000', paid: '2.000000', seq: 40 };
const more: Movements = { ...fees, id: 2, day: '2026-01-02', received: '0.500000', paid: '0.000000', seq: 50 };
const escrow: Movements = { ...more, id: 3, account: 'sub_escrow', received: '7.000000', paid: '7.000000' };
const has = { account: 'fee', currency_id: 3, balance: '3.500000' };
const empty = { account: 'insurance', currency_id: 3, balance: '0.000000' };

test('movements of the house add up to what it has, account by account', () => {
  expect(checkMovements([fees, more, escrow], [has, empty], 50)).toEqual(['fee 3', 'sub_escrow 3', 'insurance 3']);
  // An account that changed meanwhile is not judged, whatever its balance.
  expect(checkMovements([fees, { ...more, seq: 51 }, escrow], [{ ...has, balance: '0.000000' }, empty], 50)).toEqual(['sub_escrow 3', 'insurance 3']);
});

test.each([
  ['a movement left out', [fees, escrow], [has, empty]],
  ['one twice', [fees, more, more, escrow], [{ ...has, balance: '4.000000' }, empty]],
  ['an atom more', [fees, { ...more, received: '0.500001' }, escrow], [has, empty]],
  ['a balance of nothing', [fees, more, escrow], [has, { ...empty, balance: '0.000001' }]],
  ['an account left out', [fees, more, { ...escrow, paid: '6.999999' }], [has, empty]],
  ['another coin', [fees, { ...more, currency_id: 4 }, escrow], [has, empty]],
] as const)('%s of the house is noticed', (_, movements, balances) => {
  expect(reasonOf(() => checkMovements(movements, balances, 50))).toBe('sum');
});

test('the accounts of the house at a cut and what members have come to what came in', () => {
  const pools = [{ balance: '100.000000' }, { balance: '23.500000' }];
  expect(reasonOf(() => checkCut(pools, '76.500000', '-200.000000'))).toBeNull();
  expect(reasonOf(() => checkCut(null, '76.500000', '-200.000000'))).toBeNull();
  for (const wrong of [[{ balance: '100.000001' }, ...pools.slice(1)], pools.slice(1), []]) expect(reasonOf(() => checkCut(wrong, '76.500000', '-200.000000'))).toBe('sum');
  expect(reasonOf(() => checkCut(pools, '76.500001', '-200.000000'))).toBe('sum');
});

test('the last entry of a movement is of its day', () => {
  const none = new Uint8Array(32);
  const entry: Entry = { seq: 40, timeMs: bought, kind: 144, version: 1, prev: none, hash: none, bytes: none, sealed: null, own: null };
  expect(reasonOf(() => checkDay(fees, entry))).toBeNull();
  expect(reasonOf(() => checkDay({ ...fees, day: '2026-01-02' }, entry))).toBe('part');
  expect(reasonOf(() => checkDay({ ...fees, seq: 41 }, entry))).toBe('part');
});

const first: Rebates = { id: 2, usdt: '0.451000' };
const second: Rebates = { id: 3, usdt: '0.050000' };

test('the rebates of all days add up to the total', () => {
  expect(reasonOf(() => checkRebates([first, second], '0.501000'))).toBeNull();
  const wrong: readonly (readonly [Rebates[], string])[] = [
    [[first], '0.501000'],
    [[second, first], '0.501000'],
    [[first, first], '0.902000'],
    [[first, { ...second, usdt: '0.050001' }], '0.501000'],
    [[first, second], '0.501001'],
  ];
  for (const [days, total] of wrong) expect(reasonOf(() => checkRebates(days, total))).toBe('sum');
});

test('places are ranked, and nobody shares one or got nothing', () => {
  const places = [
    { rank: 1, total: '2.5' },
    { rank: 2, total: '2.5' },
    { rank: 3, total: '0.000001' },
  ];
  expect(reasonOf(() => checkPlaces(places))).toBeNull();
  expect(reasonOf(() => checkPlaces([]))).toBeNull();
  for (const wrong of [[{ rank: 2, total: '1' }], [{ rank: 1, total: '0.0' }], [{ rank: 1, total: '1' }, { rank: 1, total: '1' }], [{ rank: 1, total: '1' }, { rank: 2, total: '1.1' }]]) {
    expect(reasonOf(() => checkPlaces(wrong))).toBe('sum');
  }
  expect(reasonOf(() => checkPlaces(Array.from({ length: 11 }, (_, at) => ({ rank: at + 1, total: '1' }))))).toBe('sum');
});

const part = (amount: string, price: string | null, count = 1) => ({ name: '', amount, price, count });

test.each([
  ['spot_volume_24h', '1230.499999', [part('1230.000000', '1'), part('0.00000500', '99999.99'), part('7.0', null)]],
  ['option_payouts_24h', '0.000000', []],
  ['withdrawal_minutes_median_30d', '12', [part('40', null), part('12', null, 2), part('7', null)]],
  ['withdrawal_minutes_p95_30d', '40', [part('40', null), part('12', null, 18)]],
  ['withdrawal_minutes_p95_30d', '12', [part('40', null), part('12', null, 19)]],
  ['withdrawals_paid_30d', '4', [part('40', null), part('12', null, 3)]],
  ['withdrawals_rejected_30d', '0', []],
] as const)('%s is %s by its parts and nothing else', (name, value, parts) => {
  expect(reasonOf(() => checkStat({ name, value, parts }))).toBeNull();
  const other = value.includes('.') ? `${value.slice(0, -1)}8` : `${value}1`;
  expect(reasonOf(() => checkStat({ name, value: other, parts }))).toBe('sum');
  expect(reasonOf(() => checkStat({ name, value, parts: [...parts, part('1000', '1', 50)] }))).toBe('sum');
});

test('a time that was never measured has no value', () => {
  expect(reasonOf(() => checkStat({ name: 'withdrawal_minutes_median_30d', value: '0', parts: [] }))).toBe('sum');
});
