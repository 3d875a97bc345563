import { api } from '../lib/http';
import { serverNow } from '../lib/time';

/** The newest price is at most so old, as far as its sources are told. */
const NEWEST = 10_000;

/** The sources that the newest price of a pair's index is made of: none where it is computed from other indices, nothing while there is no price. */
export async function readSources(symbol: string): Promise<readonly string[] | undefined> {
  const { message } = await api.get('market/index', { symbol, from_ms: Math.floor(serverNow()) - NEWEST });
  return message.at(-1)?.sources.flatMap(({ name, used }) => (used === 1 ? name : []));
}
