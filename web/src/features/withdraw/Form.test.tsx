import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dismiss, ended, note, pendingOf, started } from '../../data/pending';
import { queryClient } from '../../data/query';
import { useSession } from '../../data/session';
import type { UserCenter, WithdrawInfo } from '../../generated/api';
import { configureHttp } from '../../lib/http';
import { activate, t, withWords } from '../../lib/i18n';
import { Form } from './Form';

const money = vi.hoisted(() => ({ avail: '' }));
vi.mock('../../data/balances', async (original) => ({ ...(await original<object>()), useBalance: () => money }));
configureHttp({ token: () => 'token', started, ended });

const INFO = { currency: 3, name: 'USDT', rate: '0', fee: '1.000000', min_fee: '1.000000', min_number: '10.000000', max_number: '5000.000000', change_balance: '300.000000', networks: [{ chain: 'TRC20', withdraw_min: '10.000000', withdraw_fee: '1.000000', withdraw_on: 1 }], day_count: 0, day_count_max: 3, day_value: '0', day_value_max: '10000', expected_hours: 12, payout_rate: null, hold_until_ms: null } as unknown as WithdrawInfo;
const GOAL = { id: 1, card: undefined, chain: 'TRC20', name: 'Cold wallet', text: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', usable_at_ms: 0, added: 0 };

let lost = false;
let answer: (error: string) => void = () => {};
beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal() {}, close() {} }));
beforeEach(async () => {
  lost = false;
  vi.stubGlobal('ResizeObserver', class { observe() {} disconnect() {} });
  vi.stubGlobal('fetch', (path: string) => new Promise<Response>((go, fail) => {
    if (!path.endsWith('wallet/out')) return;
    if (lost) return fail(new TypeError('network'));
    answer = (error) => go(new Response(JSON.stringify({ type: 'error', message: '', data: { error } })));
  }));
  money.avail = '300.000000';
  queryClient.clear();
  useSession.setState({ user: { id: 1 } as never, token: 'token' });
  await activate('en');
  await withWords(async () => ({}))();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  for (const { key } of pendingOf(1)) dismiss(key);
});

const page = () => (
  <QueryClientProvider client={queryClient}>
    <Form coin={{ id: 3, code: 'USDT', scale: 6 }} bank={false} bankOpen={false} info={INFO} user={{ review_status2: 2 } as UserCenter} goal={GOAL} />
  </QueryClientProvider>
);
const button = (name: string | RegExp) => screen.getByRole('button', { name, hidden: true });
const press = (name: string | RegExp) => act(async () => void fireEvent.click(button(name)));
const password = () => screen.getByLabelText<HTMLInputElement>(t('funding.fundPassword'));
/** A withdrawal of 200 of 300 USDT that is being sent. */
async function sending() {
  const shown = render(page());
  fireEvent.change(screen.getByLabelText(t('assets.amount')), { target: { value: '200' } });
  fireEvent.change(password(), { target: { value: '482915' } });
  await press(t('withdraw.review'));
  await press(/^Withdraw 200/);
  return shown;
}

test('a balance that changes because of the withdrawal does not say that it is too small', async () => {
  const { rerender } = await sending();
  money.avail = '100.000000';
  rerender(page());
  for (const one of document.querySelectorAll('[aria-busy]')) expect(one.textContent).toMatch(/^(Review|Withdraw 200)/);
  expect(screen.queryByText(/more than/)).toBeNull();
});

test('a withdrawal whose outcome becomes known elsewhere has no review left that could send it again', async () => {
  vi.useFakeTimers();
  lost = true;
  await sending();
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  const [one] = pendingOf(1);
  expect(one?.state).toBe('unknown');
  act(() => note(one?.key ?? '', 'done'));
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  expect(screen.queryByRole('button', { name: /^Withdraw 200/, hidden: true })).toBeNull();
  expect(password().value).toBe('');
});

test('a refusal that comes after its review was closed is said on the form, until the next review', async () => {
  await sending();
  await press(t('ui.close'));
  await act(async () => answer('E_ACCOUNT_FROZEN'));
  expect(screen.getAllByText(t('errors.E_ACCOUNT_FROZEN')).some((note) => !note.closest('dialog'))).toBe(true);
  await press(t('withdraw.review'));
  expect(screen.queryByText(t('errors.E_ACCOUNT_FROZEN'))).toBeNull();
});
