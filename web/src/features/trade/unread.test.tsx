import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import type { MarketRules } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { activate } from '../../lib/i18n';
import MarketList from './MarketList';
import { OpenOrders } from './OpenOrders';

const { get } = vi.hoisted(() => ({ get: vi.fn() }));
vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { get } }));
vi.mock('../../data/session', async (original) => ({ ...(await original<object>()), useLoggedIn: () => true }));
vi.mock('../../data/tickers', async (original) => ({ ...(await original<object>()), useSymbols: () => [], useTickersState: () => 'ready' }));

const show = (screen: React.ReactNode) => render(<QueryClientProvider client={queryClient}>{screen}</QueryClientProvider>);
beforeEach(async () => {
  queryClient.clear();
  await activate('en');
});
afterEach(cleanup);

test('a watchlist that was not read is not called empty', async () => {
  get.mockRejectedValue(new Refusal('E_INTERNAL', ''));
  show(<MarketList />);
  fireEvent.click(screen.getByRole('button', { name: 'Watchlist' }));
  expect(await screen.findByText('Your watchlist did not load')).toBeTruthy();
  expect(screen.queryByText('No pairs on your watchlist')).toBeNull();
  get.mockResolvedValue({ message: [] });
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('No pairs on your watchlist')).toBeTruthy();
});

test('open orders have no number before they are read', async () => {
  get.mockReturnValue(new Promise(() => {}));
  const bar = show(<OpenOrders rules={{ currency_id: 1, legal_id: 3 } as MarketRules} />);
  expect(screen.getByRole('region').textContent).not.toContain('0');
  bar.unmount();
  queryClient.clear();
  get.mockResolvedValue({ message: [] });
  show(<OpenOrders rules={{ currency_id: 1, legal_id: 3 } as MarketRules} />);
  expect(await screen.findByText('0')).toBeTruthy();
});
