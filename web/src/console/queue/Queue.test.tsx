import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { QueueRow } from '../api';
import { AREAS, type Area } from '../model/areas';
import { Case } from './Case';
import { Queue } from './Queue';

const NOW = 1_800_000_000_000;
const answer = vi.hoisted(() => ({ last_page: 1 }));
const row: QueueRow = {
  kind: 'withdrawal', id: 1, version: 1, hash: 'aa', user_id: 7, user_mask: '77…18', summary: '300 USDT', value_usdt: '300', needs: 2, approvals: [], failed_checks: [], late: 0, status: 'under_review', created_at: '', created_at_ms: NOW, first_by_ms: NOW + 10_800_000, promised_by_ms: NOW + 43_200_000,
};
vi.mock('../session', () => ({ useMe: () => ({ id: 5, name: 'ada', roles: ['treasury'] }) }));
vi.mock('../reads', () => ({
  LIVE: 0,
  refresh: () => {},
  useServerNow: () => NOW,
  useRead: () => ({ data: { data: [row], total: answer.last_page, last_page: answer.last_page }, error: null, dataUpdatedAt: NOW, refetch: () => {} }),
}));

const show = (pages: number) => {
  answer.last_page = pages;
  render(<Queue area={AREAS.find(({ name }) => name === 'withdrawal') as Area} kind="withdrawal" id="" />);
};
const look = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name }));
afterEach(cleanup);

test('the promise that is told is that of the answer', () => {
  show(1);
  expect(screen.getByText(/First decision in 3 h, promise 12 h/)).toBeTruthy();
});

test('an empty view does not say that nothing waits', () => {
  show(1);
  look(/^Late 0$/);
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Nothing is late');
});

test('a case is opened for a reason that is chosen for it, a second approval only where one is due', () => {
  const { rerender } = render(<Case key="1" kind="withdrawal" id={1} live={row} list={undefined} may onClose={() => {}} onDone={() => {}} />);
  const pressed = () => screen.getAllByRole('button', { pressed: true }).map(({ textContent }) => textContent);
  expect(screen.queryByRole('button', { name: 'Second approval' })).toBeNull();
  look(/^Open W-1$/);
  expect(screen.getByText('Give a reason of at least 3 characters')).toBeTruthy();
  look(/^Audit$/);
  expect(pressed()).toEqual(['Audit']);
  const half = { ...row, id: 2, approvals: [{ operator_id: 9, at_ms: NOW }] };
  rerender(<Case key="2" kind="withdrawal" id={2} live={half} list={undefined} may onClose={() => {}} onDone={() => {}} />);
  expect(screen.getByRole('button', { name: 'Second approval' })).toBeTruthy();
  expect(screen.queryAllByRole('button', { pressed: true })).toHaveLength(0);
});

test('what is chosen from one page of several says so', () => {
  show(3);
  look(/^Late 0 here$/);
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Nothing is late on this page');
  expect(screen.getByText(/page 1 of 3/)).toBeTruthy();
  // A queue is sorted oldest first, other lists newest first, so the pager says neither.
  expect(screen.getByRole('button', { name: 'Next' })).toBeTruthy();
});
