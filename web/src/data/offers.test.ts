import { expect, test } from 'vitest';
import type { AppConfig, WalletList } from '../generated/api';
import { accountsOf } from './balances';
import { offers } from './config';

const config = (country: string, ...products: object[]) => ({ country, products }) as unknown as AppConfig;

test('a product is there while it is paused and while nobody knows the country, not where its rules forbid it (F46)', () => {
  expect(offers(undefined, 'option')).toBe(false);
  expect(offers(config('', { product: 'spot', on: 1 }), 'option')).toBe(false);
  expect(offers(config('', { product: 'option', on: 0 }), 'option')).toBe(true);
  expect(offers(config('', { product: 'option', on: 0, reason: 'not allowed' }), 'option')).toBe(true);
  expect(offers(config('DE', { product: 'option', on: 0, reason: 'not allowed' }), 'option')).toBe(false);
});

test('an account without a product is there only while money lies in it (F46)', () => {
  const group = (account: string, free: string, frozen: string) => ({ balance: [{ [`${account}_balance`]: free, [`lock_${account}_balance`]: frozen }] });
  const wallet = { change_wallet: group('change', '1.0', '0.0'), lever_wallet: group('lever', '0.000', '0.0'), micro_wallet: group('micro', '0.0', '2.0'), trust_wallet: group('trust', '0.00', '0.0') } as unknown as WalletList;
  expect(accountsOf(config('', { product: 'spot', on: 1 }), undefined)).toEqual(['change']);
  expect(accountsOf(config('', { product: 'contract', on: 1 }), undefined)).toEqual(['change', 'lever']);
  expect(accountsOf(config(''), wallet)).toEqual(['change', 'micro']);
});
