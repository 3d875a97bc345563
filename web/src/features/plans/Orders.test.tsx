import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { useSession } from '../../data/session';
import type { Hosting } from '../../generated/api';
import { activate, withWealthWords } from '../../lib/i18n';
import Orders from './Orders';

const place = vi.hoisted(() => ({ query: '', replace: vi.fn() }));
vi.mock('../../lib/nav', async (original) => {
  const here = () => ({ path: 'finance/ordersPage', hash: '', query: new URLSearchParams(place.query) });
  return { ...(await original<object>()), usePlace: here, current: here, replace: place.replace };
});
const server = vi.hoisted(() => ({ rows: [] as object[], report: {} }));
vi.mock('../../lib/http', async (original) => ({
  ...(await original<object>()),
  api: {
    get: async (path: string, { page = 1 }: { page?: number } = {}) => ({ message: path === 'lh/deposit/report' ? server.report : path === 'lh/deposit/order' ? { order_list: server.rows.slice((page - 1) * 20, page * 20) } : {} }),
  },
}));
vi.mock('../../data/config', async (original) => ({ ...(await original<object>()), useCoins: () => [{ id: 3, code: 'USDT' }, { id: 1, code: 'BTC' }] }));

const NOW = Date.now();
const order = (id: number, more: object) => ({ id, currency_id: 3, currency_name: 'USDT', day: 15, day_percent: '0.4', amount: '1000.000000', current_interest: '20.000000', total_interest: '60.000000', damages: '0', penalty: '0', cancel_fee: '0', start_at_ms: NOW, status: 1, is_cancel: 0, returned: null, created_at_ms: NOW - 6 * 86_400_000, updated_at_ms: NOW, end_at_ms: NOW + 10 * 86_400_000, ...more }) as Hosting;
const lines = (part: HTMLElement) => [...part.querySelectorAll('.lab.between, dl > div')].map((line) => [...line.children].map((cell) => cell.textContent?.replace('\u00a0', ' ')));
const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Orders />
    </QueryClientProvider>,
  );

beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
beforeEach(async () => {
  for (const name of ['IntersectionObserver', 'ResizeObserver']) {
    vi.stubGlobal(
      name,
      class {
        observe() {}
        disconnect() {}
      },
    );
  }
  queryClient.clear();
  useSession.setState({ user: { id: 1 } as never, token: 'x' });
  server.rows = [order(2, {}), order(1, { current_interest: '8.000001' })];
  server.report = { total_deposit: '2000.000000', today_profit: '8.000000', total_profit: '60.000000', total_order: 2, by_currency: [{ currency_id: 3, total_profit: '60.000000', today_profit: '8.000000', total_deposit: '2000.000000' }] };
  await activate('en');
  await withWealthWords(async () => ({}))();
});
afterEach(() => {
  cleanup();
  place.query = '';
});

test('the totals have what running plans have earned so far beside what was paid', async () => {
  const { container } = show();
  await screen.findByText('88.00 USDT');
  expect(lines(container).slice(0, 4)).toEqual([
    ['In hosting', '2,000.00 USDT'],
    ['Earned so far', '88.00 USDT'],
    ['Of which paid out', '60.00 USDT'],
    ['Last full day', '8.00 USDT'],
  ]);
});

test('what was paid out is all that was earned once nothing runs, whatever the prices of the server were', async () => {
  server.rows = [];
  server.report = { total_deposit: '0.000000', today_profit: '0.000000', total_profit: '59.990000', total_order: 0, by_currency: [{ currency_id: 3, total_profit: '60.000000', today_profit: '0.000000', total_deposit: '0.000000' }] };
  const { container } = show();
  await waitFor(() => expect(lines(container).slice(1, 3)).toEqual([['Earned so far', '60.00 USDT'], ['Of which paid out', '60.00 USDT']]));
});

test('a plan that the sums do not know yet leaves them unknown, never too small', async () => {
  server.rows = [order(2, {})];
  const { container } = show();
  await screen.findByText('In hosting', { selector: 'dt' });
  expect(lines(container)[1]).toEqual(['Earned so far', '—']);
});

test('a card says what a plan has earned, what it will have earned, and when it was bought', async () => {
  server.rows = [order(1, {})];
  show();
  const card = await screen.findByRole('button', { name: /USDT, 15 days/ });
  expect(lines(card).map(([label]) => label)).toEqual(['Current income', 'Interest at the end', 'Bought']);
  expect(lines(card)[1]?.[1]).toBe('60.00 USDT');
  expect(lines(card)[2]?.[1]).toMatch(/^\d+ \w+, \d\d:\d\d$/);
  expect(within(card).getByText('Day 5 of 15')).toBeTruthy();
});

test('an address that names a plan opens it, also one that is on a later page', async () => {
  place.query = 'tab=completed&id=3';
  server.rows = Array.from({ length: 25 }, (_, n) => order(25 - n, { status: 2, returned: '1060.000000' }));
  show();
  expect(await screen.findByText('1,060.00 USDT was paid back')).toBeTruthy();
  expect(screen.getByText('Order number').nextElementSibling?.textContent).toBe('3');
});

test('the address names a plan no more once it was closed, and stays at its tab', async () => {
  place.query = 'tab=completed&id=3';
  server.rows = [order(3, { status: 2, returned: '1060.000000' })];
  show();
  fireEvent.click(await screen.findByText('Done'));
  await waitFor(() => expect(place.replace.mock.calls).toEqual([['finance/ordersPage', { tab: 'completed' }]]));
});
