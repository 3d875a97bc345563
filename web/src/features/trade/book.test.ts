import { expect, test } from 'vitest';
import { applyDelta, checksum, crc32, type Book } from './book';

const book: Book = {
  seq: 4,
  bids: [
    ['100.0', '1.00'],
    ['99.5', '2.00'],
  ],
  asks: [
    ['100.5', '3.00'],
    ['101.0', '1.00'],
  ],
};

test('CRC-32 of the standard check text', () => {
  expect(crc32('123456789')).toBe(0xcbf43926);
  expect(crc32('')).toBe(0);
});

test('the checksum takes bids and asks in turn and skips what is missing', () => {
  expect(checksum(book)).toBe(crc32('100.0:1.00:100.5:3.00:99.5:2.00:101.0:1.00'));
  expect(checksum({ ...book, bids: [] })).toBe(crc32('100.5:3.00:101.0:1.00'));
});

test('a delta changes, adds and removes levels and keeps the order', () => {
  const next = applyDelta(
    book,
    5,
    [
      ['99.5', '0.00'],
      ['99.9', '4.00'],
    ],
    [
      ['100.5', '2.50'],
      ['99.9', '0.00'],
    ],
  );
  expect(next).toEqual({
    seq: 5,
    bids: [
      ['100.0', '1.00'],
      ['99.9', '4.00'],
    ],
    asks: [
      ['100.5', '2.50'],
      ['101.0', '1.00'],
    ],
  });
});

test('the checksum covers the best 25 levels only', () => {
  const asks = Array.from({ length: 30 }, (_, n) => [`1${String(n).padStart(2, '0')}.0`, '1'] as const);
  expect(checksum({ seq: 1, bids: [], asks })).toBe(checksum({ seq: 1, bids: [], asks: asks.slice(0, 25) }));
});
