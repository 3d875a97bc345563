import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { activate } from '../lib/i18n';
import { wire } from '../lib/money';
import { AmountField, useAmount, type Typed } from './AmountField';

function Form({ initial }: { initial?: Typed }) {
  const field = useAmount(8, initial);
  return (
    <>
      <AmountField label="Amount" field={field} unit="BTC" />
      <output>{field.value ? wire(field.value) : 'none'}</output>
    </>
  );
}
const input = () => screen.getByLabelText('Amount') as HTMLInputElement;
const state = () => [input().value, document.querySelector('output')?.textContent];
const type = (value: string) => fireEvent.change(input(), { target: { value } });

beforeEach(() => activate('en'));
afterEach(cleanup);

test('in German 0.005 stays what it is when the field is left', async () => {
  await activate('deyu');
  render(<Form />);
  type('0.005');
  fireEvent.blur(input());
  expect(state()).toEqual(['0,005', '0.00500000']);
  type('1.500');
  fireEvent.blur(input());
  expect(state()).toEqual(['1.500,00', '1500.00000000']);
});

test('an amount that can be read in two ways is told as it was understood, until it is clear', async () => {
  await activate('deyu');
  render(<Form />);
  type('1.500');
  expect(screen.getByText('Verstanden als 1500,00 BTC')).toBeTruthy();
  fireEvent.blur(input());
  expect(screen.queryByText(/Verstanden/)).toBeNull();
  type('0.005');
  expect(screen.queryByText(/Verstanden/)).toBeNull();
});

test.each(['-5', '1e3', '5 BTC'])('%s is kept as it was typed and is no amount', (text) => {
  render(<Form />);
  type(text);
  fireEvent.blur(input());
  expect(state()).toEqual([text, 'none']);
});

test('full-width digits are an amount', () => {
  render(<Form />);
  type('１２．５');
  fireEvent.blur(input());
  expect(state()).toEqual(['12.50', '12.50000000']);
});

test('a change of language changes how the amount is written, not the amount', async () => {
  render(<Form />);
  type('1.500');
  await act(() => activate('deyu'));
  expect(state()).toEqual(['1,500', '1.50000000']);
  await act(() => activate('fayu'));
  fireEvent.blur(input());
  expect(state()).toEqual(['1,50', '1.50000000']);
});

test('a draft means the same in the language it is opened in again', async () => {
  const { result, unmount } = renderHook(() => useAmount(8, '1.500'));
  const { typed } = result.current;
  unmount();
  await activate('deyu');
  render(<Form initial={typed} />);
  expect(state()).toEqual(['1,500', '1.50000000']);
});
