import { beforeAll, expect, test } from 'vitest';
import type { FlashQuote, FlashRow } from '../../generated/api';
import { activate, withMoneyWords } from '../../lib/i18n';
import { costLines, doneLines, reasonText } from './text';

/** 1,000 USDT at an index of 100,000 (8, example 1), and its result. */
const QUOTE: FlashQuote = { quote_id: 7701, l_currency_id: 3, r_currency_id: 1, num: '1000.000000', gross: '0.00999000', fee: '0.00000999', net: '0.00998001', price: '0', index_from: '1', index_to: '100000', expires_ms: 0 };
const ROW = { ...QUOTE, id: 9, l_currency_name: 'USDT', r_currency_name: 'BTC', status: 1, status_name: '', created_at: '', created_at_ms: 0 } as FlashRow;
const [USDT, BTC] = [{ code: 'USDT', scale: 6 }, { code: 'BTC', scale: 8 }];

beforeAll(async () => {
  await activate('en');
  await withMoneyWords(async () => ({}))();
});

test('a receipt out of the list has the lines of the receipt after the conversion', () => {
  expect(doneLines(ROW)).toEqual(costLines(QUOTE, USDT, BTC));
  expect(doneLines(ROW).map(({ value }) => value)).toEqual(['1,000.00\u00a0USDT', '0.0100\u00a0BTC', '0.00001\u00a0BTC', '0.00000999\u00a0BTC', '2.00\u00a0USDT (0.1999%)', '0.00998001\u00a0BTC']);
});

test('a cost of more than half a percent is marked, and of half a percent it is not', () => {
  const cost = (net: string) => costLines({ ...QUOTE, net }, USDT, BTC)[4]?.value;
  expect(cost('0.00995000')).toBe('5.00\u00a0USDT (0.50%)');
  expect(cost('0.00994999')).toMatchObject({ props: { className: 'caution', children: '5.01\u00a0USDT (0.5001%)' } });
});

test('coins without a price are waited for, and no other coin is offered instead', () => {
  expect(reasonText({ name: 'noPrice' }, undefined)).toBe('Waiting for a live price');
});
