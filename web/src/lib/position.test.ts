import { expect, test } from 'vitest';
import type { Position } from '../generated/api';
import { amount, wire } from './money';
import { distanceOf, isNear } from './position';

const LONG = { type: 1, liquidation_price: '95.00' } as Position;
const SHORT = { type: 2, liquidation_price: '105.00' } as Position;

test.each([
  [LONG, '100.00', '5.0000'],
  [LONG, '99.99', '4.9904'],
  [LONG, '95.00', '0.0000'],
  [LONG, '90.00', '0.0000'],
  [SHORT, '100.00', '5.0000'],
  [SHORT, '100.01', '4.9895'],
  [SHORT, '110.00', '0.0000'],
  [{ ...LONG, liquidation_price: '0.00' }, '100.00', undefined],
])('%o at %s is %s percent from liquidation', (position, mark, percent) => {
  const distance = distanceOf(position, amount(mark));
  expect(distance && wire(distance)).toBe(percent);
});

test('below five percent is near', () => {
  expect([undefined, '5.0000', '4.9999', '0.0000'].map((distance) => isNear(distance === undefined ? distance : amount(distance)))).toEqual([false, false, true, true]);
});
