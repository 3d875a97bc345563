import { expect, test } from 'vitest';
import { wire } from './money';
import { totalOf } from './total';

test('the total is every account, what runs, and less what is owed, at the prices of now', () => {
  const total = totalOf({
    balances: [
      { amount: '1000.000000', price: '1' },
      { amount: '0.01000000', price: '100000.00' },
    ],
    unrealised: '-20.500000',
    stakes: [{ amount: '50.000000', price: '1' }],
    debts: [{ amount: '600.300000', price: '1' }],
  });
  expect(wire(total)).toBe('1429.200000');
});
