import { hashKey, QueryClient } from '@tanstack/react-query';
import { Refusal } from '../lib/errors';

let owner: number | undefined;
/** From now on private reads belong to this member; cached data of one member is never found by another. */
export const setOwner = (user: number | undefined) => {
  owner = user;
};

/** Keys of private reads start with `me`; they are dropped when the session ends. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      queryKeyHashFn: (key) => hashKey(key[0] === 'me' ? [...key, owner ?? 'guest'] : key),
      // Only a lost connection, or a session that changed meanwhile, is worth a retry: a refusal is an answer.
      retry: (count, error) => count < 2 && error instanceof Refusal && ['E_NETWORK', 'E_SESSION'].includes(error.code),
      networkMode: 'always',
    },
  },
});

export const forgetPrivate = () => queryClient.removeQueries({ queryKey: ['me'] });
export const refreshPrivate = () => void queryClient.invalidateQueries({ queryKey: ['me'] });
/** Reads that failed while the connection was lost are repeated. */
export const refetchFailed = () => void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
