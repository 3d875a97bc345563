import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { PriceSources, Settlement } from '../api';
import Health from './Health';

const NOW = 1_800_000_000_000;
const feed = (symbol: string, last_ms: number) => ({ symbol, last_ms, stale: 1 as const, sources: [], pinned: 0 as const });
const state: Settlement = {
  time_ms: NOW, seq: 50, due_backlog: 0, oldest_due_ms: null, refunds_24h: 0, invariants: [], pools: [],
  feeds: [feed('BTC/USDT', 0), feed('ETH/USDT', NOW - 4_000)],
  nodes: [{ name: 'this', role: 'leader', seq: 43, lag_ms: 0 }],
};
const pair = { symbol: 'USDC/USDT', asked_as: 'USDT-USDC', inverse: 1 as const, price: '1.0001', age_ms: 120, deviation: '-0.0100', accepted: 9, rejected: 3, rejected_share: '25.00', rejected_for: 'order' as const, samples: 300, unused: 12, unused_share: '4.00', unused_for: 'deviation' as const };
const away = { ...pair, symbol: 'BTC/USDT', asked_as: 'BTC-USDT', inverse: 0 as const, price: null, age_ms: null, deviation: null, accepted: 0, rejected: 0, rejected_share: '0.00', rejected_for: null, unused: 0, unused_share: '0.00', unused_for: null };
const live: PriceSources = {
  market: 'live',
  sources: [{ name: 'coinbase', state: 'waiting', since_ms: 4_000, connections: 2, strays: 1, fault: 'silent', pairs: [pair, away] }],
};
let sources: PriceSources = live;
vi.mock('../reads', () => ({
  useRead: (path: string) => ({ data: path === 'sources' ? sources : state, error: null, dataUpdatedAt: NOW, refetch: () => {} }),
  useCoin: () => String,
  refresh: () => {},
}));
afterEach(cleanup);

test('each source shows its connection, and of each pair what it said, how far that is from the index, and what was not taken', () => {
  sources = live;
  render(<Health />);
  const [, usdc, btc] = within(screen.getByRole('table', { name: 'coinbase' })).getAllByRole('row');
  const cells = (row: HTMLElement | undefined) => [...(row?.querySelectorAll('td') ?? [])].map((cell) => cell.textContent);
  expect(cells(usdc)).toEqual(['USDC/USDT 1 / USDT-USDC', '1.0001', '120 ms', '-0.0100 %', '9', '3 (25.00 %) last: out of order', '12 of 300 (4.00 %) last: too far']);
  expect(cells(btc)).toEqual(['BTC/USDT BTC-USDT', 'none', 'never', 'unknown', '0', '0 (0.00 %)', '0 of 300 (0.00 %)']);
  expect(screen.getByText('Away').closest('p')?.textContent).toBe('coinbase Away for 4 s, connections: 2, unreadable messages: 1, last fault: silent');
});

test('a sandbox says that its prices are simulated', () => {
  sources = { market: 'simulated', sources: [] };
  render(<Health />);
  expect(screen.getByText('Prices are simulated')).toBeTruthy();
});

test('a pair without a price has none of 1970, and the plots tell what is so', () => {
  render(<Health />);
  const [, btc, eth] = within(screen.getByRole('table', { name: 'Price feeds' })).getAllByRole('row');
  expect([btc?.textContent, eth?.textContent].map((text) => text?.match(/never|4 s ago/)?.[0])).toEqual(['never', '4 s ago']);
  expect(screen.getAllByRole('figure').map((plot) => plot.querySelector('b')?.textContent)).toEqual(['4000 ms', '7']);
});
