import { describe, expect, test } from 'vitest';
import { add, amount, cmp, compact, div, floorTo, format, formatPercent, mul, parseInput, part, rescale, separatorsOf, sub, translateInput, understood, wire, type Kind } from './money';
import { LANGUAGES } from './i18n';

describe('wire form', () => {
  test.each(['0', '1.50', '-0.000001', '123456789012345678.12345678', '-12'])('%s survives', (text) => {
    expect(wire(amount(text))).toBe(text);
  });
  test.each(['', '1,5', '1e3', '.5', '1.', ' 1', 'NaN'])('%j is refused', (text) => {
    expect(() => amount(text)).toThrow(TypeError);
  });
});

test('arithmetic is exact', () => {
  expect(wire(add(amount('0.1'), amount('0.20')))).toBe('0.30');
  expect(wire(sub(amount('1'), amount('1.001')))).toBe('-0.001');
  expect(wire(mul(amount('68400.00'), amount('0.01000000'), 6, 'up'))).toBe('684.000000');
  expect(wire(div(amount('1'), amount('3'), 4))).toBe('0.3333');
  expect(wire(div(amount('1'), amount('3'), 4, 'up'))).toBe('0.3334');
  expect(wire(div(amount('-1'), amount('3'), 4, 'floor'))).toBe('-0.3334');
  expect(['0.5', '1.5', '2.4', '2.6', '3'].map((text) => wire(div(amount(text), amount('1'), 0, 'nearest')))).toEqual(['0', '2', '2', '3', '3']);
  // Quotient and divisor have fewer decimals than the dividend, as many, and more.
  expect(wire(div(amount('1.2345'), amount('5'), 2))).toBe('0.24');
  expect(wire(div(amount('1.23'), amount('5'), 2))).toBe('0.24');
  expect(wire(div(amount('5'), amount('0.0001'), 2))).toBe('50000.00');
  expect(() => div(amount('1'), amount('0.00'), 2)).toThrow(RangeError);
  expect(wire(part(amount('927.42'), 75))).toBe('695.56');
  expect(wire(floorTo(amount('0.123456'), amount('0.0005')))).toBe('0.1230');
  expect(cmp(amount('1.0'), amount('1.00'))).toBe(0);
  expect(wire(rescale(amount('-29.568'), 2, 'floor'))).toBe('-29.57');
});

test.each<[string, Kind, string]>([
  ['12484.939', 'balance', '12,484.93'],
  ['0.6840', 'cost', '0.69'],
  ['14.169', 'result', '14.16'],
  ['-29.568', 'result', '−29.57'],
  ['0', 'balance', '0.00'],
  ['0.001', 'balance', '<0.01'],
])('%s as %s is %s', (text, kind, shown) => {
  expect(format(amount(text), 'en', { kind, min: 2, max: 2 })).toBe(shown);
});

test.each([
  ['en', '12,484.93', '+1.82%'],
  ['ja', '12,484.93', '+1.82%'],
  ['es', '12.484,93', '+1,82 %'],
  ['fr', '12\u202f484,93', '+1,82 %'],
  ['de', '12.484,93', '+1,82 %'],
  ['it', '12.484,93', '+1,82%'],
  ['tr', '12.484,93', '+%1,82'],
])('%s writes %s and %s', (locale, number, percent) => {
  expect(format(amount('12484.93'), locale)).toBe(number);
  expect(formatPercent(amount('1.82'), locale, { sign: 'plus' }).replace(/\s/, ' ')).toBe(percent);
});

test('a percentage too small to show keeps its marks before the whole of it', () => {
  const tiny = (locale: string) => formatPercent(amount('0.0056'), locale, { kind: 'result', min: 2, max: 2, sign: 'plus' });
  expect([tiny('en'), tiny('tr')]).toEqual(['<+0.01%', '<+%0,01']);
});

test('four digits are grouped in every language, and codes keep their minimum of decimals', () => {
  expect(format(amount('1234.5'), 'es', { min: 2 })).toBe('1.234,50');
  expect(format(amount('0.01000000'), 'en', { min: 4, max: 8 })).toBe('0.0100');
  expect(format(amount('0.01234500'), 'en', { min: 4, max: 8 })).toBe('0.012345');
});

test('compact volumes', () => {
  expect(compact(amount('1240000000'), 'en')).toBe('1.24B');
});

