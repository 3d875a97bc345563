import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { activate, withWealthWords, type LanguageCode } from '../../lib/i18n';
import { amount } from '../../lib/money';
import { Exit } from './Exit';

const show = async (code: LanguageCode = 'en') => {
  await activate(code);
  await withWealthWords(async () => ({}))();
  render(<Exit value={amount('500.000000')} terms={{ cycle: 15, yield: 400_000n, damage: 400_000n }} code="USDT" start={5} />);
};
const field = () => screen.getByRole('textbox') as HTMLInputElement;
const slider = () => (screen.getByRole('slider') as HTMLInputElement).value;
const back = () => document.querySelector('dl > div:last-child > dd')?.textContent?.replace('\u00a0', ' ');

afterEach(cleanup);

test('a day can be typed, and the slider and the figures follow', async () => {
  await show();
  expect([field().value, slider(), back()]).toEqual(['5', '5', '487.00 USDT']);
  fireEvent.change(field(), { target: { value: '15' } });
  expect([slider(), back()]).toEqual(['15', '530.00 USDT']);
  fireEvent.change(field(), { target: { value: '' } });
  // An empty field, while typing another day, shows no error yet.
  expect([slider(), screen.queryByRole('alert')]).toEqual(['15', null]);
  fireEvent.change(field(), { target: { value: '0' } });
  expect([slider(), back()]).toEqual(['0', '467.00 USDT']);
});

test.each(['16', '1.5', 'x'])('"%s" is no day of the plan: it is said, and nothing moves', async (text) => {
  await show();
  fireEvent.change(field(), { target: { value: text } });
  expect(screen.getByRole('alert').textContent).toBe('Enter a day from 0 to 15');
  expect([slider(), back()]).toEqual(['5', '487.00 USDT']);
  fireEvent.blur(field());
  expect([field().value, screen.queryByRole('alert')]).toEqual(['5', null]);
});

test('minus, plus and the slider move the day that is typed', async () => {
  await show();
  fireEvent.click(screen.getByRole('button', { name: 'One day later' }));
  expect([field().value, slider()]).toEqual(['6', '6']);
  fireEvent.change(screen.getByRole('slider'), { target: { value: '9' } });
  expect(field().value).toBe('9');
});

test.each<[LanguageCode, string]>([
  ['en', 'Day '],
  ['zh', '第 天'],
  ['teq', '. gün'],
])('%s: the field stands in the words of the language', async (code, words) => {
  await show(code);
  expect(field().parentElement?.textContent?.replace(/\s+/g, ' ')).toBe(words);
});
