import { expect, test } from 'vitest';
import type { Hosting, Plan, PlanReport } from '../../generated/api';
import { amount, wire, type Parsed } from '../../lib/money';
import { interest } from './formulas';
import { coverable, earnedOf, heldTerms, isFull, rates, termsOf, totalWorth, typedDay, validate, type OrderContext } from './model';

const PLAN = { id: 2, day: 15, day_rate: '0.004', damage_rate: '0.4', save_min: '100.000000', save_max: '50000.000000', status: 1 } as Plan;
const CONTEXT: OrderContext = { loggedIn: true, online: true, frozen: false, open: true, forbidden: undefined, available: amount('900.000000'), covered: amount('800.000000') };
const typed = (text: string): Parsed => ({ ok: true, value: amount(text) });

test('terms of the wire are hundred-millionths, and rates compare plans', () => {
  expect(termsOf(PLAN)).toEqual({ cycle: 15, yield: 400_000n, damage: 400_000n });
  const { worst, best } = rates(termsOf(PLAN));
  expect([wire(worst), wire(best)]).toEqual(['6.600000', '6.000000']);
});

test.each<[string, Parsed, boolean, Partial<OrderContext>, string | undefined]>([
  ['a guest', typed('100.000000'), true, { loggedIn: false }, 'guest'],
  ['no line', typed('100.000000'), true, { online: false }, 'offline'],
  ['a paused product', typed('100.000000'), true, { open: false }, 'paused'],
  ['a country that forbids it', typed('100.000000'), true, { forbidden: 'country', open: false }, 'country'],
  ['nothing typed', { ok: false, reason: 'empty' }, true, {}, 'empty'],
  ['an atom below the minimum', typed('99.999999'), true, {}, 'min'],
  ['the minimum', typed('100.000000'), true, {}, undefined],
  ['an atom above the most', typed('50000.000001'), true, {}, 'max'],
  ['an atom more than there is', typed('900.000001'), true, {}, 'short'],
  ['more than the treasury can promise', typed('800.000001'), true, {}, 'covered'],
  ['exactly what it can promise', typed('800.000000'), true, {}, undefined],
  ['an empty treasury', typed('100.000000'), true, { covered: amount('99.999999') }, 'full'],
  ['no tick', typed('100.000000'), false, {}, 'agreement'],
])('%s', (_, value, agreed, context, reason) => {
  expect(validate(PLAN, value, agreed, { ...CONTEXT, ...context })?.name).toBe(reason);
});

test.each(['0.000000', '0.000001', '5.999999', '6.000000', '60.000000', '123.456789'])('with %s free, the most that is covered is covered, and an atom more is not', (free) => {
  const terms = termsOf(PLAN);
  const most = coverable(amount(free), terms);
  expect(interest(most.units, terms.yield, terms.cycle) <= amount(free).units).toBe(true);
  expect(interest(most.units + 1n, terms.yield, terms.cycle) > amount(free).units).toBe(true);
  expect(isFull(PLAN, amount(free))).toBe(amount(free).units < 6_000_000n);
});

const REPORT = { total_order: 2, by_currency: [{ currency_id: 3, total_profit: '60.000000' }, { currency_id: 1, total_profit: '0.00000000' }] } as PlanReport;
const RUNNING = [{ currency_id: 3, current_interest: '20.000001' }, { currency_id: 1, current_interest: '0.00012345' }] as Hosting[];
const earned = (report = REPORT, running = RUNNING) => earnedOf(report, running)?.map(({ id, value }) => [id, wire(value)]);

test.each<[string, number | undefined]>([
  ['0', 0],
  ['15', 15],
  ['\uff17', 7],
  [' 7 ', 7],
  ['007', 7],
  ['16', undefined],
  ['-1', undefined],
  ['7.5', undefined],
  ['1e1', undefined],
  ['', undefined],
  ['99999', undefined],
])('typed "%s" is day %s of 15', (text, day) => expect(typedDay(text, 15)).toBe(day));

test('what was earned is what was paid and what running plans have by now, to the unit', () => {
  expect(earned()).toEqual([[3, '80.000001'], [1, '0.00012345']]);
  expect(earned({ ...REPORT, total_order: 3 })).toBeUndefined();
  expect(earned(REPORT, [])).toBeUndefined();
});

test('in USDT each coin is rounded down, and one without a price leaves the sum unknown', () => {
  const rows = [{ code: 'USDT', value: amount('80.000001') }, { code: 'BTC', value: amount('0.00012345') }];
  const worth = (price: string | undefined) => totalWorth(rows, (code) => (code === 'USDT' ? '1' : price));
  const sum = worth('99999.99');
  expect(sum && wire(sum)).toBe('92.344999');
  expect(worth(undefined)).toBeUndefined();
  expect(totalWorth([{ code: 'BTC', value: amount('0.00000000') }], () => undefined)).toEqual(amount('0.000000'));
});

test('a held plan shows other days only under damages that agree with today’s', () => {
  const order = { day: 15, day_rate: '0.004', amount: '1000.000000' } as Hosting;
  const today = { accrued_days: 5, damages: '40.000000', penalty: '6.000000' };
  expect(heldTerms(order, PLAN, today)).toEqual(termsOf(PLAN));
  expect(heldTerms(order, { ...PLAN, damage_rate: '0.5' }, today)).toBeUndefined();
  expect(heldTerms(order, undefined, today)).toBeUndefined();
});
