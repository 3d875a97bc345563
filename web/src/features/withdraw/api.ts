import { useQuery } from '@tanstack/react-query';
import { refresh } from '../../data/query';
import { api } from '../../lib/http';
import type { Confirmed } from '../../lib/review';

const terms = (currency: number) => ({
  queryKey: ['me', 'funding', 'info', currency],
  queryFn: async () => (await api.query('wallet/get_info', { currency })).message,
});

/** Terms and limits of a withdrawal now. */
export const useInfo = (currency: number | undefined) => useQuery({ ...terms(currency ?? 0), enabled: currency !== undefined, refetchInterval: 30_000 });

/** Reads the terms again; the form on the screen follows them. */
export const readInfo = (currency: number) => refresh(terms(currency).queryKey);

export interface Order {
  currency: number;
  amount: string;
  /** The displayed amount to arrive: the server refuses if the terms give another sum by then. */
  arrives: string;
  password: string;
  /** The code that was sent to the member; undefined if none is needed. */
  sent: string | undefined;
  otp: string | undefined;
  notes: string;
  to: { address: number; chain: string } | { card: number };
}

/** Requests a withdrawal; two operators review it before it leaves. */
export function withdraw({ order: { currency, amount, arrives, password, sent, otp, notes, to } }: Confirmed<{ order: Order }>) {
  const destination = 'card' in to ? { card_id: to.card, address: '--' } : { address_id: to.address, netType: to.chain };
  return api.post('wallet/out', { currency, number: amount, arrives, ...destination, pay_password: password, ...(sent && { code: sent }), ...(otp && { otp }), ...(notes && { notes }) }, { quiet: true, mask: true, kept: 'withdrawal' });
}

export const cancel = ({ id }: Confirmed<{ id: number }>) => api.post('wallet/out_cancel', { id }, { quiet: true, mask: true, kept: 'cancellation' });
