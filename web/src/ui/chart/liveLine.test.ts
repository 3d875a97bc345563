import { expect, test } from 'vitest';
import type { PriceLine } from '../../lib/priceLines';
import { breaks, edgeOf, join, layout } from './liveLine';

const NOW = 1_800_000_000_000;
const frame = { width: 300, height: 200 };
const at = (seconds: number, price: string) => ({ at: NOW + seconds * 1000, price });
const points = [at(-200, '100'), at(-100, '110'), at(0, '105')];
const option = (to: number, price = '105'): PriceLine => ({ id: 'o1', kind: 'open', price, label: '1:52', direction: 'up', from: NOW - 10_000, to: NOW + to * 1000 });

test('samples are kept once, in the order of their time, and no older than the line', () => {
  const known = join([at(-500, '90'), at(-2, '100')], [at(-1, '101'), at(-2, '100'), at(-3, '99')]);
  expect(known).toEqual([at(-3, '99'), at(-2, '100'), at(-1, '101')]);
});

test('there is room up to the delivery of what runs, and never more than five minutes', () => {
  expect(layout(points, [], NOW, frame).end - NOW).toBe(45_000);
  expect(layout(points, [option(120)], NOW, frame).end - NOW).toBeCloseTo(138_000);
  expect(layout(points, [option(3_600)], NOW, frame).end - NOW).toBe(300_000);
  const plot = layout(points, [option(120)], NOW, frame);
  expect(plot.x(NOW + 120_000)).toBeLessThan(frame.width);
  expect(plot.x(NOW + 3_600_000)).toBe(frame.width);
});

test('the axis grows for a near line, and a far one is named at the edge', () => {
  const near = layout(points, [option(60, '90')], NOW, frame);
  expect(edgeOf(near.y('90'), frame.height).beyond).toBe('');
  const far = layout(points, [option(60, '50')], NOW, frame);
  expect(edgeOf(far.y('50'), frame.height)).toEqual({ y: 192, beyond: 'down' });
  expect(far.y('110')).toBeCloseTo(layout(points, [], NOW, frame).y('110'));
});

test('a price that never moved has a line in the middle, with figures beside it', () => {
  const flat = layout([at(-5, '100'), at(0, '100')], [], NOW, frame);
  expect(flat.y('100')).toBeCloseTo(100);
  expect(flat.ticks.length).toBeGreaterThan(1);
  expect(flat.times.length).toBeGreaterThan(1);
});

test('after a leap of the clock the newest price still has its place', () => {
  const old = layout([at(-3_700, '90'), at(-3_600, '100')], [option(60, '100.01')], NOW, frame);
  expect(old.path).toBe(`M0.0 ${old.y('100').toFixed(1)}`);
  expect(old.y('100')).toBeGreaterThan(0);
  expect(old.ticks.length).toBeGreaterThan(1);
});

test('the line does not lead over a time without prices, and neither does the ground below it', () => {
  const line = [at(-20, '100'), at(-19, '101'), at(-10, '105'), at(-9, '106'), at(-6, '107')];
  expect(breaks(line)).toEqual([{ after: NOW - 19_000, from: NOW - 19_000, to: NOW - 10_000 }]);
  const { path, area, gaps, x } = layout(line, [], NOW, frame);
  expect(gaps).toHaveLength(1);
  expect(path.match(/M/g)).toHaveLength(2);
  expect(path.split('M')[2]).toMatch(new RegExp(`^${x(NOW - 10_000).toFixed(1)} `));
  expect(area.match(/Z/g)).toHaveLength(2);
  // A price is valid for up to three seconds.
  expect(layout(line.slice(2), [], NOW, frame).path.match(/M/g)).toHaveLength(1);
});
