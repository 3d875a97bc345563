import { expect, test } from 'vitest';
import type { Loan, LoanProduct } from '../../generated/api';
import { amount, wire, type Amount } from '../../lib/money';
import { byUrgency, daysLeft, estimate, healthOf, isThin, largest, periodOf, ROOM, smallest, termsOf, validate, withMore, withRoom, type OrderContext } from './model';

const PRODUCT = { id: 1, currency_id: 3, currency_name: 'USDT', day: 7, interest_rate: '0.05', overdue_multiplier: 3, min_amount: '100.000000', max_amount: '50000.000000', start_ltv: '60', call_ltv: '75', liquidation_ltv: '83', liquidation_fee: '2', grace_hours: 72 } as LoanProduct;
const SIDES = { lent: { id: 3, code: 'USDT', scale: 6 }, coin: { id: 1, code: 'BTC', scale: 8 } };
const text = (value: Amount | undefined) => value && wire(value);

test('600 USDT against 0.01 BTC at 100,000 for 7 days (7.4)', () => {
  const cost = estimate(SIDES, PRODUCT, amount('600'), amount('0.01'), '100000.00');
  expect([cost.value, cost.ltv, cost.interest, cost.total].map(text)).toEqual(['1000.000000', '60.00', '2.100000', '602.100000']);
  expect(cost.covered).toBe(true);
  // With all interest to the due date: 602.10 is 83 % of 725.42.
  expect(text(cost.salePrice)?.slice(0, 8)).toBe('72542.16');
  expect(isThin(cost, PRODUCT)).toBe(true);
  expect(isThin(estimate(SIDES, PRODUCT, amount('600'), amount('0.011'), '100000.00'), PRODUCT)).toBe(false);
  expect(estimate(SIDES, PRODUCT, amount('600.000001'), amount('0.01'), '100000.00').covered).toBe(false);
});

test('the smallest collateral passes, and more of it is rounded up', () => {
  const least = smallest(SIDES, PRODUCT, amount('600'), '99999.99');
  expect(text(least)).toBe('0.01000001');
  expect(text(withMore(least, 10))).toBe('0.01100002');
});

test('the collateral that is filled in leaves room for a fall, as far as it is free', () => {
  const filled = (available?: string) => text(withRoom(amount('0.01000000'), available === undefined ? undefined : amount(available)));
  expect([filled(), filled('0.02000000'), filled('0.01010000'), filled('0.01000000')]).toEqual(['0.01020000', '0.01020000', '0.01010000', '0.01000000']);
  // With less than the smallest, what is missing is not overstated.
  expect(filled('0.00900000')).toBe('0.01000000');
});

test('the most that is lent needs all of the free collateral once there is room for a fall, and an atom more needs more', () => {
  const most = (available: string | undefined, price: string | undefined = '99999.99') => largest(SIDES, PRODUCT, available === undefined ? undefined : amount(available), price);
  const filled = (borrowed: Amount) => text(withMore(smallest(SIDES, PRODUCT, borrowed, '99999.99'), ROOM));
  expect(text(most('0.01'))).toBe('588.235140');
  expect(filled(most('0.01'))).toBe('0.01000000');
  expect(filled(amount('588.235141'))).toBe('0.01000001');
  expect(text(most('9'))).toBe('50000.000000');
  expect([most(undefined), largest(SIDES, PRODUCT, amount('0.01'), undefined)].map(text)).toEqual(['50000.000000', '50000.000000']);
});

test('a running loan is called and sold at what is owed now', () => {
  const loan = { debt: '600.300000', collateral: '0.01000000' };
  const at = (price: string | undefined) => healthOf(loan, SIDES, termsOf(PRODUCT), price);
  expect(['100000.00', '80040.00', '72326.00', '72325.00'].map((price) => at(price).level)).toEqual(['ok', 'call', 'call', 'liquidation']);
  expect([at('100000.00').ltv, at(undefined).ltv].map(text)).toEqual(['60.03', undefined]);
});

test('what needs the member stands first', () => {
  const loan = (id: number, status: number, margin_call = 0, end_at_ms = 0) => ({ id, status, margin_call, end_at_ms }) as Loan;
  expect(byUrgency([loan(1, 1), loan(2, 2, 0, 9), loan(3, 2, 0, 5), loan(4, 2, 1), loan(5, 5)]).map(({ id }) => id)).toEqual([5, 4, 3, 2, 1]);
});

test('the days of a loan are those that its debt counts, whatever the clock says', () => {
  expect([1, 2, 7, 8, 10].map((periods) => daysLeft({ day: 7, periods }))).toEqual([7, 6, 1, -1, -3]);
});

const context: OrderContext = { loggedIn: true, online: true, verified: true, frozen: false, open: true, forbidden: undefined, stale: false, available: amount('0.05') };
const named = (borrowed: string, collateral: string, change: Partial<OrderContext> = {}, product: LoanProduct | undefined = PRODUCT) => {
  const cost = estimate(SIDES, PRODUCT, amount(borrowed), amount(collateral), '100000.00');
  return validate({ product, amount: { ok: true, value: amount(borrowed) }, collateral: { ok: true, value: amount(collateral) } }, { ...context, ...change }, cost, undefined).map(({ name }) => name);
};

test.each([
  ['600', '0.01', []],
  ['600.000001', '0.01', ['ltv']],
  ['99.999999', '0.01', ['min']],
  ['50000.000001', '0.9', ['max', 'insufficient']],
  ['600', '0.06', ['insufficient']],
])('%s against %s: %j', (borrowed, collateral, reasons) => expect(named(borrowed, collateral)).toEqual(reasons));

test('the order is the server’s', () => {
  expect(named('1', '0.000001', { loggedIn: false, online: false, open: false, frozen: true, stale: true })).toEqual(['guest', 'offline', 'closed', 'frozen', 'min', 'stale', 'ltv']);
  expect(named('600', '0.01', { verified: false })).toEqual(['identity']);
});

test('a loan is read again once a period of 24 hours has ended, a moment later (B-4)', () => {
  const day = 86_400_000;
  const at = (now: number) => periodOf({ start_at_ms: 5_000 }, 5_000 + now);
  expect([at(2_000), at(day), at(day + 1_499), at(day + 1_500), at(3 * day)]).toEqual([0, 0, 0, 1, 2]);
  expect(periodOf({ start_at_ms: null }, day)).toBe(0);
});

test.each([
  ['99.99', ['min', 'cycle']],
  ['50000.01', ['max', 'cycle']],
  ['600', ['cycle']],
])('a fault of %s is said before a length is chosen, by the limits that the form shows', (borrowed, reasons) => {
  const draft = { product: undefined, offered: PRODUCT, amount: { ok: true as const, value: amount(borrowed) }, collateral: { ok: true as const, value: amount('0.01') } };
  expect(validate(draft, context, undefined, undefined).map(({ name }) => name)).toEqual(reasons);
});
