import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ops, type QueueItem, type QueueRow } from '../api';
import { AREAS, type Area } from '../model/areas';
import { Queue } from './Queue';

const NOW = 1_800_000_000_000;
const answer = vi.hoisted(() => ({ rows: [] as object[], last_page: 1, at: 0, before: false, matched: [] as object[] }));
vi.mock('../session', () => ({ useMe: () => ({ id: 5, name: 'bob', roles: ['treasury'] }) }));
vi.mock('../reads', () => ({
  LIVE: 0,
  refresh: () => {},
  useCoin: () => () => 'USDT',
  useOperatorName: () => () => 'ada',
  useServerNow: () => NOW,
  useRead: (path: string) => ({ data: { data: path === 'queue' ? answer.rows : answer.matched, total: answer.rows.length, last_page: answer.last_page }, error: null, dataUpdatedAt: answer.at, isPlaceholderData: answer.before, refetch: () => {} }),
}));
// jsdom has dialogs but cannot open them.
beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
afterEach(cleanup);

const approved = [5, 9].map((operator_id) => ({ operator_id, at_ms: NOW }));
const row = (part: Partial<QueueRow> = {}): QueueRow => ({
  kind: 'withdrawal', id: 12, version: 3, hash: 'aa', user_id: 7, user_mask: '77…18', summary: '300 USDT', value_usdt: '300', needs: 2, approvals: approved, failed_checks: [], late: 0, status: 'passed', created_at: '', created_at_ms: NOW, first_by_ms: NOW, promised_by_ms: NOW, ...part,
});
const button = (name: string | RegExp) => screen.queryByRole('button', { name, hidden: true });
const text = () => document.body.textContent ?? '';

/** The list with these rows, read after the case. */
function list(rows: QueueRow[], last_page = 1, before = false) {
  Object.assign(answer, { rows, last_page, before, at: Date.now() + 1_000 });
}

/** Opens a case from its list; what comes back draws the newest list. */
async function openCase(of: QueueRow, more: Partial<QueueItem> = {}) {
  vi.spyOn(ops, 'get').mockImplementation(async () => ({ row: of, fields: {}, files: [], history: [], checks: [], view_id: 1, ...more }) as QueueItem as never);
  const client = new QueryClient();
  const queue = () => (
    <QueryClientProvider client={client}>
      <Queue area={AREAS.find(({ name }) => name === of.kind) as Area} kind={of.kind} id={String(of.id)} />
    </QueryClientProvider>
  );
  const { rerender } = render(queue());
  fireEvent.click(screen.getByRole('button', { name: 'Audit' }));
  fireEvent.click(screen.getByRole('button', { name: /^Open [A-Z]-/ }));
  await screen.findByRole('heading', { name: /All that is decided/ });
  return () => rerender(queue());
}

test('a withdrawal that left the list is not to be paid again, and what is typed about it is not sent', async () => {
  list([row()]);
  const again = await openCase(row());
  expect(text()).toContain('Pay it from the wallet');
  fireEvent.click(screen.getByRole('button', { name: 'Enter transaction' }));
  fireEvent.change(screen.getByLabelText('Transaction or bank reference'), { target: { value: 'ab'.repeat(32) } });
  const post = vi.spyOn(ops, 'post');
  list([]);
  again();
  expect(text()).toContain('This case changed while you had it open');
  expect(text()).not.toContain('Pay it from the wallet');
  expect([button('Enter transaction'), button('Propose return')]).toEqual([null, null]);
  expect(screen.getByLabelText<HTMLInputElement>('Transaction or bank reference').value).toBe('ab'.repeat(32));
  fireEvent.click(screen.getByRole('button', { name: 'Look at the new version first', hidden: true }));
  expect(post).not.toHaveBeenCalled();
});

test('an undecided case that left the list is not decided', async () => {
  list([row({ status: 'under_review', approvals: [] })]);
  const again = await openCase(row({ status: 'under_review', approvals: [] }));
  expect(button('Approve W-12')).toBeTruthy();
  list([]);
  again();
  expect(text()).toContain('Reload the case before you decide');
  expect([button('Approve W-12'), button('Reject')]).toEqual([null, null]);
});

test('one page of several says nothing of a case that was never on it', async () => {
  list([], 3);
  const again = await openCase(row());
  expect(button('Enter transaction')).toBeTruthy();
  list([row()], 3);
  again();
  expect(button('Enter transaction')).toBeTruthy();
  list([], 3);
  again();
  expect(button('Enter transaction')).toBeNull();
});

test('a list that is older than the case, or is still read, says nothing of it', async () => {
  list([row()]);
  const again = await openCase(row());
  list([], 1, true);
  again();
  expect(button('Enter transaction')).toBeTruthy();
  list([]);
  answer.at = Date.now() - 60_000;
  again();
  expect(button('Enter transaction')).toBeTruthy();
});

test('a decided case need not be among the open ones', async () => {
  list([]);
  await openCase(row({ kind: 'deposit', status: 'passed' }));
  expect(text()).not.toContain('This case changed');
});

test.each([
  ['of nobody', [], false],
  ['of another coin', [{ currency_id: 4 }], false],
  ['of another network', [{ chain: 'ERC20' }], false],
  ['of another user', [{ user_id: 8 }], false],
  ['of its user, coin and network', [{}], true],
] as const)('a deposit notice without a payment of its own, and one %s that was seen', async (_, seen, can) => {
  const notice = row({ kind: 'deposit', status: 'under_review', needs: 1, approvals: [] });
  answer.matched = seen.map((part) => ({ id: 31, user_id: 7, currency_id: 3, chain: 'TRC20', amount: '5000.000000', tx: 'ab'.repeat(32), output: 0, confirmations: 40, state: 'matched', ...part }));
  list([notice]);
  await openCase(notice, { fields: { observation: null, currency_id: 3, network: 'TRC20' }, checks: [{ name: 'observed', ok: 0, known: 1, detail: '' }] });
  expect(text().includes('this payment has not been seen')).toBe(!can);
  expect(button('Approve D-12') !== null).toBe(can);
  if (!can) return;
  fireEvent.click(screen.getByRole('button', { name: 'Approve D-12' }));
  const post = vi.spyOn(ops, 'post').mockResolvedValue({ message: '', data: { row: notice, done: 1 } } as never);
  fireEvent.change(screen.getByLabelText('Observed transfer that pays this claim'), { target: { value: '31' } });
  fireEvent.click(screen.getAllByRole('button', { name: 'Approve D-12', hidden: true }).at(-1) as HTMLElement);
  await vi.waitFor(() => expect(post).toHaveBeenCalledWith('decide', expect.objectContaining({ id: 12, decision: 'approve', observation_id: 31 })));
});
