import { expect, test } from 'vitest';
import { nextUtcDay, stamp, utcOffset } from './time';

const instant = Date.UTC(2026, 10, 20, 14, 8, 20);

test.each([
  ['Asia/Bangkok', '20 Nov 2026, 21:08:20 (UTC+7)'],
  ['America/La_Paz', '20 Nov 2026, 10:08:20 (UTC−4)'],
  ['UTC', '20 Nov 2026, 14:08:20 (UTC)'],
])('a receipt in %s says %s', (zone, text) => {
  expect(stamp(instant, 'en', zone)).toBe(text);
});

test('half-hour zones keep their minutes', () => {
  expect(utcOffset(instant, 'Asia/Kolkata')).toBe('UTC+5:30');
});

test('Thai dates use the Gregorian year', () => {
  expect(stamp(instant, 'th', 'UTC')).toContain('2026');
});

test('business days turn at 00:00 UTC', () => {
  expect(nextUtcDay(instant)).toBe(Date.UTC(2026, 10, 21));
  expect(nextUtcDay(Date.UTC(2026, 10, 21))).toBe(Date.UTC(2026, 10, 22));
});
