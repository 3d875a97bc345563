import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismiss, ended, note, pendingOf, started } from '../../data/pending';
import { queryClient } from '../../data/query';
import { useSession } from '../../data/session';
import { configureHttp } from '../../lib/http';
import { activate } from '../../lib/i18n';
import Transfer from './Transfer';

const money = vi.hoisted(() => ({ avail: '' }));
vi.mock('../../data/balances', async (original) => ({ ...(await original<object>()), useBalance: () => money }));
vi.mock('../../lib/nav', async (original) => ({ ...(await original<object>()), usePlace: () => ({ path: '', hash: '', query: new URLSearchParams('to=micro') }) }));
configureHttp({ token: () => 'token', started, ended });

let sent = 0;
let lost = false;
let answer: (type?: string, data?: object) => void = () => {};
beforeEach(async () => {
  sent = 0;
  lost = false;
  vi.stubGlobal('fetch', (path: string) => new Promise<Response>((go, fail) => {
    if (!path.endsWith('wallet/change')) return;
    sent += 1;
    if (lost) return fail(new TypeError('network'));
    answer = (type = 'ok', data = {}) => go(new Response(JSON.stringify({ type, message: '', data })));
  }));
  money.avail = '10.000000';
  queryClient.clear();
  queryClient.setQueryData(['config'], { country: '', currencies: [{ id: 3, code: 'USDT', name: 'USDT', scale: 6, is_match: 1, is_lever: 1, is_micro: 1, networks: [] }], markets: [], products: [{ product: 'option', on: 1 }] });
  useSession.setState({ user: { id: 1 } as never, token: 'token' });
  await activate('en');
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  for (const { key } of pendingOf(1)) dismiss(key);
});

const page = () => (
  <QueryClientProvider client={queryClient}>
    <Transfer />
  </QueryClientProvider>
);
const amount = () => screen.getByLabelText<HTMLInputElement>('Amount');
const button = () => screen.getByRole('button', { name: /^Transfer 8\.00/ });
/** A transfer of 8 of 10 USDT that is being sent. */
async function sending() {
  const shown = render(page());
  fireEvent.change(amount(), { target: { value: '8' } });
  await act(async () => void fireEvent.click(button()));
  expect(sent).toBe(1);
  return shown;
}

test('a balance that changes because of the transfer does not say that it is too small', async () => {
  const { rerender } = await sending();
  money.avail = '2.000000';
  rerender(page());
  expect(button().getAttribute('aria-busy')).toBe('true');
  expect(screen.queryByText(/more than/)).toBeNull();
});

test('a transfer whose outcome becomes known elsewhere does not stay in the form, where one tap would send it again', async () => {
  vi.useFakeTimers();
  lost = true;
  await sending();
  await act(() => vi.advanceTimersByTimeAsync(20_000));
  const [one] = pendingOf(1);
  expect(one?.state).toBe('unknown');
  act(() => note(one?.key ?? '', 'done'));
  expect(amount().value).toBe('');
});

test('a refused transfer stays in the form', async () => {
  await sending();
  await act(async () => answer('error', { error: 'E_INSUFFICIENT' }));
  expect(amount().value).toBe('8');
  expect(button().getAttribute('aria-busy')).toBeNull();
});
