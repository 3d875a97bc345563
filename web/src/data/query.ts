import { QueryClient } from '@tanstack/react-query';
import { Refusal } from '../lib/errors';

/** Keys of private reads start with `me`; they are dropped when the session ends. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // Only a lost connection is worth repeating: a refusal is an answer.
      retry: (count, error) => count < 2 && error instanceof Refusal && error.code === 'E_NETWORK',
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

export const forgetPrivate = () => queryClient.removeQueries({ queryKey: ['me'] });
export const refreshPrivate = () => void queryClient.invalidateQueries({ queryKey: ['me'] });
/** With the line back, what could not be read while it was gone is read again. */
export const refetchFailed = () => void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
