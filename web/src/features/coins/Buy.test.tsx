import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../data/query';
import { useSession } from '../../data/session';
import type { Offering } from '../../generated/api';
import { activate, withWealthWords } from '../../lib/i18n';
import { Refusal } from '../../lib/errors';
import Buy from './Buy';

vi.mock('../../lib/nav', async (original) => ({ ...(await original<object>()), usePlace: () => ({ path: 'publication/buy', hash: '', query: new URLSearchParams('id=1') }) }));
const OFFERING = {
  id: 1,
  new_currency_name: 'NOVA',
  currency_id: 3,
  currency_name: 'USDT',
  num: '1000.00000000',
  committed_value: '0.000000',
  change_rate: '0.5000',
  predict_rate: '0',
  buy_num: '10.000000',
  user_cap: '10000.000000',
  oversub_factor: 10,
  day: 7,
  release: [{ day: 7, share: '100' }],
  pay_currencies: [{ id: 3, name: 'USDT', price: '0.5000' }],
  state: 'open',
  send_start_ms: 0,
  send_end_ms: 4e12,
  online_time_ms: 4e12,
} as unknown as Offering;
const read = vi.hoisted(() => vi.fn());
vi.mock('../../lib/http', async (original) => ({ ...(await original<object>()), api: { get: read } }));

const rows = Array.from({ length: 20 }, (_, n) => ({ id: n, config_id: 1, value: '1.000000' }));
const pages = () => read.mock.calls.filter(([path]) => path === 'lh/send/order_list').length;

beforeEach(async () => {
  vi.useFakeTimers();
  queryClient.clear();
  useSession.setState({ user: { id: 1 } as never, token: 'x' });
  await activate('en');
  await withWealthWords(async () => ({}))();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('payments are not read on and on after a page that failed', async () => {
  read.mockImplementation(async (path: string, { page = 1 }: { page?: number } = {}) => {
    if (path === 'lh/send/config') return { message: [OFFERING] };
    if (path !== 'lh/send/order_list') return new Promise(() => {});
    if (page > 1) throw new Refusal('E_NETWORK', '');
    return { message: { order_list: rows, total_interest: '0' } };
  });
  render(
    <QueryClientProvider client={queryClient}>
      <Buy />
    </QueryClientProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  const before = pages();
  expect(before).toBeGreaterThan(1);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(pages()).toBe(before);
});
