import { expect, test } from 'vitest';
import { fit, megabytes, same } from './picture';

test.each([
  [4000, 3000, 2000, 1500],
  [3000, 4000, 1500, 2000],
  [800, 600, 800, 600],
  [20_000, 3, 2000, 1],
])('%i x %i fits as %i x %i', (width, height, w, h) => {
  expect(fit(width, height)).toEqual({ width: w, height: h });
});

test('a file above the limit never reads as the limit', () => {
  expect([megabytes(5 * 1024 * 1024), megabytes(5 * 1024 * 1024 + 1)]).toEqual([5, 6]);
});

test('two pictures are the same to the last byte, or are two', async () => {
  const file = (text: string) => new Blob([text]);
  expect(await Promise.all([same(file('abc'), file('abc')), same(file('abc'), file('abd')), same(file('abc'), file('abcd'))])).toEqual([true, false, false]);
});
