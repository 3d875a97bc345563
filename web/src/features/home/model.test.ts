import { expect, test } from 'vitest';
import { amount, formatPercent, wire, type Amount } from '../../lib/money';
import { valueLine } from './model';

/** Totals, oldest first, each with what came in after it. */
const history = (net_in_usdt: string, ...totals: string[]) => ({ net_in_usdt, points: totals.map((total_usdt, n) => ({ time_ms: n * 1000, total_usdt, open_usdt: '0', net_in_usdt: n === 0 ? net_in_usdt : '0' })) });

const percent = (line: ReturnType<typeof valueLine>) => line?.percent && formatPercent(line.percent, 'en', { kind: 'result', min: 2, max: 2, sign: 'plus' });
const text = (value: Amount | undefined) => value && wire(value);

test('the result of a range leaves out what was paid in and out', () => {
  const line = valueLine(history('50.00', '100.00', '160.00', '153.00'));
  expect([text(line?.change), text(line?.low), text(line?.high), line?.from, line?.to]).toEqual(['3.00', '150.00', '160.00', 0, 2000]);
  expect(line?.values).toEqual([150, 160, 153]);
  // 3 of the initial 100 plus the 50 that came in.
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
  // A loss of 0.056 % rounds away from zero, and the smallest result is not shown as nothing.
  ['1000.00', '999.44', '\u22120.06%'],
  ['10000.00', '9999.64', '\u22120.01%'],
  ['10000000.00', '9999999.99', '\u22120.01%'],
  ['1000.00', '1000.56', '+0.05%'],
  ['10000.00', '10000.36', '<+0.01%'],
  ['1000.00', '1000.00', '0.00%'],
])('from %s to %s is %s: never in our favour, and never nothing beside a result (F43)', (from, to, shown) => {
  expect(percent(valueLine(history('0', from, to)))).toBe(shown);
});

test('what runs is a part of the line, and its end is the total of now', () => {
  const points = [
    { time_ms: 0, total_usdt: '100.00', open_usdt: '0', net_in_usdt: '50.00' },
    { time_ms: 1, total_usdt: '140.00', open_usdt: '10.00', net_in_usdt: '0' },
    { time_ms: 2, total_usdt: '140.00', open_usdt: '-5.00', net_in_usdt: '0' },
  ];
  expect(valueLine({ net_in_usdt: '50.00', points })?.values).toEqual([150, 150, 135]);
  const line = valueLine({ net_in_usdt: '50.00', points }, amount('137.50'));
  expect([line?.values, text(line?.change)]).toEqual([[150, 150, 137.5], '-12.50']);
});

test('borrowed money is no gain, and its interest is a loss, also once it is repaid', () => {
  // 600 were borrowed after the first point; 600.30 were owed at the second and repaid before the third.
  const points = [
    { time_ms: 0, total_usdt: '1000.00', open_usdt: '0', net_in_usdt: '0' },
    { time_ms: 1, total_usdt: '1600.00', open_usdt: '-600.30', net_in_usdt: '0' },
    { time_ms: 2, total_usdt: '999.70', open_usdt: '0', net_in_usdt: '0' },
  ];
  for (const known of [points.slice(0, 2), points]) {
    const line = valueLine({ net_in_usdt: '0', points: known }, amount('999.70'));
    expect([line?.values, text(line?.change)]).toEqual([[1000, 999.7, 999.7].slice(0, known.length), '-0.30']);
  }
});
