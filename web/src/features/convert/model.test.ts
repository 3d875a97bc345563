import { expect, test } from 'vitest';
import type { Coin, FlashCoin, FlashQuote } from '../../generated/api';
import { amount, wire } from '../../lib/money';
import { begin, choose, convertible, costsOf, isFar, ratesOf, validate, type OrderContext } from './model';

const row = (id: number, name: string, min_number: string, max_number: string) => ({ id, name, min_number, max_number }) as FlashCoin;
const coin = (id: number, code: string, scale: number) => ({ id, code, name: code, scale }) as Coin;
const [btc, usdt] = convertible([row(1, 'BTC', '0.00010000', '0.50000000'), row(3, 'USDT', '10.000000', '50000.000000'), row(9, 'XYZ', '1', '2')], [coin(1, 'BTC', 8), coin(3, 'USDT', 6)]);
if (!btc || !usdt) throw new Error('both are listed');

/** 1,000 USDT at an index of 100,000 (8, example 1). */
const QUOTE: FlashQuote = { quote_id: 7701, l_currency_id: 3, r_currency_id: 1, num: '1000.000000', gross: '0.00999000', fee: '0.00000999', net: '0.00998001', price: '0', index_from: '1.00000000', index_to: '100000.00', expires_ms: 0 };

test('spread and fee are told in the coin that is got and in USDT, and add up', () => {
  const costs = costsOf(QUOTE, usdt, btc);
  expect(Object.fromEntries(Object.entries(costs).map(([name, value]) => [name, wire(value)]))).toEqual({ worth: '0.01000000', spread: '0.00001000', fee: '0.00000999', net: '0.00998001', cost: '1.999000', percent: '0.1999' });
  expect(costs.worth.units - costs.spread.units - costs.fee.units).toBe(costs.net.units);
  expect([isFar(costs), isFar({ percent: amount('0.51') })]).toEqual([false, true]);
  const { forth, back } = ratesOf(QUOTE, usdt, btc);
  expect([wire(forth), wire(back)]).toEqual(['0.00000999', '100100.100101']);
});

test('the percentage is not larger than the cost is', () => {
  // 0.00199996 of 0.99996 is 0.200004 %.
  const quote = { ...QUOTE, num: '99996.000000', gross: '0.99896004', fee: '0.00100000', net: '0.99796004' };
  expect(wire(costsOf(quote, usdt, btc).percent)).toBe('0.2000');
});

test('a pair never has the same coin twice', () => {
  expect(begin([1, 3, 4], [1, 3, 4], undefined, undefined)).toEqual({ from: 3, to: 1 });
  expect(begin([1, 3, 4], [1, 3, 4], 1, undefined)).toEqual({ from: 1, to: 3 });
  expect(begin([1, 3, 4], [1, 3, 4], undefined, 3)).toEqual({ from: 1, to: 3 });
  expect(choose('from', 1, { from: 3, to: 1 })).toEqual({ from: 1, to: 3 });
  expect(choose('to', 4, { from: 3, to: 1 })).toEqual({ from: 3, to: 4 });
});

const context: OrderContext = { loggedIn: true, online: true, frozen: false, open: true, forbidden: undefined, available: amount('500') };
const named = (text: string, change: Partial<OrderContext> = {}) => validate({ ok: true, value: amount(text) }, usdt, btc, { ...context, ...change }).map(({ name }) => name);

test.each([
  ['9.999999', ['min']],
  ['10', []],
  ['500', []],
  ['500.000001', ['insufficient']],
  ['50000.000001', ['max']],
  ['0', ['empty']],
])('%s USDT: %j', (text, reasons) => expect(named(text)).toEqual(reasons));

test('what a person is comes before what they typed', () => {
  expect(named('1', { loggedIn: false, online: false, forbidden: 'country', open: false, frozen: true })).toEqual(['guest', 'offline', 'country', 'closed', 'frozen', 'min']);
});
