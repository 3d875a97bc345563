import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import type { OptionOrder } from '../../generated/api';
import { activate, withProductWords } from '../../lib/i18n';
import Mine from './Mine';

const server = vi.hoisted(() => ({ options: [] as object[] }));
vi.mock('../../lib/http', async (original) => ({
  ...(await original<object>()),
  api: { get: async (path: string) => ({ message: { data: path === 'microtrade/lists' ? server.options : [] } }) },
}));
vi.mock('../../data/session', async (original) => ({ ...(await original<object>()), useLoggedIn: () => true }));

const option = (id: number) => ({ id, type_name: `up ${id}`, status: 3, symbol_name: 'BTC/USDT', currency_name: 'USDT', fact_profits: '6.950000', complete_at_ms: 1_767_225_600_000 }) as OptionOrder;

beforeEach(async () => {
  queryClient.clear();
  await activate('en');
  await withProductWords(async () => ({}))();
});
afterEach(cleanup);

test.each([
  [1, null],
  [2, 'Check all 2'],
])('%i receipts are checked together: %s', async (count, text) => {
  server.options = Array.from({ length: count }, (_, n) => option(n + 1));
  render(
    <QueryClientProvider client={queryClient}>
      <Mine />
    </QueryClientProvider>,
  );
  await screen.findByText('BTC/USDT up 1');
  expect(screen.queryByRole('button', { name: /^Check all/ })?.textContent ?? null).toBe(text);
});
