import { expect, test } from 'vitest';
import { finds } from './search';

test('codes are found by any part, names by the start of a word', () => {
  expect(finds(' ETH', 'ETH/BTC', '')).toBe(true);
  expect(finds('btc', 'ETH/BTC', '')).toBe(true);
  expect(finds('bitc', 'BTC', 'Bitcoin')).toBe(true);
  expect(finds('coin', 'USDC', 'USD Coin')).toBe(true);
  expect(finds('eth', 'BTC/USDT', 'Bitcoin Tether')).toBe(false);
});
