import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { activate } from '../lib/i18n';
import { Sheet } from './Sheet';

beforeEach(async () => {
  await activate('en');
  vi.stubGlobal('ResizeObserver', class { observe() {} disconnect() {} });
  Object.assign(HTMLDialogElement.prototype, { showModal() {}, close() {} });
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
