import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { useSession } from '../../data/session';
import { activate, withWealthWords } from '../../lib/i18n';
import CoinOrders from './CoinOrders';
import PlanOrders from './PlanOrders';

const server = vi.hoisted(() => ({ answers: {} as Record<string, unknown>, asked: [] as object[] }));
vi.mock('../../lib/http', async (original) => ({
  ...(await original<object>()),
  api: {
    get: async (path: string, params: object) => {
      if (path === 'lh/deposit/order') server.asked.push(params);
      return { message: server.answers[path] ?? {} };
    },
  },
}));

const DAY = 86_400_000;
const at = (days: number) => Date.now() - days * DAY;
const plan = (id: number, code: string, days: number, status: number, early: number) => ({ id, currency_name: code, day: 15, amount: `${id}.000000`, status, is_cancel: early, created_at_ms: at(days) });
const payment = (id: number, token: string, days: number, exam: number, status: number) => ({ id, new_currency_name: token, currency_name: 'USDT', amount: `${id}.000000`, exam_status: exam, status, created_at_ms: at(days) });

beforeAll(() => void Object.assign(HTMLDialogElement.prototype, { showModal: () => {}, close: () => {} }));
beforeEach(async () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  queryClient.clear();
  server.asked = [];
  useSession.setState({ user: { id: 1 } as never, token: 'x' });
  server.answers = {
    'lh/deposit/order': { order_list: [plan(5, 'USDT', 1, 1, 0), plan(4, 'BTC', 2, 2, 0), plan(3, 'USDT', 20, 2, 1), plan(2, 'USDT', 50, 2, 0)] },
    'lh/deposit/config': [{ currency_name: 'USDT' }, { currency_name: 'ETH' }],
    'lh/send/order_list': { order_list: [payment(5, 'NOVA', 1, 3, 1), payment(4, 'AURUM', 2, 1, 2), payment(3, 'NOVA', 20, 2, 2), payment(2, 'NOVA', 50, 1, 3)] },
    'lh/send/config': [{ new_currency_name: 'NOVA', state: 'open' }],
  };
  await activate('en');
  await withWealthWords(async () => ({}))();
});
afterEach(cleanup);

const show = (Orders: ComponentType) =>
  render(
    <QueryClientProvider client={queryClient}>
      <Orders />
    </QueryClientProvider>,
  );
const rows = () => screen.queryAllByRole('link', { name: /\.00\sUSDT$|\.00\d+\sBTC$/ }).map((row) => row.getAttribute('href'));
const plans = (...shown: [id: number, tab: string][]) => shown.map(([id, tab]) => `#/pages/finance/ordersPage?tab=${tab}&id=${id}`);
const coins = (...ids: number[]) => ids.map((id) => `#/pages/publication/index?tab=mine&id=${id}`);
const pick = (chip: RegExp, option: string) => {
  fireEvent.click(screen.getByRole('button', { name: chip }));
  fireEvent.click(screen.getByRole('radio', { name: option, hidden: true }));
};

test('each plan leads to its own receipt, and plans can be narrowed by coin and by time', async () => {
  show(PlanOrders);
  await screen.findAllByText('Completed', { selector: ':not(button)' });
  expect(rows()).toEqual(plans([5, 'running'], [4, 'completed'], [3, 'redeemed'], [2, 'completed']));
  pick(/^Coin/, 'USDT');
  expect(rows()).toEqual(plans([5, 'running'], [3, 'redeemed'], [2, 'completed']));
  pick(/^Time/, '30 days');
  expect(rows()).toEqual(plans([5, 'running'], [3, 'redeemed']));
  // A coin that is on sale and that nobody has yet.
  pick(/^Coin/, 'ETH');
  expect(screen.getByText('Nothing fits this filter.')).toBeTruthy();
});

test.each([
  ['In hosting', { status: 1 }],
  ['Completed', { status: 2, is_cancel: 0 }],
  ['Redeemed', { status: 2, is_cancel: 1 }],
])('plans that are %s are asked for by what the server calls them', async (state, params) => {
  show(PlanOrders);
  await screen.findAllByRole('link');
  fireEvent.click(screen.getByRole('button', { name: state }));
  await screen.findAllByRole('link');
  expect(server.asked).toEqual([{ page: 1, limit: 20 }, { ...params, page: 1, limit: 20 }]);
});

test('payments for new coins can be narrowed by state, coin and time, and each leads to its own receipt', async () => {
  show(CoinOrders);
  await screen.findAllByRole('link');
  expect(rows()).toEqual(coins(5, 4, 3, 2));
  for (const [state, ids] of [['Under review', [5]], ['Locked', [4]], ['Refunded', [3]], ['Released', [2]], ['Passed', []], ['All', [5, 4, 3, 2]]] as const) {
    fireEvent.click(screen.getByRole('button', { name: state }));
    expect(rows()).toEqual(coins(...ids));
  }
  pick(/^Coin/, 'NOVA');
  expect(rows()).toEqual(coins(5, 3, 2));
  pick(/^Time/, '7 days');
  expect(rows()).toEqual(coins(5));
});
