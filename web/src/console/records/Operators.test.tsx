import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Operator } from '../api';
import Operators from './Operators';

const gus: Operator = { id: 8, name: 'gus', roles: ['verifier'], active: 1, linked_member: '', totp: 1, created_at_ms: 0, last_at_ms: null, waits_for: null } as unknown as Operator;
const answer = vi.hoisted(() => ({ operators: [] as object[] }));
vi.mock('../session', () => ({ useMe: () => ({ id: 5, name: 'eve', roles: ['admin'] }) }));
vi.mock('../reads', () => ({ refresh: () => {}, useOperatorName: () => () => 'ada', useRead: () => ({ data: answer.operators, error: null, dataUpdatedAt: 0, refetch: () => {} }) }));
// jsdom has dialogs but cannot open them.
beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
afterEach(cleanup);

test('the new version of an operator fills the form, so a role that was taken is not given back', () => {
  answer.operators = [gus];
  const { rerender } = render(<Operators id="" may />);
  fireEvent.click(screen.getByRole('button', { name: 'Propose a change of gus' }));
  const ticked = () => screen.getAllByRole<HTMLInputElement>('checkbox', { hidden: true }).filter(({ checked }) => checked).map((box) => box.closest('label')?.textContent);
  answer.operators = [{ ...gus, roles: ['auditor'], active: 0, linked_member: '123456' }];
  rerender(<Operators id="" may />);
  expect(ticked()).toEqual(['verifier', expect.stringContaining('Enabled')]);
  fireEvent.click(screen.getByRole('button', { name: 'Look at the new version', hidden: true }));
  expect(ticked()).toEqual(['auditor']);
  expect(screen.getByLabelText<HTMLInputElement>(/^Account number/).value).toBe('123456');
});
