import { expect, test } from 'vitest';
import { finds, plain } from './search';

test('codes are found by any part, names by the start of a word', () => {
  expect(finds(' ETH', 'ETH/BTC', '')).toBe(true);
  expect(finds('btc', 'ETH/BTC', '')).toBe(true);
  expect(finds('bitc', 'BTC', 'Bitcoin')).toBe(true);
  expect(finds('coin', 'USDC', 'USD Coin')).toBe(true);
  expect(finds('eth', 'BTC/USDT', 'Bitcoin Tether')).toBe(false);
});

test('a text is found with and without its accents, and in Turkish with either i', () => {
  expect(finds('BİTCOİN', 'BTC', 'Bitcoin')).toBe(true);
  expect(plain('İsviçre')).toBe(plain('isviçre'));
  expect(plain('Irak')).toBe(plain('ırak'));
  expect(plain('États-Unis')).toContain(plain('etats'));
  expect(plain('ガーナ')).not.toContain(plain('カ'));
});
