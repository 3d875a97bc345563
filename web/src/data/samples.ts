import type { LinePoint, LineSource } from '../lib/candles';
import { fetchCode } from '../lib/code';
import { api } from '../lib/http';
import { subscribe } from '../lib/socket';
import { serverNow } from '../lib/time';

/** How much of the past the live line starts with. */
const PAST = 6 * 60_000;

const sources = new Map<string, LineSource>();

/** The samples of a pair's index. */
export function samplesOf(symbol: string): LineSource {
  const known = sources.get(symbol);
  if (known) return known;
  const source: LineSource = {
    key: symbol,
    sources: async () => (await fetchCode(() => import('./sources'))).readSources(symbol),
    newest: async () => {
      const { message } = await api.get('market/index', { symbol, from_ms: Math.floor(serverNow()) - PAST });
      return message.map(({ time_ms, price }) => ({ at: time_ms, price }));
    },
    follow: (show, again) =>
      subscribe(
        { channel: 'index', symbol },
        (event) => {
          const { price, time_ms } = (event.data ?? {}) as Record<string, unknown>;
          if (typeof price === 'string' && typeof time_ms === 'number') show({ at: time_ms, price } satisfies LinePoint);
        },
        again,
      ),
  };
  sources.set(symbol, source);
  return source;
}
