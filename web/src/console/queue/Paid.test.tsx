import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { QueueItem } from '../api';
import { Paid } from './Paid';

afterEach(cleanup);

const item = (status: string): QueueItem => ({
  row: { kind: 'withdrawal', id: 1, version: 1, hash: 'aa', user_id: 7, user_mask: '77…18', summary: '', value_usdt: null, needs: 2, approvals: [], to_read: [], late: 0, status, created_at: '', created_at_ms: 0, first_by_ms: 0, promised_by_ms: 0 },
  fields: {}, files: [], history: [], checks: [], view_id: 1,
});

test.each([
  ['passed', ['Propose return', 'Enter transaction']],
  ['sent', []],
  ['returned', []],
  ['rejected', []],
] as const)('a withdrawal that is %s offers what the server takes', (status, buttons) => {
  render(<Paid item={item(status)} onChanged={() => {}} />);
  expect(screen.queryAllByRole('button').map((button) => button.textContent)).toEqual(buttons);
});

test('a mark that can be taken back offers that, and nothing else', () => {
  const marked = { ...item('sent'), fields: { unmark_until_ms: 1_900_000_000_000 } };
  render(<Paid item={marked} onChanged={() => {}} />);
  expect(screen.queryAllByRole('button').map((button) => button.textContent)).toEqual(['Propose to take back the mark']);
});
