import { api } from '../lib/http';
import { serverNow } from '../lib/time';

/** The newest price whose sources are shown is at most this old. */
const NEWEST = 10_000;

/** The sources of the newest index price of a pair: none if the index is computed from others, undefined while there is no price. */
export async function readSources(symbol: string): Promise<readonly string[] | undefined> {
  const { message } = await api.get('market/index', { symbol, from_ms: Math.floor(serverNow()) - NEWEST });
  return message.at(-1)?.sources.flatMap(({ name, used }) => (used === 1 ? name : []));
}
