import { hashKey, QueryClient, type QueryKey } from '@tanstack/react-query';
import { Refusal } from '../lib/errors';

let owner: number | undefined;
/** From now on private reads belong to this member; cached data of one member is never found by another. */
export const setOwner = (user: number | undefined) => {
  owner = user;
};

/** How often a read is repeated after a refusal: most often one of too many reads, because those compete for the next places. */
const TRIES: Partial<Record<string, number>> = { E_NETWORK: 2, E_SESSION: 2, E_RATE: 5 };
const waitFor = ({ data }: Refusal) => (typeof data.retry_ms === 'number' ? data.retry_ms : undefined);

/** Keys of private reads start with `me`; they are dropped when the session ends. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      queryKeyHashFn: (key) => hashKey(key[0] === 'me' ? [...key, owner ?? 'guest'] : key),
      // Only a lost connection, a session that changed meanwhile, or too many reads are worth a retry: any other refusal is an answer.
      retry: (count, error) => error instanceof Refusal && count < (TRIES[error.code] ?? 0),
      retryDelay: (count, error) => ((error instanceof Refusal && waitFor(error)) || 1_000) * 2 ** count,
      networkMode: 'always',
    },
  },
});

export const forgetPrivate = () => queryClient.removeQueries({ queryKey: ['me'] });
/** Reads these again, and all that start like them: at once if a screen shows them. */
export const refresh = (...keys: QueryKey[]) => Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
export const refreshPrivate = () => void refresh(['me']);

/** Time in which the events of a burst are gathered, ms. */
const GATHER = 300;
/** What is about to be read again; true if it changed once more meanwhile. */
const soon = new Map<string, boolean>();

async function readAgain(queryKey: QueryKey, id: string): Promise<void> {
  do {
    await new Promise((wake) => setTimeout(wake, GATHER));
    soon.set(id, false);
    await refresh(queryKey);
  } while (soon.get(id));
  soon.delete(id);
}

/** What an event says has changed is read again a moment later: once for many events, and never while the read before still runs. */
export function refreshSoon(...keys: QueryKey[]): void {
  for (const key of keys) {
    const id = hashKey(key);
    const running = soon.has(id);
    soon.set(id, true);
    if (!running) void readAgain(key, id);
  }
}

/** Reads that failed while the connection was lost are repeated. */
export const refetchFailed = () => void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
