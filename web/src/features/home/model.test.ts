import { expect, test } from 'vitest';
import { wire, type Amount } from '../../lib/money';
import { valueLine } from './model';

const history = (net_in_usdt: string, ...totals: string[]) => ({ net_in_usdt, points: totals.map((total_usdt, n) => ({ time_ms: n * 1000, total_usdt })) });

const text = (value: Amount | undefined) => value && wire(value);

test('the result of a range leaves out what was paid in and out', () => {
  const line = valueLine(history('50.00', '100.00', '160.00', '153.00'));
  expect([text(line?.change), text(line?.low), text(line?.high), line?.from, line?.to]).toEqual(['3.00', '100.00', '160.00', 0, 2000]);
  // 3 of the 100 at the start and the 50 that came in.
  expect(text(line?.percent)).toBe('2.00');
  expect(text(valueLine(history('-40.00', '100.00', '58.00'))?.change)).toBe('-2.00');
});

test('a payment out is no loss of the capital it was part of', () => {
  expect(text(valueLine(history('-40.00', '100.00', '55.00'))?.percent)).toBe('-5.00');
});

test('one point or an empty account draws nothing, and nothing gains no percent', () => {
  expect(valueLine(history('0', '5.00'))).toBeUndefined();
  expect(valueLine(history('0', '0.00', '0.00'))).toBeUndefined();
  expect(valueLine(history('0', '0.00', '1.00'))?.percent).toBeUndefined();
});
