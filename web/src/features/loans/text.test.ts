import { expect, test } from 'vitest';
import { bareText } from './text';

test('the bounds of a loan have the decimals of their coin, without its name', () => {
  expect(bareText('100.000000', 'USDT')).toBe('100.00');
  expect(bareText('50000.000000', 'USDC')).toBe('50,000.00');
  expect(bareText('0.00500000', 'BTC')).toBe('0.0050');
});
