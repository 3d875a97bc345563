import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Settlement } from '../api';
import Health from './Health';

const NOW = 1_800_000_000_000;
const feed = (symbol: string, last_ms: number) => ({ symbol, last_ms, stale: 1 as const, sources: [], pinned: 0 as const });
const state: Settlement = {
  time_ms: NOW, seq: 50, due_backlog: 0, oldest_due_ms: null, refunds_24h: 0, invariants: [], pools: [],
  feeds: [feed('BTC/USDT', 0), feed('ETH/USDT', NOW - 4_000)],
  nodes: [{ name: 'this', role: 'leader', seq: 43, lag_ms: 0 }],
};
vi.mock('../reads', () => ({ useRead: () => ({ data: state, error: null, dataUpdatedAt: NOW, refetch: () => {} }), useCoin: () => String, refresh: () => {} }));
afterEach(cleanup);

test('a pair without a price has none of 1970, and the plots tell what is so', () => {
  render(<Health />);
  const [, btc, eth] = within(screen.getByRole('table', { name: 'Price feeds' })).getAllByRole('row');
  expect([btc?.textContent, eth?.textContent].map((text) => text?.match(/never|4 s ago/)?.[0])).toEqual(['never', '4 s ago']);
  expect(screen.getAllByRole('figure').map((plot) => plot.querySelector('b')?.textContent)).toEqual(['4000 ms', '7']);
});
