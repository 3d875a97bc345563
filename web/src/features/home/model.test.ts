import { expect, test } from 'vitest';
import { formatPercent, wire, type Amount } from '../../lib/money';
import { valueLine } from './model';

const history = (net_in_usdt: string, ...totals: string[]) => ({ net_in_usdt, points: totals.map((total_usdt, n) => ({ time_ms: n * 1000, total_usdt })) });

const percent = (line: ReturnType<typeof valueLine>) => line?.percent && formatPercent(line.percent, 'en', { kind: 'result', min: 2, max: 2, sign: 'plus' });
const text = (value: Amount | undefined) => value && wire(value);

test('the result of a range leaves out what was paid in and out', () => {
  const line = valueLine(history('50.00', '100.00', '160.00', '153.00'));
  expect([text(line?.change), text(line?.low), text(line?.high), line?.from, line?.to]).toEqual(['3.00', '100.00', '160.00', 0, 2000]);
  // 3 of the 100 at the start and the 50 that came in.
  expect(percent(line)).toBe('+2.00%');
  expect(text(valueLine(history('-40.00', '100.00', '58.00'))?.change)).toBe('-2.00');
});

test('a payment out is no loss of the capital it was part of', () => {
  expect(percent(valueLine(history('-40.00', '100.00', '55.00')))).toBe('\u22125.00%');
});

test('one point or an empty account draws nothing, and nothing gains no percent', () => {
  expect(valueLine(history('0', '5.00'))).toBeUndefined();
  expect(valueLine(history('0', '0.00', '0.00'))).toBeUndefined();
  expect(valueLine(history('0', '0.00', '1.00'))?.percent).toBeUndefined();
});

test.each([
  // A loss of 0.056 % is one of more than 0.05 %, and the smallest result is not nothing.
  ['1000.00', '999.44', '\u22120.06%'],
  ['10000.00', '9999.64', '\u22120.01%'],
  ['10000000.00', '9999999.99', '\u22120.01%'],
  ['1000.00', '1000.56', '+0.05%'],
  ['10000.00', '10000.36', '<+0.01%'],
  ['1000.00', '1000.00', '0.00%'],
])('from %s to %s is %s: never in our favour, and never nothing beside a result (F43)', (from, to, shown) => {
  expect(percent(valueLine(history('0', from, to)))).toBe(shown);
});
