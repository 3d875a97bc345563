import { expect, test } from 'vitest';
import { gapsIn } from './missing';

const rows = (...starts: string[]) => starts.map((start) => ({ timestamp: Date.parse(`${start}Z`) }));
const told = (starts: string[], period: Parameters<typeof gapsIn>[1]) => gapsIn(rows(...starts), period).map(({ after, from, to }) => [after, from, to].map((at) => new Date(at).toISOString().slice(0, 16)));

test('candles that are missing between others are a gap, from the end of the one before', () => {
  expect(told(['2026-11-27T10:00', '2026-11-27T10:01', '2026-11-27T10:04'], '1min')).toEqual([['2026-11-27T10:01', '2026-11-27T10:02', '2026-11-27T10:04']]);
  expect(told(['2026-11-27T10:00', '2026-11-27T10:05', '2026-11-27T10:15'], '5min')).toEqual([['2026-11-27T10:05', '2026-11-27T10:10', '2026-11-27T10:15']]);
  expect(told(['2026-11-27T10:00', '2026-11-27T10:01'], 'timeline')).toEqual([]);
  expect(told([], '1day')).toEqual([]);
});

test('months of any length follow one another', () => {
  expect(told(['2026-01-01T00:00', '2026-02-01T00:00', '2026-03-01T00:00', '2026-04-01T00:00'], '1mon')).toEqual([]);
  expect(told(['2026-01-01T00:00', '2026-03-01T00:00'], '1mon')).toHaveLength(1);
});
