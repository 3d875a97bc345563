import { expect, test } from 'vitest';
import type { LoanProduct } from '../../generated/api';
import { amount } from '../../lib/money';
import type { Estimate } from './model';
import { bareText, costLines } from './text';

test('the bounds of a loan have the decimals of their coin, without its name', () => {
  expect(bareText('100.000000', 'USDT')).toBe('100.00');
  expect(bareText('50000.000000', 'USDC')).toBe('50,000.00');
  expect(bareText('0.00500000', 'BTC')).toBe('0.0050');
});

test('the prices of a check, with all interest to the due date, do not have the names of those of a running loan', () => {
  const cost = { value: amount('1000.000000'), interest: amount('2.100000'), total: amount('602.100000'), salePrice: amount('72542.16'), callPrice: amount('80280') } as Estimate;
  const product = { currency_name: 'USDT', interest_rate: '0.05', day: 7 } as LoanProduct;
  const labels = costLines(cost, product, amount('600.000000'), amount('0.01000000'), 'BTC', 0).map(({ label }) => label);
  expect(labels.slice(0, 2)).toEqual(['loans.saleAtDue', 'loans.callAtDue']);
  for (const running of ['loans.salePrice', 'loans.callPrice']) expect(labels).not.toContain(running);
});
