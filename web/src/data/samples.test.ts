import { expect, test, vi } from 'vitest';
import { samplesOf } from './samples';

const { get, heard } = vi.hoisted(() => ({ get: vi.fn(), heard: [] as ((event: object) => void)[] }));
vi.mock('../lib/http', async (original) => ({ ...(await original<object>()), api: { get } }));
vi.mock('../lib/socket', async (original) => ({
  ...(await original<object>()),
  subscribe: (_room: object, hear: (event: object) => void) => {
    heard.push(hear);
    return () => {};
  },
}));
// The server's time is known to fractions of a millisecond.
vi.mock('../lib/time', async (original) => ({ ...(await original<object>()), serverNow: () => 1_800_000_000_000.5 }));

test('the last minutes are asked for in whole milliseconds, and each new sample is told once it is one', async () => {
  get.mockResolvedValue({ message: [{ time_ms: 5, price: '97432.15', sources: [] }] });
  const source = samplesOf('BTC/USDT');
  expect(await source.newest()).toEqual([{ at: 5, price: '97432.15' }]);
  expect(get).toHaveBeenCalledExactlyOnceWith('market/index', { symbol: 'BTC/USDT', from_ms: 1_800_000_000_000 - 360_000 });
  expect(samplesOf('BTC/USDT')).toBe(source);
  const shown: object[] = [];
  source.follow((point) => shown.push(point), () => {});
  for (const data of [undefined, { price: 1, time_ms: 6 }, { price: '97433.00', time_ms: 6 }]) heard.at(-1)?.({ data });
  expect(shown).toEqual([{ at: 6, price: '97433.00' }]);
});
