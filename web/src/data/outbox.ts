import { useQuery } from '@tanstack/react-query';
import { api } from '../lib/http';

/** Sandbox only: the newest stored message for an address. A sandbox sends nothing outside. */
export function useOutbox(to: string, enabled: boolean) {
  return useQuery({
    queryKey: ['outbox', to],
    enabled: enabled && to !== '',
    staleTime: 0,
    refetchInterval: 2_000,
    queryFn: async () => (await api.get('/sandbox/outbox', { to, limit: 1 })).message[0] ?? null,
  });
}
