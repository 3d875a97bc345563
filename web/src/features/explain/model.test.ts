import { describe, expect, test } from 'vitest';
import { amount, wire } from '../../lib/money';
import { breakEvenDay, longExample, planExit } from './model';

const texts = (amounts: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(amounts).flatMap(([name, value]) => (typeof value === 'object' ? [[name, wire(value as ReturnType<typeof amount>)]] : [])));

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
