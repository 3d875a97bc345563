import { expect, test } from 'vitest';
import type { Pair } from '../../generated/api';
import { nextSort, quotes, select } from './pairs';

const pair = (match_id: number, symbol: string, now_price: string, change: string, quote_volume: string) =>
  ({ match_id, symbol, now_price, change, quote_volume, legal_name: symbol.split('/')[1], currency_id: match_id, legal_id: 3 }) as Pair;
const pairs = [pair(1, 'BTC/USDT', '68412.30', '+1.82', '100'), pair(2, 'ETH/USDT', '3512.84', '-0.64', '300'), pair(6, 'ETH/BTC', '0.05134', '+0.00', '2')];
const choice = { text: '', list: 'USDT', starred: [6, 1], sort: null, nameOf: (id: number) => ({ 1: 'Bitcoin', 3: 'Tether' })[id] ?? '' };
const symbols = (part: Partial<typeof choice> | object) => select(pairs, { ...choice, ...part }).map((p) => p.symbol);

test('lists: a quote coin, the watchlist in its own order', () => {
  expect(symbols({})).toEqual(['BTC/USDT', 'ETH/USDT']);
  expect(symbols({ list: 'watchlist' })).toEqual(['ETH/BTC', 'BTC/USDT']);
  expect(quotes(pairs)).toEqual(['USDT', 'BTC']);
});

test('a search looks through every list, by code and by name', () => {
  expect(symbols({ text: 'eth' })).toEqual(['ETH/USDT', 'ETH/BTC']);
  expect(symbols({ text: 'bitc' })).toEqual(['BTC/USDT']);
});

test('sorting compares exact figures', () => {
  expect(symbols({ sort: { by: 'volume', down: true } })).toEqual(['ETH/USDT', 'BTC/USDT']);
  expect(symbols({ sort: { by: 'change', down: false } })).toEqual(['ETH/USDT', 'BTC/USDT']);
});

test('a head goes through biggest, smallest, as listed', () => {
  const once = nextSort(null, 'price');
  const twice = nextSort(once, 'price');
  expect([once, twice, nextSort(twice, 'price'), nextSort(twice, 'change')]).toEqual([
    { by: 'price', down: true },
    { by: 'price', down: false },
    null,
    { by: 'change', down: true },
  ]);
});
