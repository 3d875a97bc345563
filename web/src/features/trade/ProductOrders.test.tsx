import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { settledPosition } from '../../data/positions';
import { queryClient } from '../../data/query';
import { useSession } from '../../data/session';
import { activate, withProductWords, withWealthWords } from '../../lib/i18n';
import CoinOrders from './CoinOrders';
import ContractOrders from './ContractOrders';
import OptionOrders from './OptionOrders';
import PlanOrders from './PlanOrders';

const server = vi.hoisted(() => ({ answers: {} as Record<string, unknown>, asked: [] as object[] }));
vi.mock('../../lib/http', async (original) => ({
  ...(await original<object>()),
  api: {
    get: async (path: string, params: object) => {
      if (path === 'lh/deposit/order') server.asked.push(params);
      const { status } = params as { status?: number };
      return { message: server.answers[path === 'microtrade/lists' ? `${path} ${status}` : path] ?? {} };
    },
    query: async (path: string, { status }: { status?: number }) => {
      const all = (server.answers[path] ?? []) as { status: number }[];
      return { message: { message: { data: all.filter((row) => status === undefined || row.status === status) } }, seq: 1 };
    },
  },
}));

const DAY = 86_400_000;
const at = (days: number) => Date.now() - days * DAY;
const plan = (id: number, code: string, days: number, status: number, early: number) => ({ id, currency_name: code, day: 15, amount: `${id}.000000`, status, is_cancel: early, created_at_ms: at(days) });
const payment = (id: number, token: string, days: number, exam: number, status: number) => ({ id, new_currency_name: token, currency_name: 'USDT', amount: `${id}.000000`, exam_status: exam, status, created_at_ms: at(days) });

const option = (id: number, symbol: string, days: number, result: string) => ({ id, symbol_name: symbol, type: 1, result, status: result === 'open' ? 1 : 3, number: '10.000000', currency_name: 'USDT', fact_profits: result === 'open' ? null : '1.000000', created_at_ms: at(days) });
const contract = (id: number, symbol: string, days: number, status: number) => ({ id, symbol, type: 1, share: 1, number: '0.00100000', multiple: 5, status, reason: 'USER', price: '100.00', update_price: '100.00', origin_caution_money: '1.000000', trade_fee: '0.100000', returned: status === 3 ? '1.000000' : null, seq: 1, create_time_ms: at(days), complete_time_ms: null });
const MARKETS = [
  { symbol: 'BTC/USDT', match_id: 1, options: 1 },
  { symbol: 'ETH/USDT', match_id: 2, options: 1 },
  { symbol: 'NOVA/USDT', match_id: 9, options: 0 },
];

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
    'app/config': { markets: MARKETS, contracts: [{ match_id: 1 }, { match_id: 2 }], server_time_ms: Date.now() },
    'microtrade/lists 1': { data: [option(7, 'BTC/USDT', 0, 'open')] },
    'microtrade/lists 3': { data: [option(6, 'BTC/USDT', 1, 'won'), option(8, 'BTC/USDT', 0, 'refunded'), option(5, 'ETH/USDT', 2, 'lost'), option(4, 'BTC/USDT', 20, 'push'), option(3, 'BTC/USDT', 50, 'won')].toSorted((a, b) => b.id - a.id) },
    'lever/my_trade': [contract(7, 'BTC/USDT', 0, 0), contract(6, 'ETH/USDT', 1, 1), contract(5, 'BTC/USDT', 2, 3), contract(4, 'BTC/USDT', 20, 4), contract(3, 'ETH/USDT', 50, 3)],
    'lh/send/config': [{ new_currency_name: 'NOVA', state: 'open' }],
  };
  await activate('en');
  await withWealthWords(async () => ({}))();
  await withProductWords(async () => ({}))();
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
  // A coin on sale that no member has yet.
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

const orders = () => screen.queryAllByRole('link').flatMap((row) => /order=(\d+)|tab=(waiting|positions)/.exec(row.getAttribute('href') ?? '')?.slice(1).find(Boolean) ?? []);
const choose = (state: string) => fireEvent.click(screen.getByRole('button', { name: state }));

test('options are listed by when they were bought, and can be narrowed by result, pair and time', async () => {
  show(OptionOrders);
  await screen.findAllByRole('link');
  // One that runs longer than a later one was bought before it.
  expect(orders()).toEqual(['8', '7', '6', '5', '4', '3']);
  for (const [state, ids] of [['Running', ['7']], ['Right', ['6', '3']], ['Wrong', ['5']], ['Returned', ['8', '4']], ['All', ['8', '7', '6', '5', '4', '3']]] as const) {
    choose(state);
    expect(orders()).toEqual(ids);
  }
  pick(/^Choose a pair/, 'BTC/USDT');
  expect(orders()).toEqual(['8', '7', '6', '4', '3']);
  pick(/^Time/, '30 days');
  expect(orders()).toEqual(['8', '7', '6', '4']);
  choose('Wrong');
  expect(screen.getByText('Nothing fits this filter.')).toBeTruthy();
});

test('contracts can be narrowed by state, pair and time; what is over leads to its receipt, the rest to its list', async () => {
  show(ContractOrders);
  await screen.findAllByRole('link');
  expect(orders()).toEqual(['waiting', 'positions', '5', '4', '3']);
  for (const [state, ids] of [['Waiting', ['waiting']], ['Open', ['positions']], ['Cancelled', ['4']], ['Closed', ['5', '3']]] as const) {
    choose(state);
    await vi.waitFor(() => expect(orders()).toEqual(ids));
  }
  pick(/^Choose a pair/, 'ETH/USDT');
  expect(orders()).toEqual(['3']);
  pick(/^Time/, '30 days');
  expect(screen.getByText('Nothing fits this filter.')).toBeTruthy();
});

test('a contract that closes while the open ones are shown leaves their list', async () => {
  show(ContractOrders);
  await screen.findAllByRole('link');
  choose('Open');
  await vi.waitFor(() => expect(orders()).toEqual(['positions']));
  act(() => settledPosition({ ...contract(6, 'ETH/USDT', 1, 3), seq: 2 } as never));
  await vi.waitFor(() => expect(orders()).toEqual([]));
});
