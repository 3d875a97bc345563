import { describe, expect, test } from 'vitest';
import { wire } from '../../lib/money';
import { coinShare, conversion, loanDebt, loanSale, rebates, salePrice } from './spot';

const texts = (amounts: Record<string, unknown>) => Object.fromEntries(Object.entries(amounts).flatMap(([name, value]) => (typeof value === 'object' ? [[name, wire(value as ReturnType<typeof loanDebt>)]] : [])));

describe('loans', () => {
  const loan = { amount: '600', collateral: '0.01', days: 7, rate: '0.05' };
  test.each([
    [1, '600.300000'],
    [2, '600.600000'],
    [7, '602.100000'],
    [8, '603.000000'],
    [9, '603.900000'],
  ])('with %i days begun %s is owed (B-4, B-5)', (begun, debt) => expect(wire(loanDebt(loan, begun))).toBe(debt));
  test('the collateral of 600.30 is sold from 72,325 down (B-8)', () => expect(wire(salePrice(loan, loanDebt(loan, 1)))).toBe('72325.30'));
  test.each([
    ['72000', '0.00850425', '0.00149575'],
    ['60000', '0.01000000', '0.00000000'],
  ])('a sale at %s takes %s and gives %s back (B-9)', (index, sold, back) => expect(texts(loanSale(loan, loanDebt(loan, 1), index))).toEqual({ sold, back }));
});

describe('new coins', () => {
  test.each([
    ['100', '0.5', '150', '300', { coins: '100.00000000', cost: '50.000000', refund: '50.000000' }],
    ['10', '1', '1', '30', { coins: '0.33333333', cost: '0.333334', refund: '9.666666' }],
    ['100', '0.33333333', '1000', '300', { coins: '300.00000300', cost: '100.000000', refund: '0.000000' }],
  ])('%s USDT at %s for %s of %s wanted (N-3, N-4)', (paid, price, supply, wanted, share) => expect(texts(coinShare(paid, price, supply, wanted))).toEqual(share));
});

test('1,000 USDT become 0.00998001 BTC at 100,000, worth less (F-2)', () => {
  const { worthAt, ...amounts } = conversion('1000', '100000');
  expect(texts(amounts)).toEqual({ gross: '0.00999000', fee: '0.00000999', net: '0.00998001' });
  expect(['99000', '100000', '101000'].map((index) => wire(worthAt(index)))).toEqual(['988.020990', '998.001000', '1007.981010']);
});

test('rebates are floored once (G-2)', () => {
  expect(texts(rebates('10', '10'))).toEqual({ direct: '2.000000', second: '0.500000', total: '2.500000' });
  expect(texts(rebates('0.001000', '0.001000'))).toMatchObject({ direct: '0.000200', second: '0.000050' });
});
