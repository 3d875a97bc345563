import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { activate, withWords } from '../../lib/i18n';
import { Composer } from './Composer';

beforeAll(async () => {
  await activate('en');
  await withWords(async () => ({}))();
});
afterEach(cleanup);

test.each([
  ['nothing', undefined, ''],
  ['the next one', 'And one more thing', 'And one more thing'],
])('a message that was sent leaves %s', async (_, meanwhile, left) => {
  let answer = () => {};
  render(<Composer onSend={() => new Promise((done) => (answer = done))} />);
  const box = screen.getByRole<HTMLTextAreaElement>('textbox');
  fireEvent.change(box, { target: { value: 'Where is it?' } });
  await act(async () => void fireEvent.submit(box.closest('form') as HTMLFormElement));
  if (meanwhile) fireEvent.change(box, { target: { value: meanwhile } });
  await act(async () => answer());
  expect(box.value).toBe(left);
});