test.each<[string, string, string]>([
  ['1,000', 'en', '1000.000000'],
  ['1,000', 'de', '1.000000'],
  ['1.000', 'de', '1000.000000'],
  ['1.5', 'de', '1.500000'],
  ['1,5', 'en', '1.500000'],
  ['1.234,5', 'en', '1234.500000'],
  ['1,234.5', 'de', '1234.500000'],
  ['1 234,5', 'fr', '1234.500000'],
  ['1,234,567', 'en', '1234567.000000'],
  ['.5', 'en', '0.500000'],
  ['5.', 'en', '5.000000'],
  ['007', 'en', '7.000000'],
  ['1.500', 'en', '1.500000'],
  ['1,500', 'de', '1.500000'],
  ['1.500', 'fr', '1.500000'],
  ['1000,500', 'en', '1000.500000'],
  ['1.234.567', 'en', '1234567.000000'],
  ['1,234,567.8', 'de', '1234567.800000'],
  ['1.000,000', 'en', '1000.000000'],
  ["1'234.5", 'en', '1234.500000'],
  ['１２，５', 'de', '12.500000'],
  ['０。００５', 'ja', '0.005000'],
  // By language and region.
  ['1.500', 'es', '1500.000000'],
  ['1.500', 'es-MX', '1.500000'],
  ['1,500', 'es-PE', '1500.000000'],
  ['1.500', 'de-CH', '1.500000'],
  ['1’500.25', 'de-CH', '1500.250000'],
  ['1.500', 'it-CH', '1.500000'],
  // Digits of all scripts.
  ['๑๒.๕', 'th', '12.500000'],
  ['١٬٢٣٤٫٥', 'en', '1234.500000'],
  ['١٫٥٠٠', 'de', '1.500000'],
  ['۱۲۳', 'en', '123.000000'],
  ['१२.५', 'en', '12.500000'],
  ['𝟗𝟎', 'en', '90.000000'],
  ['𑁦𑁯', 'en', '9.000000'],
])('%s typed in %s is %s', (text, locale, value) => {
  const parsed = parseInput(text, locale, 6);
  expect(parsed.ok && wire(parsed.value)).toBe(value);
});

test.each<[string, string]>([
  ['', 'empty'],
  ['  ', 'empty'],
  ['abc', 'format'],
  ['-1', 'format'],
  ['1e5', 'format'],
  ['.', 'format'],
  ['1.2.3,4', 'format'],
  ['12,34.5', 'format'],
  ['1,,000', 'format'],
  ['1.1234567', 'scale'],
  ['1e3', 'format'],
  ['+5', 'format'],
  ['0,005,000', 'format'],
  ['0,123.5', 'format'],
  ['1 23', 'format'],
  ['0 005', 'format'],
  ['1.5 00', 'format'],
  ['1,234.567.8', 'format'],
  ['1234567890123456789', 'format'],
  ['١٫٢٫٣', 'format'],
  ['١٬٢٫٣', 'format'],
])('%j typed is refused as %s', (text, reason) => {
  expect(parseInput(text, 'en', 6)).toEqual({ ok: false, reason });
});

test.each<[string, string, string | undefined]>([
  ['1.500', 'es', '1500,00'],
  ['1.500', 'es-MX', '1.50'],
  ['1,234', 'de', '1,2340'],
  ['1,234', 'en', '1234.00'],
  ['๑,๕๐๐', 'th', '1500.00'],
  ['0.500', 'es', undefined],
  ['1.5', 'es', undefined],
  ['1.500,0', 'es', undefined],
  ['1234.567', 'es', undefined],
  ['1,2,3', 'en', undefined],
])('%s in %s is told as %s', (text, locale, told) => {
  expect(understood(text, locale, 6)).toBe(told);
});

describe.each(LANGUAGES.map(({ tag }) => tag))('typing in %s', (tag) => {
  const { group, decimal } = separatorsOf(tag);
  const read = (text: string) => {
    const parsed = parseInput(text, tag, 8);
    return parsed.ok ? wire(parsed.value) : parsed.reason;
  };
  test.each(['.', ','])('less than one is never a thousand times as much, with %s', (mark) => {
    expect(['0M005', '0M025', '00M005', 'M005', '0M1000', '12M5', '1234M567'].map((text) => read(text.replace('M', mark)))).toEqual(['0.00500000', '0.02500000', '0.00500000', '0.00500000', '0.10000000', '12.50000000', '1234.56700000']);
  });
  test('only its own group mark alone is a group', () => {
    expect(read(`1${decimal}500`)).toBe('1.50000000');
    expect(read(`1${group}500`)).toBe('1500.00000000');
    expect(read(`12${group}345${decimal}6`)).toBe('12345.60000000');
    const others = ['.', ','].filter((mark) => mark !== group);
    expect(others.map((mark) => read(`1${mark}500`))).toEqual(others.map(() => '1.50000000'));
  });
  test('what the field writes on leaving is read as the same amount', () => {
    for (const text of ['0.00500000', '1.50000000', '1.23400000', '1500.00000000', '1234567.12300000', '0.12345678']) {
      expect(read(format(amount(text), tag, { min: 2 }))).toBe(text);
      expect(read(format(amount(text), tag, { min: 0 }))).toBe(text);
    }
  });
  test('a change of language keeps the amount', () => {
    for (const { tag: to } of LANGUAGES) {
      for (const text of ['0.005', '1.500', '1500', '1234567.125']) {
        const parsed = parseInput(translateInput(format(amount(text), tag, { min: amount(text).scale }), tag, to), to, 8);
        expect(parsed.ok && wire(parsed.value)).toBe(wire(rescale(amount(text), 8)));
      }
    }
  });
});

test('what is no amount is not translated', () => {
  expect(['', '1e3', '-5'].map((text) => translateInput(text, 'en', 'de'))).toEqual(['', '1e3', '-5']);
});
