import { beforeEach, expect, test, vi } from 'vitest';

type Listener = (event: object) => void;
const { gaps, get, rooms } = vi.hoisted(() => ({ gaps: [] as (() => void)[], get: vi.fn(), rooms: new Map<string, Listener>() }));
vi.mock('../lib/socket', () => ({
  socketStatus: () => 'live',
  subscribe: ({ channel, symbol }: { channel: string; symbol: string }, listener: Listener, gap?: () => void) => {
    rooms.set(`${channel} ${symbol}`, listener);
    if (gap) gaps.push(gap);
    return () => {};
  },
}));
vi.mock('../lib/http', () => ({ api: { get } }));

const { loadTickers, newestPriceAt, pairPrice, priceAge, ticker } = await import('./tickers');
const { setServerTime } = await import('../lib/time');

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

  // After the next loss the quotes are read again, and the result is shown.
  get.mockResolvedValue({ message: [{ quotation: pairs.map((pair) => ({ ...pair, now_price: '2.0' })) }] });
  gaps[0]?.();
  await vi.runAllTimersAsync();
  expect(get).toHaveBeenCalledTimes(2);
  expect(ticker('BTC/USDT')?.now_price).toBe('2.0');
});

/** A read that the test answers. */
function reading(): (rows: object[]) => Promise<void> {
  let give: (answer: object) => void = () => {};
  get.mockReturnValueOnce(new Promise((done) => (give = done)));
  const read = loadTickers();
  return (rows) => {
    give({ message: [{ quotation: rows }] });
    return read;
  };
}
const day = (now_price: string, time_ms: number) => rooms.get('daymarket BTC/USDT')?.({ symbol: 'BTC/USDT', seq: 1, time_ms, stale: 0, now_price, index_price: now_price });
const quoted = (now_price: string, index_at_ms: number) => [{ ...pairs[0], now_price, index_at_ms }];
const price = () => ticker('BTC/USDT')?.now_price;

test('an event wins over a list that was asked for before it, and a list over an event of before (F34)', async () => {
  await reading()(quoted('1.0', 1_000));
  const older = reading();
  day('2.0', 3_000);
  await older(quoted('1.5', 2_000));
  expect(price()).toBe('2.0');
  // An event waiting to be shown is older than a list that was requested after it.
  await reading()(quoted('3.0', 4_000));
  await vi.runAllTimersAsync();
  expect(price()).toBe('3.0');
  // On a slow connection an event may be older than what was read meanwhile.
  const newer = reading();
  day('3.5', 4_500);
  await newer(quoted('4.0', 5_000));
  day('3.6', 4_600);
  expect(price()).toBe('4.0');
  // A halt counts however late its event comes.
  rooms.get('market_status BTC/USDT')?.({ symbol: 'BTC/USDT', seq: 1, time_ms: 1, open_coin_trade: 0 });
  expect(ticker('BTC/USDT')?.open_coin_trade).toBe(0);
});

test('an older list does not come after a newer one (F34)', async () => {
  const first = reading();
  await reading()(quoted('6.0', 20_000));
  await first(quoted('5.0', 10_000));
  expect(price()).toBe('6.0');
});

test('a price that the line kept back for ten seconds is ten seconds old (F32)', async () => {
  const start = 1_000_000_000;
  vi.setSystemTime(start);
  setServerTime(start, 0);
  await reading()(quoted('7.0', start));
  expect(priceAge('BTC/USDT')).toEqual({ age: 0, stale: false });
  vi.advanceTimersByTime(15_000);
  day('8.0', start + 5_000);
  await vi.runAllTimersAsync();
  expect(priceAge('BTC/USDT').stale).toBe(true);
  expect(priceAge('BTC/USDT').age).toBeGreaterThanOrEqual(10_000);
});

test('a coin is worth what its pair says now: its index, or without one its last trade or issue price; and nothing before that', async () => {
  const row = (symbol: string, now_price: string, index_price: string | null) => ({ ...pairs[0], symbol, now_price, index_price });
  await reading()([row('BTC/USDT', '100000.00', '100000.00'), row('NOVA/USDT', '0.5100', null), row('DUST/USDT', '0.0000', null)]);
  expect(['BTC', 'NOVA', 'DUST', 'GONE'].map((code) => pairPrice(`${code}/USDT`))).toEqual(['100000.00', '0.5100', undefined, undefined]);
});

test('prices are as old as the newest of them, whatever else is told of a pair', async () => {
  await reading()([{ ...pairs[0], index_price: null, index_at_ms: null }]);
  expect(newestPriceAt()).toBe(0);
  await reading()(pairs.map((pair, n) => ({ ...pair, index_at_ms: 50_000 + n })));
  expect(newestPriceAt()).toBe(50_002);
  // The sources are away: the pair is reported as stale repeatedly, at later instants.
  rooms.get('daymarket BTC/USDT')?.({ symbol: 'BTC/USDT', seq: 9, time_ms: 90_000, stale: 1, now_price: '1.0', index_price: '1.0' });
  await vi.runAllTimersAsync();
  expect(newestPriceAt()).toBe(50_002);
});
