import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/http';

/** Where to send: addresses by network, or our bank details. */
export function useTarget(currency: number | undefined) {
  return useQuery({
    queryKey: ['me', 'funding', 'target', currency],
    enabled: currency !== undefined,
    queryFn: () => api.query('wallet/get_in_address', { currency: currency ?? 0 }),
  });
}

/** Sends a deposit notice. It credits nothing by itself. */
export function claim(currency: number, amount: string, proof: string, chain?: string, tx?: string) {
  return api.post('wallet/charge_req', { currency, amount, imgs: proof, ...(chain && { netType: chain }), ...(tx && { hash: tx }) }, { quiet: true, mask: true, kept: 'deposit' });
}
