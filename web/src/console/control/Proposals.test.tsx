import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ops, type Proposal } from '../api';
import Proposals from './Proposals';

const NOW = 1_800_000_000_000;
const answer = vi.hoisted(() => ({ waiting: [] as object[] }));
vi.mock('../session', () => ({ useMe: () => ({ id: 5, name: 'bob', roles: ['treasury'] }) }));
vi.mock('../reads', () => ({
  LIVE: 0,
  refresh: () => {},
  useCoin: () => () => 'USDT',
  useOperatorName: () => () => 'ada',
  useServerNow: () => NOW,
  useSigned: () => ({ kind }: Proposal) => ({ title: kind, first: kind, lines: [] }),
  useRead: (_: string, { state }: { state: string }) => ({ data: { data: state === 'waiting' ? answer.waiting : [], total: 1, last_page: 1 }, error: null, dataUpdatedAt: NOW, refetch: () => {} }),
}));
// jsdom has dialogs but cannot open them.
beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
beforeEach(() => void (answer.waiting = []));
afterEach(cleanup);

const proposal = (part: Partial<Proposal> = {}): Proposal => ({
  id: 3, kind: 'treasury_move', subject: null, values: { from: 'house_capital', to: 'insurance', amount: '12.500000', currency_id: 3 }, before: { from_free: '900.000000', to_free: '0.000000' },
  hash: 'aa', reason: 'Capital', state: 'waiting', proposer_id: 9, confirmer_id: null, created_at: '', created_at_ms: NOW, expires_ms: NOW, effective_ms: null, error: null, error_field: null, error_rule: null, ...part,
});
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name, hidden: true }));
const text = () => document.body.textContent ?? '';

test('the confirmation of a move outlives a change of what is free, and no change of what is signed', async () => {
  answer.waiting = [proposal()];
  const { rerender } = render(<Proposals id="3" may />);
  press('Confirm');
  answer.waiting = [proposal({ before: { from_free: '888.000000', to_free: '0.000000' } })];
  rerender(<Proposals id="3" may />);
  expect(text()).not.toContain('This changed while you had it open');
  const post = vi.spyOn(ops, 'post').mockResolvedValue({ message: proposal({ state: 'done' }), data: {} } as never);
  press('Confirm treasury move');
  await vi.waitFor(() => expect(post).toHaveBeenCalledExactlyOnceWith('proposal/confirm', { id: 3, hash: 'aa' }));
  cleanup();

  answer.waiting = [proposal()];
  const again = render(<Proposals id="3" may />);
  press('Confirm');
  answer.waiting = [proposal({ hash: 'bb' })];
  again.rerender(<Proposals id="3" may />);
  expect(text()).toContain('This changed while you had it open');
});

test('a link to a proposal that waits is followed from any list, and one that leads nowhere says so', () => {
  answer.waiting = [proposal()];
  const { rerender } = render(<Proposals id="" may />);
  press('Expired');
  rerender(<Proposals id="3" may />);
  expect(screen.getByRole('heading', { name: /^P-3/, hidden: true })).toBeTruthy();
  rerender(<Proposals id="4" may />);
  expect(text()).toContain('P-4 is not in this list.');
  rerender(<Proposals id="" may />);
  expect(text()).not.toContain('is not in this list');
});
