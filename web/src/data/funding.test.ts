import { expect, test } from 'vitest';
import type { Coin } from '../generated/api';
import { chosenCoin } from './funding';

test('no other coin stands in for one that was asked for', () => {
  const coins = [{ id: 1, code: 'BTC' }, { id: 3, code: 'USDT' }] as Coin[];
  expect(chosenCoin(coins, null)?.code).toBe('USDT');
  expect(chosenCoin(coins.slice(0, 1), null)?.code).toBe('BTC');
  expect(chosenCoin(coins, '1')?.code).toBe('BTC');
  expect(chosenCoin(coins, '2')).toBeUndefined();
});
