import { expect, test, vi } from 'vitest';
import { candleFeed, candlesOf } from './candles';
import { samplesOf } from './samples';

const get = vi.hoisted(() => vi.fn());
vi.mock('../lib/http', async (original) => ({ ...(await original<object>()), api: { get } }));

const sample = (...sources: [name: string, used: 0 | 1][]) => ({ sources: sources.map(([name, used]) => ({ name, used })) });

test('the sources of a chart are those that its newest price is made of', async () => {
  get.mockResolvedValue({ message: [sample(['alder', 1]), sample(['alder', 1], ['birch', 0], ['cedar', 1])] });
  expect(await candlesOf('BTC/USDT', 'index').sources?.()).toEqual(['alder', 'cedar']);
  expect(await samplesOf('BTC/USDT').sources()).toEqual(['alder', 'cedar']);
  expect(get).toHaveBeenCalledWith('market/index', expect.objectContaining({ symbol: 'BTC/USDT' }));
  // A computed index has no sources of its own, and without a price nothing is known.
  get.mockResolvedValue({ message: [sample()] });
  expect(await samplesOf('ETH/BTC').sources()).toEqual([]);
  get.mockResolvedValue({ message: [] });
  expect(await samplesOf('ETH/BTC').sources()).toBeUndefined();
});

test('trades here have no sources, and nobody has to trade at each time', () => {
  expect(candlesOf('BTC/USDT', 'trade').sources).toBeUndefined();
  expect(['index', 'trade'].map((series) => candleFeed('BTC/USDT', '1min', series as 'index').steady)).toEqual([true, false]);
});
