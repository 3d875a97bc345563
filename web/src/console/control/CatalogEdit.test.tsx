import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Edit } from './CatalogEdit';

vi.mock('../reads', () => ({ refresh: () => {}, useCoin: () => () => 'USDT', useConfig: () => ({}), useRead: () => ({}), useServerNow: () => 0 }));
// jsdom has dialogs but cannot open them.
beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
afterEach(cleanup);

test('the new version of an object fills its form, so an old value is not proposed again', () => {
  const edit = (cards: number) => <Edit kind="limit" row={{ id: 1, name: 'limits', values: { cards, withdraw_per_day: 3 } }} onClose={() => {}} />;
  const { rerender } = render(edit(2));
  const cards = () => screen.getByLabelText<HTMLInputElement>('Cards').value;
  fireEvent.change(screen.getByLabelText('Withdraw per day'), { target: { value: '5' } });
  rerender(edit(4));
  expect(cards()).toBe('2');
  fireEvent.click(screen.getByRole('button', { name: 'Look at the new version', hidden: true }));
  expect(cards()).toBe('4');
  expect(screen.getByLabelText<HTMLInputElement>('Withdraw per day').value).toBe('3');
});
