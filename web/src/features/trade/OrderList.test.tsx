import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { activate } from '../../lib/i18n';
import OrderList from './OrderList';

const { get } = vi.hoisted(() => ({ get: vi.fn() }));
vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { get } }));
vi.mock('../../data/session', async (original) => ({ ...(await original<object>()), useLoggedIn: () => true }));
vi.mock('./OrderRow', () => ({ OrderRow: ({ order }: { order: { id: number } }) => <p>Order {order.id}</p> }));

const DAY = 86_400_000;
const order = (id: number, days: number) => ({ id, status: 2, seq: 1, created_at_ms: Date.now() - days * DAY });
let orders: object[];

beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
beforeEach(async () => {
  queryClient.clear();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  orders = [order(3, 1), order(2, 10), order(1, 40)];
  get.mockImplementation(async (path: string) => ({ message: path === 'coin/list' ? orders : { markets: [], currencies: [], products: [], server_time_ms: Date.now() }, seq: 1, took: 0 }));
  await activate('en');
});
afterEach(cleanup);

test('orders can be narrowed to the last days', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <OrderList />
    </QueryClientProvider>,
  );
  const shown = () => screen.queryAllByText(/^Order \d/).map((row) => row.textContent);
  const choose = (range: string) => {
    fireEvent.click(screen.getByRole('button', { name: /^Time/ }));
    fireEvent.click(screen.getByRole('radio', { name: range, hidden: true }));
  };
  await screen.findByText('Order 3');
  expect(shown()).toEqual(['Order 3', 'Order 2', 'Order 1']);
  choose('30 days');
  expect(shown()).toEqual(['Order 3', 'Order 2']);
  choose('7 days');
  expect(shown()).toEqual(['Order 3']);
  orders = [order(1, 40)];
  await act(() => queryClient.invalidateQueries());
  expect(await screen.findByText('Nothing fits this filter.')).toBeTruthy();
});
