import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Refusal } from '../../lib/errors';
import { ActDialog, NEW } from './Act';

// jsdom has dialogs but cannot open them.
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

test('an approval that needs a fresh code asks for it and sends it', async () => {
  const refusals = [new Refusal('E_2FA_REQUIRED', ''), new Refusal('E_2FA_WRONG', '')];
  const send = vi.fn<(subject: null, reason: string, otp?: string) => Promise<void>>(async () => {
    const refusal = refusals.shift();
    if (refusal) throw refusal;
  });
  const [onDone, onRefused] = [vi.fn(), vi.fn()];
  render(<ActDialog subject={NEW} title="Approve" label="Approve it" onClose={() => {}} onDone={onDone} onRefused={onRefused} send={send} />);
  const code = () => screen.getByLabelText<HTMLInputElement>('Authenticator code');
  expect(screen.queryByLabelText('Authenticator code')).toBeNull();
  fireEvent.click(button('Approve it'));
  await vi.waitFor(() => expect(document.body.textContent).toContain('Nothing was submitted yet.'));
  await vi.waitFor(code);
  fireEvent.click(button('Approve it'));
  expect(document.body.textContent).toContain('Enter the 6 digits of your authenticator');
  expect(send).toHaveBeenCalledTimes(1);
  fireEvent.change(code(), { target: { value: '111111' } });
  fireEvent.click(button('Approve it'));
  await vi.waitFor(() => expect(code().value).toBe(''));
  fireEvent.change(code(), { target: { value: '222222' } });
  fireEvent.click(button('Approve it'));
  await vi.waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(send.mock.calls.map(([, , otp]) => otp)).toEqual([undefined, '111111', '222222']);
  expect(onRefused).not.toHaveBeenCalled();
});
