import { expect, test } from 'vitest';
import type { OptionOrder } from '../../generated/api';
import { linesOf } from './lines';

const NOW = 1_767_225_600_000;
const option = (id: number, change: Partial<OptionOrder> = {}) => ({ id, status: 1, type: 1, open_price: '97432.15', open_time_ms: NOW - 8_000, delivery_time_ms: NOW + 52_000, ...change }) as OptionOrder;

test('the chart marks each option that runs at its open price, from its opening to its delivery, with the time that is left', () => {
  expect(linesOf([option(1), option(2, { type: 2, open_price: '97000.00' }), option(3, { type: 0, delivery_time_ms: NOW + 112_000 })], NOW)).toEqual([
    { id: 'o1', kind: 'open', price: '97432.15', label: '0:52', from: NOW - 8_000, to: NOW + 52_000, direction: 'up' },
    { id: 'o2', kind: 'open', price: '97000.00', label: '0:52', from: NOW - 8_000, to: NOW + 52_000, direction: 'down' },
    { id: 'o3', kind: 'open', price: '97432.15', label: '1:52', from: NOW - 8_000, to: NOW + 112_000 },
  ]);
});
test('what is settled is marked no more; what is being settled is, with no time left', () => {
  expect(linesOf([option(1, { status: 3 })], NOW)).toEqual([]);
  expect(linesOf([option(1)], NOW + 60_000)).toMatchObject([{ id: 'o1', label: '0:00' }]);
});
