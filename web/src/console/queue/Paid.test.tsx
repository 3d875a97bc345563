import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { QueueItem } from '../api';
import { Paid } from './Paid';

afterEach(cleanup);

const item = (status: string): QueueItem => ({
  row: { kind: 'withdrawal', id: 1, version: 1, hash: 'aa', user_id: 7, user_mask: '77…18', summary: '', value_usdt: null, needs: 2, approvals: [], failed_checks: [], late: 0, status, created_at: '', created_at_ms: 0, first_by_ms: 0, promised_by_ms: 0 },
  fields: {}, files: [], history: [], checks: [], view_id: 1,
});

test.each([
  ['passed', ['Propose return', 'Enter transaction']],
  ['sent', []],
  ['confirmed', []],
  ['returned', []],
  ['rejected', []],
] as const)('a withdrawal that is %s offers what the server takes', (status, buttons) => {
  render(<Paid item={item(status)} stale={false} onChanged={() => {}} />);
  expect(screen.queryAllByRole('button').map((button) => button.textContent)).toEqual(buttons);
});

test('a mark that can be taken back offers that, and nothing else', () => {
  const marked = { ...item('sent'), fields: { unmark_until_ms: 1_900_000_000_000 } };
  render(<Paid item={marked} stale={false} onChanged={() => {}} />);
  expect(screen.queryAllByRole('button').map((button) => button.textContent)).toEqual(['Propose to take back the mark']);
});

test('what the chain confirmed is final, and what it contradicts is said above the mark', () => {
  const { rerender } = render(<Paid item={item('confirmed')} stale={false} onChanged={() => {}} />);
  expect(screen.getByText(/Confirmed by the chain/)).toBeTruthy();
  const dispute = { withdrawal_id: 1, user_id: 7, chain: 'ERC20', currency_id: 3, owed: '29.000000', paid: null, opened_ms: 1_800_000_000_000, until_ms: 1_900_000_000_000 };
  rerender(<Paid item={{ ...item('sent'), fields: { unmark_until_ms: 1_900_000_000_000, dispute } }} stale={false} onChanged={() => {}} />);
  expect(screen.getByText(/does not hold this payment/)).toBeTruthy();
  expect(screen.getByRole('button').textContent).toBe('Propose to take back the mark');
});
