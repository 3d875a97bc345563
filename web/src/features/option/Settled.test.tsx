import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { activate, withProductWords } from '../../lib/i18n';
import { dateTime } from '../../lib/time';
import Settled from './Settled';

const NOON = Date.UTC(2026, 10, 20, 12);
const MINUTE = 60_000;
const option = (id: number, bought: number, minutes: number, late = 0) => ({ id, type: 1, status: 3, result: 'won', symbol_name: 'BTC/USDT', currency_name: 'USDT', number: '10.000000', fact_profits: '6.950000', created_at_ms: bought, delivery_time_ms: bought + minutes * MINUTE, complete_at_ms: bought + minutes * MINUTE + late });
// As the server lists what one entry settled: by purchase.
const ROWS = [option(3, NOON + 20 * MINUTE, 1), option(2, NOON + 10 * MINUTE, 1, 45 * MINUTE), option(1, NOON, 60)];
vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { get: async () => ({ message: { data: ROWS } }) } }));
vi.mock('../../data/session', async (original) => ({ ...(await original<object>()), useLoggedIn: () => true }));

beforeEach(async () => {
  vi.stubGlobal('IntersectionObserver', class { observe() {} disconnect() {} });
  await activate('en');
  await withProductWords(async () => ({}))();
});
afterEach(cleanup);

test('settled options are listed by their settlement, newest first, each with its time', async () => {
  render(<QueryClientProvider client={queryClient}><Settled /></QueryClientProvider>);
  const shown = (await screen.findAllByRole('link')).map((row) => [row.getAttribute('href')?.split('=')[1], row.querySelector('.cap.num')?.textContent]);
  expect(shown).toEqual([['1', NOON + 60 * MINUTE], ['2', NOON + 56 * MINUTE], ['3', NOON + 21 * MINUTE]].map(([id, at]) => [id, dateTime(at as number, 'en')]));
});
