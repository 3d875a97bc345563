import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { Refusal } from '../../lib/errors';
import { activate, t, withProductWords } from '../../lib/i18n';
import StopsSheet from './StopsSheet';
import { LONG, market } from './testing';

const { toast, server } = vi.hoisted(() => ({ toast: vi.fn(), server: { answer: {} as Promise<object> } }));
vi.mock('../../ui/Toast', () => ({ toast }));
vi.mock('../../data/tickers', async (original) => ({ ...(await original<object>()), usePriceAge: () => ({ age: 0, stale: false }) }));
vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { get: () => new Promise(() => {}), post: () => server.answer } }));

beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal() {}, close() {} }));
beforeEach(async () => {
  toast.mockReset();
  vi.stubGlobal('ResizeObserver', class { observe() {} disconnect() {} });
  await activate('en');
  await withProductWords(async () => ({}))();
});
afterEach(cleanup);

/** Saves a stop and closes the sheet before the answer. */
async function leave() {
  const close = vi.fn();
  const sheet = (open: boolean) => (
    <QueryClientProvider client={queryClient}>
      <StopsSheet open={open} onClose={close} position={LONG} market={market()} />
    </QueryClientProvider>
  );
  const { rerender } = render(sheet(true));
  fireEvent.change(screen.getByRole('textbox', { name: t('contracts.stopLoss'), hidden: true }), { target: { value: '95000' } });
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: t('ui.save'), hidden: true })));
  rerender(sheet(false));
  return close;
}

test('who closed the sheet while a stop was sent is told that it was refused', async () => {
  let refuse: (error: Refusal) => void = () => {};
  server.answer = new Promise((_, fail) => (refuse = fail));
  await leave();
  await act(async () => refuse(new Refusal('E_PRICE_STALE', '')));
  expect(toast).toHaveBeenCalledExactlyOnceWith(expect.any(String), { icon: 'warn' });
});

test('who closed the sheet while a stop was sent is told that it is set, and whatever is open by then stays', async () => {
  let say: (answer: object) => void = () => {};
  server.answer = new Promise((go) => (say = go));
  const close = await leave();
  await act(async () => say({ data: { position: LONG } }));
  expect(toast).toHaveBeenCalledExactlyOnceWith(t('contracts.saved'));
  expect(close).not.toHaveBeenCalled();
});
