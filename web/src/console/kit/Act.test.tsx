import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Refusal } from '../../lib/errors';
import { usePlace } from '../route';
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

test('a dialog stays open while its answer is outstanding, and closes by itself otherwise', async () => {
  let answer = () => {};
  const send = () => new Promise<void>((done) => (answer = done));
  const onClose = vi.fn();
  const show = vi.spyOn(HTMLDialogElement.prototype, 'showModal');
  render(<ActDialog subject={NEW} title="Move" label="Move it" onClose={onClose} onDone={() => {}} send={send} />);
  const dialog = screen.getByRole('dialog', { hidden: true });
  fireEvent(dialog, new Event('close'));
  expect(onClose).toHaveBeenCalledTimes(1);
  fireEvent.click(button('Move it'));
  show.mockClear();
  fireEvent(dialog, new Event('close'));
  expect([onClose.mock.calls.length, show.mock.calls.length]).toEqual([1, 1]);
  answer();
});

test('a screen is not left while an answer is outstanding', async () => {
  let answer = () => {};
  const send = () => new Promise<void>((done) => (answer = done));
  const onDone = vi.fn();
  function Screen() {
    const { area } = usePlace();
    return area === 'treasury' ? <ActDialog subject={NEW} title="Move" label="Move it" onClose={() => {}} onDone={onDone} send={send} /> : <p>elsewhere</p>;
  }
  // The first listener, which hears of a change that is undone as well.
  let heard = () => {};
  addEventListener('hashchange', () => heard(), true);
  const leave = () =>
    new Promise<void>((left) => {
      heard = left;
      location.hash = '#/withdrawal';
    });
  location.hash = '#/treasury';
  render(<Screen />);
  fireEvent.click(button('Move it'));
  await act(leave);
  expect(location.hash).toBe('#/treasury');
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false);
  answer();
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true);
  await act(leave);
  expect(screen.getByText('elsewhere')).toBeTruthy();
});
