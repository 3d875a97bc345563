import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import type { MarketRules } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { activate, t } from '../../lib/i18n';
import Depth from './Depth';
import MarketList from './MarketList';
import OpenOrders from './OpenOrders';
import type { Market } from './order';

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

test('a book and trades that were not read are asked for again', async () => {
  const market = { base: { code: 'BTC' }, rules: { symbol: 'BTC/USDT', qty_digits: 4 } } as Market;
  const retry = vi.fn();
  get.mockRejectedValue(new Refusal('E_INTERNAL', ''));
  show(<Depth book={{ data: undefined, failed: true, retry }} market={market} onPrice={() => {}} />);
  expect(screen.getByText('The order book did not load')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledOnce();
  fireEvent.click(screen.getByRole('button', { name: t('trade.trades') }));
  expect(await screen.findByText('The trades did not load')).toBeTruthy();
  const trade = { ts: 0, direction: 'buy', amount: '1.0000' };
  get.mockResolvedValue({ message: [{ ...trade, id: 1, price: '100.5', house: false }, { ...trade, id: 2, price: '100.6', house: true }] });
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('100.5')).toBeTruthy();
  expect(screen.getAllByText(t('trade.house')).map((label) => label.closest('tr')?.textContent)).toEqual([expect.stringContaining('100.6')]);
});
