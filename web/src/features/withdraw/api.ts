import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/http';

/** Terms and limits of a withdrawal now. */
export function useInfo(currency: number | undefined) {
  return useQuery({
    queryKey: ['me', 'funding', 'info', currency],
    enabled: currency !== undefined,
    refetchInterval: 30_000,
    queryFn: async () => (await api.query('wallet/get_info', { currency: currency ?? 0 })).message,
  });
}

interface Order {
  currency: number;
  amount: string;
  password: string;
  otp: string | undefined;
  notes: string;
  to: { address: number; chain: string } | { card: number };
}

/** Asks for a withdrawal; two people look at it before it leaves. */
export function withdraw({ currency, amount, password, otp, notes, to }: Order) {
  const destination = 'card' in to ? { card_id: to.card, address: '--' } : { address_id: to.address, netType: to.chain };
  return api.post('wallet/out', { currency, number: amount, ...destination, pay_password: password, ...(otp && { otp }), ...(notes && { notes }) }, { quiet: true, mask: true });
}

export const cancel = (id: number) => api.post('wallet/out_cancel', { id }, { quiet: true, mask: true });
