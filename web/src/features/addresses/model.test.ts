import { expect, test } from 'vitest';
import type { Address } from '../../generated/api';
import { addressProblem, fieldOf, reasonsOf } from './model';
import { groupByAsset } from './groupByAsset';

const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8';
const BITCOIN = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq';
const row = (part: Partial<Address>): Address => ({ id: 1, currency: 3, nettype: 'TRC20', address: TRON, notes: 'Hardware wallet', usable_at_ms: 0, created_at: '', created_at_ms: 0, ...part });
const form = (part: object = {}) => ({ chain: 'TRC20', address: TRON, label: '', password: '123456', code: '654321', otp: undefined, stored: [], coin: 3, ...part });

test('an address of another network is named', () => {
  expect(addressProblem('TRC20', BITCOIN)).toEqual({ field: 'address', text: 'addresses.otherNetwork', values: { family: 'BTC', chain: 'TRC20' } });
  expect(addressProblem('TRC20', 'hello')?.text).toBe('errors.E_ADDRESS');
  expect(addressProblem('TRC20', TRON)).toBeUndefined();
});

test.each([
  [form(), []],
  [form({ address: '' }), ['addresses.needAddress']],
  [form({ address: BITCOIN }), ['addresses.otherNetwork']],
  [form({ address: TRON.replace('J', 'j') }), ['addresses.checksum']],
  [form({ stored: [row({})] }), ['errors.E_ADDRESS_DUP']],
  [form({ stored: [row({ currency: 4 })] }), []],
  [form({ label: 'x'.repeat(101) }), ['funding.tooLong']],
  [form({ password: '12345' }), ['errors.E_FUNDPW_FORM']],
  [form({ code: '' }), ['funding.needCode']],
  [form({ otp: '1' }), ['errors.E_2FA_REQUIRED']],
])('form %#', (given, expected) => {
  expect(reasonsOf(given).map(({ text }) => text)).toEqual(expected);
});

test('a refusal finds its field', () => {
  expect([fieldOf('E_FUNDPW_WRONG'), fieldOf('E_CODE'), fieldOf('E_RATE'), fieldOf('toString')]).toEqual(['password', 'code', undefined, undefined]);
});

test('groupByAsset by coin, searched by label, address and network', () => {
  const rows = [row({}), row({ id: 2, currency: 1, nettype: 'BTC', address: BITCOIN, notes: 'Cold' })];
  const coins = [
    { id: 1, code: 'BTC' },
    { id: 3, code: 'USDT' },
  ];
  expect(groupByAsset(rows, coins, '').map(({ code, rows: of }) => [code, of.length])).toEqual([
    ['BTC', 1],
    ['USDT', 1],
  ]);
  expect(groupByAsset(rows, coins, 'COLD').map(({ code }) => code)).toEqual(['BTC']);
  expect(groupByAsset(rows, coins, 'trc').map(({ code }) => code)).toEqual(['USDT']);
  expect(groupByAsset(rows, coins, 'nothing')).toEqual([]);
});
