import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Coin } from '../generated/api';
import { api } from '../lib/http';
import { refresh } from './query';

/** Coin number of a bank transfer. */
export const BANK = 9999;

/** The requested coin, which may not be among these. The usual coin is chosen only if none was requested. */
export function chosenCoin(coins: readonly Coin[], asked: string | null): Coin | undefined {
  return asked === null ? (coins.find((coin) => coin.code === 'USDT') ?? coins[0]) : coins.find((coin) => String(coin.id) === asked);
}

const PAGE = 30;
const KEY = ['me', 'funding'];

/** Deposit notices, newest first. */
export function useDeposits() {
  return useInfiniteQuery({
    queryKey: [...KEY, 'deposits'],
    initialPageParam: 1,
    refetchInterval: 15_000,
    queryFn: async ({ pageParam }) => (await api.get('charge_mention/log2', { page: pageParam, limit: PAGE })).message,
    getNextPageParam: (last) => (last.current_page < last.last_page ? last.current_page + 1 : undefined),
  });
}

/** Withdrawals, newest first. */
export function useWithdrawals(enabled = true) {
  return useInfiniteQuery({
    enabled,
    queryKey: [...KEY, 'withdrawals'],
    initialPageParam: 1,
    refetchInterval: 15_000,
    queryFn: async ({ pageParam }) => (await api.get('charge_mention/log3', { page: pageParam, limit: PAGE })).message,
    getNextPageParam: (last) => (last.current_page < last.last_page ? last.current_page + 1 : undefined),
  });
}

/** Stored withdrawal addresses of every coin. */
export const useAddresses = () => useQuery({ queryKey: [...KEY, 'addresses'], queryFn: async () => (await api.query('wallet/get_address')).message });

/** Stored bank cards, newest first. */
export const useCards = () => useQuery({ queryKey: [...KEY, 'cards'], queryFn: async () => (await api.get('user/cash_list')).message });

/** Sends a code for withdrawals and addresses to the member's e-mail or phone. */
export const sendCode = async () => (await api.post('set/sms_other_mail', { type: 'operation' }, { quiet: true })).data;

/** After money, an address, a card or an identity changed. */
export const refreshFunding = () => refresh(KEY, ['me', 'wallet'], ['me', 'log'], ['me', 'center']);
