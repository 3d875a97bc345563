import { useQuery } from '@tanstack/react-query';
import { api } from '../lib/http';

/** Sandbox only: the newest message kept for an address. Nothing is sent outside there. */
export function useOutbox(to: string, enabled: boolean) {
  return useQuery({
    queryKey: ['outbox', to],
    enabled: enabled && to !== '',
    staleTime: 0,
    refetchInterval: 2_000,
    queryFn: async () => (await api.get('/sandbox/outbox', { to, limit: 1 })).message[0] ?? null,
  });
}
