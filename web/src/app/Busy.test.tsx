import { act, render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { activate } from '../lib/i18n';
import { Busy, setBusy } from './Busy';

test('the mask stays in front after a second Escape, which no dialog is asked about, until the write has its answer', async () => {
  await activate('en');
  const show = (open: boolean) =>
    function (this: HTMLDialogElement) {
      this.open = open;
    };
  Object.assign(HTMLDialogElement.prototype, { showModal: show(true), close: show(false) });
  render(<Busy />);
  const dialog = document.querySelector('dialog');
  if (!dialog) throw new Error('no dialog');
  const closed = () => {
    dialog.close();
    dialog.dispatchEvent(new Event('close'));
    return dialog.open;
  };
  act(() => setBusy(true));
  expect(closed()).toBe(true);
  act(() => setBusy(false));
  expect([dialog.open, closed()]).toEqual([false, false]);
});
