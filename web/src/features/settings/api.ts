import { queryClient } from '../../data/query';
import { loadTickers } from '../../data/tickers';

/** Bytes of the answers in the app's memory. */
export function cacheSize(): number {
  const encoder = new TextEncoder();
  return queryClient
    .getQueryCache()
    .getAll()
    .reduce((bytes, { state }) => bytes + (state.data === undefined ? 0 : encoder.encode(JSON.stringify(state.data)).length), 0);
}

/** Removes every cached answer and reads again what is on the screen; session, language and appearance stay. */
export async function clearCache(): Promise<void> {
  queryClient.removeQueries({ type: 'inactive' });
  await Promise.all([queryClient.resetQueries(), loadTickers()]);
}
