import { expect, test } from 'vitest';
import { depthCurve, pathOf, type Row } from './depthCurve';

test('each side is summed from the best price on, both to one scale', () => {
  const curve = depthCurve([['99', '1'], ['98', '2']], [['101', '4'], ['102', '2']]);
  expect(curve).toMatchObject({ middle: 100, low: 98, high: 102, full: 6 });
  expect(curve.bids.map(({ sum }) => sum)).toEqual([1, 3]);
  expect(pathOf(curve.bids, curve, 400, 60)).toBe('M100.0 60H100.0V50.0H0.0V30.0H0');
  expect(pathOf(curve.asks, curve, 400, 60)).toBe('M300.0 60H300.0V20.0H400.0V0.0H400');
});

test('an order far away does not flatten the rest, and one side alone is drawn', () => {
  const bids: Row[] = Array.from({ length: 60 }, (_, n) => [String(100 - n / 10), '1']);
  const curve = depthCurve([...bids, ['1', '500']], []);
  expect(curve.low).toBeGreaterThan(90);
  expect(curve.full).toBeLessThan(60);
  expect(pathOf(curve.asks, curve, 400, 60)).toBe('');
  expect(depthCurve([], [])).toMatchObject({ bids: [], asks: [] });
});
