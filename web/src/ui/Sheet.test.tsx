import { act, cleanup, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { activate } from '../lib/i18n';
import { Sheet } from './Sheet';

beforeEach(async () => {
  await activate('en');
  vi.stubGlobal('ResizeObserver', class { observe() {} disconnect() {} });
  const show = (open: boolean) =>
    function (this: HTMLDialogElement) {
      this.open = open;
    };
  Object.assign(HTMLDialogElement.prototype, { showModal: show(true), close: show(false) });
  HTMLElement.prototype.checkVisibility ??= () => true;
});
afterEach(cleanup);

/** A page with a row that opens a sheet; what the sheet does may remove the row. */
const page = (open: boolean, row: boolean) => (
  <>
    <h1>Positions</h1>
    {row && <button type="button">Close position</button>}
    <Sheet open={open} onClose={() => {}} title="Close 3 lots now?">
      <button type="button">Done</button>
    </Sheet>
  </>
);
function leave(row: boolean): string | null | undefined {
  const { rerender } = render(page(false, true));
  screen.getByText('Close position').focus();
  rerender(page(true, true));
  screen.getByText('Done').focus();
  rerender(page(true, row));
  rerender(page(false, row));
  return document.activeElement?.textContent;
}

test('a closed sheet gives the focus back to what opened it', () => expect(leave(true)).toBe('Close position'));
test('if that is gone, the heading of the page has the focus, not the whole page', () => expect(leave(false)).toBe('Positions'));

/** As Chromium does at a second Escape in a row: the dialog is closed without a `cancel`, and only then somebody is told. */
const escapeAgain = () =>
  act(() => {
    const dialog = document.querySelector('dialog');
    dialog?.close();
    dialog?.dispatchEvent(new Event('close'));
  });

/** A sheet that is closed when it is asked to, unless something is being sent. */
function Asked({ sending, told }: { sending: boolean; told: () => void }) {
  const [open, setOpen] = useState(true);
  const close = () => {
    told();
    setOpen(sending);
  };
  return (
    <Sheet open={open} onClose={close} title="Close 3 lots now?">
      {sending ? 'Sending' : 'Ready'}
    </Sheet>
  );
}

test('a second Escape closes a sheet as its owner is told', () => {
  const told = vi.fn<() => void>();
  render(<Asked sending={false} told={told} />);
  escapeAgain();
  expect([document.querySelector('dialog')?.open, told.mock.calls.length]).toEqual([false, 1]);
});

test('a sheet that its owner keeps open stays in front after a second Escape', () => {
  render(<Asked sending told={() => {}} />);
  escapeAgain();
  expect(document.querySelector('dialog')?.open).toBe(true);
  expect(document.activeElement?.textContent).toBe('Close 3 lots now?');
});
