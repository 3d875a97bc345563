import { cleanup, render } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { QueueItem, QueueKind } from '../api';
import { Decide } from './Decide';

vi.mock('../session', () => ({ useMe: () => ({ id: 5, name: 'ada', roles: ['treasury'] }) }));
// jsdom has dialogs but cannot open them.
beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
afterEach(cleanup);

const item = (kind: QueueKind): QueueItem => ({
  row: { kind, id: 1, version: 1, hash: 'aa', user_id: 7, user_mask: '77…18', summary: '', value_usdt: null, needs: 1, approvals: [], to_read: [], late: 0, status: 'under_review', created_at: '', created_at_ms: 0, first_by_ms: 0, promised_by_ms: 0 },
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
