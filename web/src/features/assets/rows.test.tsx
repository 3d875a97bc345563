import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WalletRow } from '../../generated/api';
import { activate } from '../../lib/i18n';
import { amount } from '../../lib/money';
import { AccountRows } from './Accounts';
import { CoinRow } from './CoinRow';

beforeEach(() => activate('en'));
afterEach(cleanup);

test('what is frozen of an account is rounded as the margin that holds it, so that its parts add up to it', () => {
  const line = { account: 'lever', free: amount('903.096000'), frozen: amount('96.904000'), open: amount('0'), total: amount('1000.000000'), percent: '100' } as const;
  const rows = (open: string) => render(<AccountRows lines={[{ ...line, open: amount(open) }]} committed={amount('0')} owed={amount('0')} hidden={false} />);
  rows('0');
  expect(screen.getByText(/903\.09/).textContent).toContain('96.91');
  cleanup();
  rows('1.5');
  expect(screen.getByText(/903\.09/).textContent).toContain('96.91');
});

test('the same of a coin', () => {
  const line = { row: {} as WalletRow, code: 'USDT', name: 'Tether', total: amount('1000.000000'), free: amount('903.096000'), frozen: amount('96.904000'), price: '1', value: amount('1000.000000') };
  render(<CoinRow line={line} hidden={false} onOpen={() => {}} />);
  expect(screen.getByText(/96\.91/)).toBeTruthy();
  expect(screen.getByText(/903\.09/)).toBeTruthy();
});
