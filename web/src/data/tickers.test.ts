import { beforeEach, expect, test, vi } from 'vitest';

const { gaps, get } = vi.hoisted(() => ({ gaps: [] as (() => void)[], get: vi.fn() }));
vi.mock('../lib/socket', () => ({
  socketStatus: () => 'live',
  subscribe: (_room: object, _listener: unknown, gap?: () => void) => {
    if (gap) gaps.push(gap);
    return () => {};
  },
}));
vi.mock('../lib/http', () => ({ api: { get } }));

const { loadTickers, ticker } = await import('./tickers');

const pairs = ['BTC/USDT', 'ETH/USDT', 'USDC/USDT'].map((symbol, sort) => ({ symbol, sort, is_display: 1, now_price: '1.0' }));

beforeEach(() => {
  vi.useFakeTimers();
  get.mockReset().mockResolvedValue({ message: [{ quotation: pairs }] });
});

test('when every room has a gap, as after a lost connection, the quotes are read once', async () => {
  await loadTickers();
  expect(gaps).toHaveLength(pairs.length);
  get.mockClear();
  for (const gap of gaps) gap();
  await vi.runAllTimersAsync();
  expect(get).toHaveBeenCalledTimes(1);

  // The next loss is read anew, and what it brings is shown.
  get.mockResolvedValue({ message: [{ quotation: pairs.map((pair) => ({ ...pair, now_price: '2.0' })) }] });
  gaps[0]?.();
  await vi.runAllTimersAsync();
  expect(get).toHaveBeenCalledTimes(2);
  expect(ticker('BTC/USDT')?.now_price).toBe('2.0');
});
