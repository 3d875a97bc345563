import { expect, test } from 'vitest';
import { since } from './days';

test('rows of a range end at the first that is older', () => {
  const rows = [30, 20, 10];
  expect(since(rows, (at) => at, 15)).toEqual({ rows: [30, 20], complete: true });
  expect(since(rows, (at) => at, 0)).toEqual({ rows, complete: false });
});
