import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import type { OptionOrder } from '../../generated/api';
import { activate, withProductWords } from '../../lib/i18n';
import { OpenList } from './Option';

const stale = vi.hoisted(() => new Set<string>());
vi.mock('../../data/tickers', async (original) => ({ ...(await original<object>()), priceAge: (symbol: string) => ({ age: 0, stale: stale.has(symbol) }), ticker: () => ({ index_price: '97500.00' }) }));

const NOW = 1_767_225_600_000;
const option = (id: number, symbol_name: string) => ({ id, symbol_name, type: 1, status: 1, result: 'open', outcome: null, number: '10.000000', currency_name: 'USDT', seconds: 60, open_price: '97432.15', open_time_ms: NOW, delivery_time_ms: NOW + 60_000, fee: '0.050000', profit: '7.000000', tolerance: '0.005', tie_rule: 'refund', fact_profits: null }) as OptionOrder;
const OPTIONS = [option(1, 'BTC/USDT'), option(2, 'ETH/USDT')];

beforeEach(async () => {
  await activate('en');
  await withProductWords(async () => ({}))();
});
afterEach(cleanup);

test('an option says what it would bring now only from a live price of its own pair', () => {
  stale.add('ETH/USDT');
  render(
    <QueryClientProvider client={queryClient}>
      <OpenList options={OPTIONS} query={{ data: OPTIONS } as never} now={NOW} />
    </QueryClientProvider>,
  );
  expect(screen.getAllByRole('link').map((row) => row.textContent?.includes('6.95'))).toEqual([true, false]);
});
