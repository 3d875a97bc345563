import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { useSession } from '../../data/session';
import type { Hosting, Plan } from '../../generated/api';
import { activate, withWealthWords } from '../../lib/i18n';
import Plans from './Plans';

const server = vi.hoisted((): { answers: Record<string, unknown> } => ({ answers: {} }));
vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { get: async (path: string) => ({ message: server.answers[path] ?? {}, data: { from_seq: 1, to_seq: 4711 } }) } }));
vi.mock('../../data/config', async (original) => ({ ...(await original<object>()), useCoins: () => [{ id: 3, code: 'USDT' }], useHalves: () => ['finance/index'] }));

const DAY = 86_400_000;
const NOW = Date.now();
const plan = (id: number, day: number, day_rate: string) => ({ id, currency_id: 3, currency_name: 'USDT', day, day_rate, day_percent: '0.4', damage_rate: '0.4', save_min: '100.000000', save_max: '50000.000000', status: 1 }) as Plan;
const order = (id: number, earned: number, day: number) => ({ id, currency_id: 3, currency_name: 'USDT', day, current_interest: '0.000000', status: 1, created_at_ms: NOW - (earned + 1) * DAY, end_at_ms: NOW + (day - earned) * DAY }) as Hosting;
/** What the treasury can still promise, and the member's orders. */
function given(free: string, orders: Hosting[] = []): void {
  server.answers = {
    'lh/deposit/config': [plan(1, 7, '0.003'), plan(2, 15, '0.004')],
    'public/pools': [{ account: 'plan_treasury', currency_id: 3, currency_name: 'USDT', balance: '10.000000', reserve: '0.000000', free }],
    'lh/deposit/order': { order_list: orders },
    'lh/deposit/report': { total_deposit: '3000.000000', total_order: orders.length, by_currency: [{ currency_id: 3, total_profit: '72.000000', today_profit: '0.000000', total_deposit: '3000.000000' }] },
  };
}
const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Plans />
    </QueryClientProvider>,
  );

beforeEach(async () => {
  queryClient.clear();
  useSession.setState({ user: { id: 1 } as never, token: 'x' });
  await activate('en');
  await withWealthWords(async () => ({}))();
});
afterEach(cleanup);

test('a plan whose least amount the treasury cannot promise is full, and leads nowhere', async () => {
  // 100 for 15 days takes 6.00, for 7 days 2.10.
  given('5.999999');
  show();
  const full = await screen.findByText('Full');
  const card = full.closest('div[class*="card"]:not([class*="Head"])') as HTMLElement;
  expect(card.textContent).toContain('USDT, 15 days');
  // The coin's sign is the only picture.
  expect([card.closest('a'), card.querySelector('a'), card.querySelectorAll('svg').length]).toEqual([null, null, 1]);
  const links = screen.getAllByRole('link', { name: /USDT, \d+ days/ });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['#/pages/finance/buyPage?id=1']);
  expect(links[0]?.querySelectorAll('svg')).toHaveLength(2);
});

test('the figures of the treasury name the entries that they follow from', async () => {
  given('1000.000000');
  show();
  expect(await screen.findByText('From entries 1 to 4,711 of the log')).toBeTruthy();
});

test('an atom more is enough', async () => {
  given('6.000000');
  show();
  expect(await screen.findAllByRole('link', { name: /USDT, \d+ days/ })).toHaveLength(2);
  await waitFor(() => expect(queryClient.getQueryData(['pools', 'plan'])).toBeTruthy());
  expect(screen.queryByText('Full')).toBeNull();
});

test('of several plans the summary says how far the one is that ends next', async () => {
  given('1000.000000', [order(1, 2, 15), order(2, 6, 7)]);
  show();
  const summary = (await screen.findByText('Day 6 of 7')).closest('a') as HTMLElement;
  expect(summary.textContent).toContain('In hosting · 2 plans3,000.00');
  expect(summary.textContent).toContain('Earned so far72.00');
});

test('of a single plan it needs no number', async () => {
  given('1000.000000', [order(1, 2, 15)]);
  show();
  const summary = (await screen.findByText('Day 2 of 15')).closest('a') as HTMLElement;
  expect(summary.textContent).not.toContain('plan ');
});
