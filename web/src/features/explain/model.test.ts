import { describe, expect, test } from 'vitest';
import { amount, wire } from '../../lib/money';
import { breakEvenDay, evenBand, longExample, optionExample, planExit } from './model';

const texts = (amounts: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(amounts).flatMap(([name, value]) => (typeof value === 'object' ? [[name, wire(value as ReturnType<typeof amount>)]] : [])));

describe('options', () => {
  test.each([
    ['100', '70', { lose: '100.500000', gain: '69.500000', fee: '0.500000', breakEven: '59.2', coinToss: '15.500000' }],
    ['50', '85', { lose: '50.250000', gain: '42.250000', fee: '0.250000', breakEven: '54.4', coinToss: '4.000000' }],
    ['10.000001', '70', { profit: '7.000000', fee: '0.050001' }],
  ])('a stake of %s at %s %%', (stake, payout, expected) => {
    expect(texts({ ...optionExample(stake, payout, '0.5') })).toMatchObject(expected);
  });
  test('the even band at 97,432.15', () => expect(wire(evenBand(amount('97432.15'), '0.005'))).toBe('4.87'));
});

describe('plans', () => {
  const plan = { amount: '1000', days: 15, daily: '0.4', damage: '0.4' };
  test.each([
    [0, '934.000000'],
    [5, '974.000000'],
    [14, '1046.000000'],
    [15, '1060.000000'],
  ])('leaving after %i days pays back %s', (day, back) => expect(wire(planExit(plan, day).back)).toBe(back));
  test('odd amounts round against the person', () =>
    expect(texts({ ...planExit({ ...plan, amount: '123.456789' }, 5) })).toMatchObject({ interest: '2.469135', damages: '4.938272', penalty: '0.740741', back: '120.246911' }));
  test('break-even is the first day without a loss', () => expect(breakEvenDay({ ...plan, amount: '500' })).toBe(9));
  test('a deduction never exceeds what was put in', () => expect(wire(planExit({ ...plan, damage: '20' }, 1).back)).toBe('4.000000'));
});

describe('contracts', () => {
  const example = longExample('100000', 10n, 10n);
  test('10 lots at 10 times', () =>
    expect(texts({ ...example })).toMatchObject({
      entry: '100010.00',
      value: '1000.100000',
      margin: '100.010000',
      openFee: '0.500050',
      overnight: '0.300000',
      liquidation: '90734.87',
      lose: '100.510050',
    }));
  test('the gain stops at the cap, after both fees', () => expect(wire(example.gain)).toBe('998.599850'));
  test.each([
    ['105000', '48.770002'],
    ['95000', '-51.170003'],
    ['80000', '-100.510050'],
  ])('closed at %s', (mark, result) => expect(wire(example.closedAt(mark))).toBe(result));
  test('liquidation gives 4.536653 back', () => expect(wire(example.liquidated)).toBe('-95.973397'));
});
