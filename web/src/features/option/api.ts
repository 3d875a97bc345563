import { useQuery } from '@tanstack/react-query';
import { patchOption } from '../../data/options';
import { refresh } from '../../data/query';
import { OWN_LIMITS, useLoggedIn } from '../../data/session';
import type { OptionOrder } from '../../generated/api';
import { api } from '../../lib/http';
import { wire, type Amount } from '../../lib/money';
import type { Confirmed } from '../../lib/review';
import { readLine } from './samples';

export interface Purchase {
  match_id: number;
  currency_id: number;
  direction: OptionOrder['type'];
  seconds: number;
  stake: Amount;
  /** The displayed rule; under another one nothing is bought. */
  rule: string | null;
}

/** Buys an option; the sheet shows refusals. */
export const buyOption = ({ match_id, currency_id, direction, seconds, stake, rule }: Confirmed<Purchase>) =>
  api.post('microtrade/submit', { match_id, currency_id, type: direction, seconds, number: wire(stake), ...(rule !== null && { rule }) }, { quiet: true, mask: true, kept: 'option' });

/** Updates lists and balances after a purchase; the socket reports the balance a moment later. */
export function bought(option: OptionOrder): void {
  patchOption(option);
  void refresh(['me', 'wallet'], OWN_LIMITS);
}

/** An option with all that decided it; read again from its end until it is settled. */
export function useReceipt(id: number) {
  const enabled = useLoggedIn();
  return useQuery({
    queryKey: ['me', 'optionReceipt', id],
    enabled,
    refetchInterval: ({ state }) => (state.data?.order.status === 1 ? 5_000 : false),
    queryFn: async () => (await api.get('microtrade/receipt', { id })).message,
  });
}

/** The path of the price from open to delivery. */
export const usePath = ({ symbol_name: symbol, open_time_ms: from, delivery_time_ms: to, status }: OptionOrder) =>
  useQuery({ queryKey: ['optionPath', symbol, from, to], enabled: status === 3, staleTime: Infinity, queryFn: () => readLine(symbol, from, to) });

const AROUND = 5_000;
/** Every sample within five seconds of the delivery. */
export const useAround = (order: OptionOrder | undefined) =>
  useQuery({
    queryKey: ['optionAround', order?.symbol_name, order?.delivery_time_ms],
    enabled: order?.status === 3,
    staleTime: Infinity,
    queryFn: async () => {
      const at = order?.delivery_time_ms ?? 0;
      return (await api.get('market/index', { symbol: order?.symbol_name ?? '', from_ms: at - AROUND, to_ms: at + AROUND })).message;
    },
  });
