import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ActDialog } from './Act';

// jsdom has dialogs, but cannot open them.
beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
afterEach(cleanup);

const button = (name: string) => screen.getByRole('button', { name, hidden: true });

test('a dialog shows and sends what it was opened with, or says that it changed and sends nothing', async () => {
  const send = vi.fn(async () => {});
  const dialog = (subject: { fee: string } | undefined) => (
    <ActDialog subject={subject} title="Confirm" label="Confirm fee" onClose={() => {}} onDone={() => {}} send={send}>
      {({ fee }) => <p>The fee becomes {fee}.</p>}
    </ActDialog>
  );
  const { rerender } = render(dialog({ fee: '1' }));
  rerender(dialog({ fee: '2' }));
  expect(document.body.textContent).toContain('The fee becomes 1.');
  expect(screen.getByRole('alert', { hidden: true }).textContent).toContain('This changed while you had it open. Nothing was submitted.');
  fireEvent.click(button('Look at the new version first'));
  expect(send).not.toHaveBeenCalled();
  fireEvent.click(button('Look at the new version'));
  expect(document.body.textContent).toContain('The fee becomes 2.');
  rerender(dialog(undefined));
  expect(screen.getByRole('alert', { hidden: true }).textContent).toContain('This is no longer there. Nothing was submitted.');
  fireEvent.click(button('Look at the new version first'));
  expect(send).not.toHaveBeenCalled();
  rerender(dialog({ fee: '2' }));
  fireEvent.click(button('Confirm fee'));
  await vi.waitFor(() => expect(send).toHaveBeenCalledExactlyOnceWith({ fee: '2' }, ''));
});
