import { expect, test } from 'vitest';
import { fromHex } from './bytes';
import { checkDay, checkMovements, checkPlaces, checkPromises, checkPurchase, checkRebates, checkStat, type Movements, type Promised, type Rebates, type Treasury } from './figures';
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
