import { useQuery } from '@tanstack/react-query';
import { Refusal } from '../lib/errors';
import { api } from '../lib/http';
import { queryClient } from './query';
import { requireLogin, useLoggedIn } from './session';

const KEY = ['me', 'favourites'];

/** Pair numbers in the member's order. */
export function useFavourites() {
  return useQuery({ queryKey: KEY, enabled: useLoggedIn(), queryFn: async () => (await api.get('favor/list')).message });
}

/**
 * Adds or removes a pair, or makes it what is `wanted`. The change is shown at once and undone if refused; true if made. A guest is sent to
 * login.
 */
export async function toggleFavourite(pair: number, wanted?: boolean): Promise<boolean> {
  if (!requireLogin()) return false;
  const before = queryClient.getQueryData<number[]>(KEY) ?? [];
  const on = before.includes(pair);
  if (on === wanted) return false;
  queryClient.setQueryData(KEY, on ? before.filter((id) => id !== pair) : [...before, pair]);
  try {
    const { message } = await api.post(on ? 'favor/del' : 'favor/add', { match_id: pair });
    queryClient.setQueryData(KEY, message);
    return true;
  } catch (error) {
    // By then the list may belong to another member.
    if (!(error instanceof Refusal && error.code === 'E_SESSION')) queryClient.setQueryData(KEY, before);
    return false;
  }
}
