import { expect, test } from 'vitest';
import { candleTime } from './chartText';

test.each([
  ['en', '1mon', 'Nov 2026'],
  ['en', '1day', '20 Nov'],
  ['th', '1mon', 'พ.ย. 2026'],
  ['de', '1mon', 'Nov. 2026'],
] as const)('in %s a candle of %s stands under %s', (locale, period, text) => {
  expect(candleTime(locale, period)(Date.UTC(2026, 10, 20), true)).toBe(text);
});
