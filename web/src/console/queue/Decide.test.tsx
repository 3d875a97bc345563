import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ops, type QueueItem, type QueueKind } from '../api';
import { Decide } from './Decide';

vi.mock('../session', () => ({ useMe: () => ({ id: 5, name: 'ada', roles: ['treasury'] }) }));
// jsdom has dialogs but cannot open them.
beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
afterEach(cleanup);

const item = (kind: QueueKind): QueueItem => ({
  row: { kind, id: 1, version: 1, hash: 'aa', user_id: 7, user_mask: '77…18', summary: '', value_usdt: null, needs: 1, approvals: [], failed_checks: [], late: 0, status: 'under_review', created_at: '', created_at_ms: 0, first_by_ms: 0, promised_by_ms: 0 },
  fields: {}, files: [], history: [], checks: [], view_id: 1,
});

test.each([
  ['withdrawal', true],
  ['loan', true],
  ['deposit', false],
  ['identity', false],
  ['fund_reset', false],
] as const)('a rejected %s frees frozen money: %s', (kind, frees) => {
  const nothing = () => {};
  render(<Decide item={item(kind)} stale={false} decision="reject" onClose={nothing} onRefused={nothing} onReload={nothing} onDone={nothing} />);
  expect(document.body.textContent?.includes('becomes free again')).toBe(frees);
});

test.each([
  ['withdrawal', '1 approved by you. It needs another person.'],
  ['bank_deposit', '1: not the reference of the first person. Yours counts now, and another person must enter it too.'],
] as const)('an approval of a %s that was to be the last and was not says why', async (kind, said) => {
  const { row, ...rest } = item(kind);
  const half = { ...row, needs: 2, approvals: [{ operator_id: 9, at_ms: 0 }] };
  vi.spyOn(ops, 'post').mockResolvedValue({ message: '', data: { row: half, done: 0 } } as never);
  const onDone = vi.fn();
  render(<Decide item={{ ...rest, row: half }} stale={false} decision="approve" onClose={() => {}} onRefused={() => {}} onReload={() => {}} onDone={onDone} />);
  const reference = screen.queryByLabelText('Reference of the bank transfer');
  if (reference) fireEvent.change(reference, { target: { value: 'MT-1' } });
  fireEvent.click(screen.getByRole('button', { name: /^Approve/, hidden: true }));
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(said)));
});
