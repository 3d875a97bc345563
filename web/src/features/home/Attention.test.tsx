import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toggleHidden } from '../../data/appearance';
import { queryClient } from '../../data/query';
import { activate } from '../../lib/i18n';
import Attention from './Attention';

const HOUR = 3_600_000;
const server = vi.hoisted(() => ({ user: {}, rows: [] as object[], plans: [] as object[], loans: [] as object[], positions: [] as object[], prices: new Map<string, string>() }));
vi.mock('../../data/session', async (original) => ({ ...(await original<object>()), useUser: () => ({ data: server.user }), useLoggedIn: () => true }));
vi.mock('../../data/tickers', async (original) => ({ ...(await original<object>()), usePrices: () => server.prices }));
vi.mock('../../lib/http', async (original) => {
  const products = [
    { product: 'plan', on: 1 },
    { product: 'loan', on: 1 },
    { product: 'contract', on: 0 },
  ];
  const answers: Record<string, () => object> = {
    'app/config': () => ({ country: '', server_time_ms: Date.now(), products }),
    'lh/deposit/order': () => ({ order_list: server.plans }),
    'user/bosslist': () => ({ data: server.loans }),
  };
  const withdrawals = () => ({ data: server.rows, current_page: 1, last_page: 1 });
  return { ...(await original<object>()), api: { get: async (path: string) => ({ message: (answers[path] ?? withdrawals)(), took: 0 }), query: async () => ({ message: { message: { data: server.positions } }, seq: 1 }) } };
});

const row = (id: number, state: string) => ({ id, state, name: 'USDT', number: '250.000000', create_time_ms: Date.now() - 3 * HOUR, expected_at_ms: Date.now() + 9 * HOUR });
const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Attention />
    </QueryClientProvider>,
  );

beforeEach(async () => {
  queryClient.clear();
  server.user = { status: 0, review_status: 2, review_status2: 0, fund_password: 2 };
  server.rows = [];
  server.plans = [];
  server.loans = [];
  server.positions = [];
  server.prices = new Map([['BTC/USDT', '100000.00'], ['ETH/USDT', '3000.00']]);
  await activate('en');
});
afterEach(cleanup);

test('the newest withdrawal under review comes before a missing fund password, and is hidden with the amounts', async () => {
  server.rows = [row(9, 'sent'), row(8, 'under_review'), row(7, 'under_review')];
  show();
  const card = await screen.findByRole('link', { name: /Withdrawal in review.*250\.00\sUSDT\. By .* at the latest/ });
  expect(card.getAttribute('href')).toMatch(/withdraw\/detail\?id=8$/);
  expect(card.querySelector('[stroke-dasharray]')?.getAttribute('stroke-dasharray')).toMatch(/^0\.25\d* 1$/);
  expect(screen.getAllByRole('link')).toHaveLength(1);
  cleanup();
  toggleHidden();
  show();
  expect((await screen.findByRole('link', { name: /Withdrawal in review/ })).textContent).not.toContain('250');
  toggleHidden();
});

test.each([{ review_status: 3 }, { review_status2: 3 }])('a rejected identity comes before a withdrawal: %o', async (rejected) => {
  server.user = { ...server.user, ...rejected };
  server.rows = [row(8, 'under_review')];
  show();
  expect((await screen.findByRole('link', { name: /Identity not accepted/ })).getAttribute('href')).toContain('verification/index');
  expect(screen.getAllByRole('link')).toHaveLength(1);
});

test('nothing under review leaves the fund password', async () => {
  server.rows = [row(9, 'sent')];
  show();
  expect(await screen.findByRole('link', { name: /Set a fund password/ })).toBeTruthy();
});

test('a plan that pays out at the next 00:00 UTC is told, one of the day after is not', async () => {
  const midnight = (Math.floor(Date.now() / (24 * HOUR)) + 1) * 24 * HOUR;
  const plan = { id: 1, status: 1, currency_name: 'USDT', amount: '1000.000000', total_interest: '60.000000' };
  server.plans = [{ ...plan, end_at_ms: midnight }];
  show();
  const card = await screen.findByRole('link', { name: /A plan pays out at 00:00 UTC.*1,060\.00\sUSDT back/ });
  expect(card.getAttribute('href')).toMatch(/finance\/ordersPage$/);
  cleanup();
  queryClient.clear();
  server.plans = [{ ...plan, end_at_ms: midnight + 24 * HOUR }];
  show();
  expect(await screen.findByRole('link', { name: /Set a fund password/ })).toBeTruthy();
});

test.each([
  [{ status: 5, margin_call: 0 }, /Loan overdue.*604\.21\sUSDT owed/],
  [{ status: 2, margin_call: 1 }, /Margin call on a loan/],
])('a loan that needs the member comes before everything else: %o', async (state, name) => {
  server.user = { ...server.user, review_status: 3 };
  server.loans = [{ id: 401, debt: '604.205000', currency_name: 'USDT', status: 2, margin_call: 0 }, { id: 402, debt: '604.205000', currency_name: 'USDT', ...state }];
  show();
  const card = await screen.findByRole('link', { name });
  expect(card.getAttribute('href')).toMatch(/index\/jied\?id=402$/);
  expect(screen.getAllByRole('link')).toHaveLength(1);
});

const position = (id: number, symbol: string, liquidation_price: string, type = 1) => ({ id, symbol, type, liquidation_price, status: 1, seq: 1 });

test('the position nearest to liquidation comes before a rejected identity, and after a loan', async () => {
  server.user = { ...server.user, review_status: 3 };
  server.positions = [position(1, 'BTC/USDT', '96000.00'), position(2, 'ETH/USDT', '3045.00', 2), position(3, 'BTC/USDT', '60000.00'), position(4, 'SOL/USDT', '1.00')];
  show();
  const card = await screen.findByRole('link', { name: 'ETH/USDT: 1.50% from liquidation' });
  expect(card.getAttribute('href')).toMatch(/lever\/index$/);
  expect(screen.getAllByRole('link')).toHaveLength(1);
  cleanup();
  queryClient.clear();
  server.loans = [{ id: 402, debt: '604.205000', currency_name: 'USDT', status: 5, margin_call: 0 }];
  show();
  expect(await screen.findByRole('link', { name: /Loan overdue/ })).toBeTruthy();
});

test('a position that is far from liquidation, or whose pair has no price, is not told', async () => {
  server.positions = [position(1, 'BTC/USDT', '95000.00'), position(2, 'SOL/USDT', '1.00'), position(3, 'ETH/USDT', '0.00')];
  show();
  expect(await screen.findByRole('link', { name: /Set a fund password/ })).toBeTruthy();
  await vi.waitFor(() => expect(queryClient.getQueryData(['me', 'positions', 1])).toHaveLength(3));
  expect(screen.getByRole('link', { name: /Set a fund password/ })).toBeTruthy();
});
