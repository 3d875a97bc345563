import { expect, test } from 'vitest';
import { quality } from './quality';

const SIDE = 64;
/** A picture whose point at (x, y) has this lightness. */
function picture(of: (x: number, y: number) => number): Uint8ClampedArray {
  const rgba = new Uint8ClampedArray(SIDE * SIDE * 4);
  for (let at = 0; at < SIDE * SIDE; at++) rgba.set([0, 0, 0].map(() => of(at % SIDE, Math.floor(at / SIDE))).concat(255), at * 4);
  return rgba;
}
const print = (x: number, y: number) => (x % 6 < 2 && y % 8 < 5 ? 40 : 200);
const look = (of: (x: number, y: number) => number) => quality(picture(of), SIDE, SIDE);

test('print in even light is good', () => {
  expect(look(print)).toEqual({ bright: true, sharp: true, clear: true });
});
test('the same print in the dark', () => {
  expect(look((x, y) => print(x, y) / 5).bright).toBe(false);
});
test('out of focus: the lightness changes only slowly', () => {
  expect(look((x) => 120 + 60 * Math.sin(x / 12)).sharp).toBe(false);
});
test('a burnt spot is glare', () => {
  expect(look((x, y) => (x < 12 && y < 12 ? 255 : print(x, y))).clear).toBe(false);
  expect(look((x, y) => (x < 4 && y < 4 ? 255 : print(x, y))).clear).toBe(true);
});
