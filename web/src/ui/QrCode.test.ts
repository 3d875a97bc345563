import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { qrPath } from './QrCode';

test('every dark square is drawn once, and the quiet zone stays empty', () => {
  const { data } = encode('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', { ecc: 'M', border: 4 });
  const squares = [...qrPath(data).matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x = '', y = '']) => `${x} ${y}`);
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`${x} ${y}`] : [])));
  expect(squares).toEqual(dark);
  expect(dark.every((place) => place.split(' ').every((at) => parseInt(at, 10) >= 4 && parseInt(at, 10) < data.length - 4))).toBe(true);
});
