import { expect, test } from 'vitest';
import { pastLoans } from './lists';
import { flat } from './values';

const HOUR = 3_600_000;
const NOW = 1_800_000_000_000;

test('other loans of a borrower are told apart, with how they ended and how long they were overdue', () => {
  const past = { id: 7, amount: '600.000000', currency_name: 'USDT', day: 7, state: 'finished', end: 'LIQUIDATED', applied_at_ms: NOW, due_at_ms: NOW + 7 * 24 * HOUR, ended_at_ms: NOW + 9 * 24 * HOUR, overdue_days: 2 };
  const runs = { ...past, id: 8, state: 'in_loan', end: null, ended_at_ms: null, overdue_days: 0 };
  expect(pastLoans({ past_loans: [past, runs] })).toEqual([
    { id: 7, lent: '600.000000 USDT', days: 7, state: 'finished, liquidated', overdue: 2, applied: NOW, due: NOW + 7 * 24 * HOUR, ended: NOW + 9 * 24 * HOUR },
    { id: 8, lent: '600.000000 USDT', days: 7, state: 'in loan', overdue: 0, applied: NOW, due: NOW + 7 * 24 * HOUR, ended: undefined },
  ]);
  expect(pastLoans({})).toEqual([]);
  expect(flat({ amount: '1', past_loans: [past] })).toEqual([['amount', '1']]);
});
