import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { activate } from '../lib/i18n';
import { ReceiptNumber } from './ReceiptNumber';

const [writeText, share] = [vi.fn(async () => {}), vi.fn(async () => {})];

beforeEach(async () => {
  vi.stubGlobal('navigator', { clipboard: { writeText }, share, languages: ['en'] });
  await activate('en');
  render(<ReceiptNumber id={4711} of="plan" label="Order number" copy="Copy the order number" share={['USDT, 15 days', '1,000.00 USDT']} />);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a receipt copies its number alone, and shares what it is of with its number last', () => {
  expect(screen.getByText('4711')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Copy the order number' }));
  expect(writeText).toHaveBeenCalledWith('4711');
  fireEvent.click(screen.getByRole('button', { name: 'Share' }));
  expect(share).toHaveBeenCalledWith({ text: 'USDT, 15 days\n1,000.00 USDT\nOrder number 4711' });
});

test('help with a receipt knows its number and what it is of', () => {
  expect(screen.getByRole('link', { name: 'Get help with this' }).getAttribute('href')).toBe('#/pages/help-center?number=4711&of=plan');
});
