import { hashKey, QueryClient } from '@tanstack/react-query';
import { Refusal } from '../lib/errors';

let owner: number | undefined;
/** From now on private reads are this member's: what is kept of one is not found by another. */
export const setOwner = (user: number | undefined) => {
  owner = user;
};

/** Keys of private reads start with `me`; they are dropped when the session ends. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      queryKeyHashFn: (key) => hashKey(key[0] === 'me' ? [...key, owner ?? 'guest'] : key),
      // Only a lost connection is worth repeating, or a session that changed meanwhile: a refusal is an answer.
      retry: (count, error) => count < 2 && error instanceof Refusal && ['E_NETWORK', 'E_SESSION'].includes(error.code),
      networkMode: 'always',
    },
  },
});

export const forgetPrivate = () => queryClient.removeQueries({ queryKey: ['me'] });
export const refreshPrivate = () => void queryClient.invalidateQueries({ queryKey: ['me'] });
/** With the line back, what could not be read while it was gone is read again. */
export const refetchFailed = () => void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
