import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { activate } from '../../lib/i18n';
import { Toasts } from '../../ui/Toast';
import { Watchlist } from './Watchlist';

const server = vi.hoisted(() => ({ own: [] as number[], pairs: ['BTC/USDT', 'ETH/USDT'].map((symbol, n) => ({ symbol, match_id: n + 1, currency_name: symbol.slice(0, 3), legal_name: 'USDT', now_price: '1.00', price_digits: 2, quote_volume: '1.00', change: '0.00' })) }));
vi.mock('../../data/session', async (original) => ({ ...(await original<object>()), useLoggedIn: () => true, requireLogin: () => true }));
vi.mock('../../data/tickers', async (original) => {
  const ticker = (symbol: string) => server.pairs.find((pair) => pair.symbol === symbol);
  return { ...(await original<object>()), ticker, useTicker: ticker, useSymbols: () => server.pairs.map(({ symbol }) => symbol), useTickersState: () => 'ready', usePriceStale: () => false };
});
vi.mock('./api', () => ({ useDayLine: () => [] }));
vi.mock('../../lib/http', async (original) => {
  const post = async (path: string, { match_id }: { match_id: number }) => {
    server.own = path === 'favor/del' ? server.own.filter((id) => id !== match_id) : [...server.own, match_id];
    return { message: server.own };
  };
  return { ...(await original<object>()), api: { get: async () => ({ message: server.own }), post } };
});

beforeEach(async () => {
  queryClient.clear();
  server.own = [1, 2];
  await activate('en');
});
afterEach(cleanup);

test('a pair can be removed from the watchlist and put back', async () => {
  render(
    <QueryClientProvider client={queryClient}>
      <Watchlist />
      <Toasts />
    </QueryClientProvider>,
  );
  fireEvent.click(await screen.findByRole('button', { name: 'Remove ETH/USDT from the watchlist' }));
  const undo = await screen.findByText('Undo');
  expect([server.own, document.body.textContent]).toEqual([[1], expect.stringContaining('ETH/USDT removed from the watchlist')]);
  expect(screen.queryByRole('button', { name: /ETH/ })).toBeNull();
  fireEvent.click(undo);
  expect(await screen.findByRole('button', { name: 'Remove ETH/USDT from the watchlist' })).toBeTruthy();
  await vi.waitFor(() => expect(server.own).toEqual([1, 2]));
});
