import { expect, test } from 'vitest';
import { sizeText } from './model';

test.each([
  [0, 'en', '0 byte'],
  [999, 'en', '999 byte'],
  [1_000, 'en', '1 kB'],
  [12_449, 'en', '12.4 kB'],
  [999_949, 'en', '999.9 kB'],
  [999_950, 'en', '1 MB'],
  [12_400_000, 'de', '12,4 MB'],
])('%i bytes in %s is %s', (bytes, locale, text) => {
  expect(sizeText(bytes, locale).replace(/\s/g, ' ')).toBe(text);
});
