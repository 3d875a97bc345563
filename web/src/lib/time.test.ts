import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LANGUAGES } from './i18n';
import { formatter, nextUtcDay, stamp, utcOffset } from './time';

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

test.each(LANGUAGES)('the server writes a day in $name as the app does', ({ code, tag }) => {
  const words = JSON.parse(readFileSync(new URL(`../../../crates/server/locales/${code}.json`, import.meta.url), 'utf8')) as Record<'date' | 'date.months', string>;
  const app = formatter(tag, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  words['date.months'].split(' ').forEach((month, n) => {
    expect(words.date.replace('{year}', '2026').replace('{month}', month).replace('{day}', '5')).toBe(app.format(Date.UTC(2026, n, 5)));
  });
});

test('business days turn at 00:00 UTC', () => {
  expect(nextUtcDay(instant)).toBe(Date.UTC(2026, 10, 21));
  expect(nextUtcDay(Date.UTC(2026, 10, 21))).toBe(Date.UTC(2026, 10, 22));
});

describe('the clock of the server (F32)', () => {
  let time: typeof import('./time');
  /** How far the server clock is ahead of this device. */
  const ahead = () => time.serverNow() - Date.now();
  beforeEach(async () => {
    vi.useFakeTimers({ now: 1_000_000 });
    vi.resetModules();
    time = await import('./time');
  });
  afterEach(() => void vi.useRealTimers());

  test('is that of an answer, and half its round trip', () => {
    time.setServerTime(1_005_000, 400);
    expect(ahead()).toBe(5_200);
    expect(time.serverTime(900_000)).toBe(905_200);
  });

  test('is moved forward by an event, and back only by an answer', () => {
    time.setServerTime(1_000_000, 0);
    time.heardServerTime(990_000);
    expect(ahead()).toBe(0);
    time.heardServerTime(1_060_000);
    expect(ahead()).toBe(60_000);
    time.setServerTime(1_000_000, 0);
    expect(ahead()).toBe(0);
  });

  test('is that of an event as long as there is no answer', () => {
    time.heardServerTime(700_000);
    expect(ahead()).toBe(-300_000);
    time.heardServerTime(600_000);
    expect(ahead()).toBe(-300_000);
  });

  test('is not made worse by a slower answer that agrees, and is set by one that does not', () => {
    time.setServerTime(1_000_000, 100);
    time.setServerTime(999_000, 3_000);
    expect(ahead()).toBe(50);
    time.setServerTime(1_009_000, 3_000);
    expect(ahead()).toBe(10_500);
    time.setServerTime(1_010_000, 80);
    expect(ahead()).toBe(10_040);
  });
});
