import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ops, type QueueItem } from '../api';
import { Talk } from './Talk';

const { toast } = vi.hoisted(() => ({ toast: vi.fn() }));
vi.mock('../../ui/Toast', () => ({ toast }));
afterEach(cleanup);

test('an answer that was sent leaves what was typed meanwhile, and tells what was done', async () => {
  const item = { row: { kind: 'ticket', id: 4, user_id: 7 } } as QueueItem;
  let answer: (result: unknown) => void = () => {};
  vi.spyOn(ops, 'post').mockImplementation(() => new Promise((done) => (answer = done as typeof answer)));
  render(<Talk item={item} may onSent={() => {}} />);
  const box = screen.getByLabelText<HTMLTextAreaElement>('Your answer, seen by the user');
  fireEvent.change(box, { target: { value: 'It is on its way.' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Send answer' })));
  fireEvent.change(box, { target: { value: 'And it arrived.' } });
  fireEvent.click(screen.getByRole('checkbox'));
  await act(async () => answer({ message: '', data: {} }));
  expect(box.value).toBe('And it arrived.');
  expect(toast).toHaveBeenCalledExactlyOnceWith('Sent');
});
