import { useQuery } from '@tanstack/react-query';
import type { AppConfig, WalletGroup, WalletList, WalletRow } from '../generated/api';
import { api } from '../lib/http';
import { amount, isZero } from '../lib/money';
import { ACCOUNTS, CONTRACTS, OPTIONS, SPOT, type Account } from '../lib/wire';
import { offers, useConfig } from './config';
import { queryClient, refresh, refreshSoon } from './query';
import { useLoggedIn } from './session';

export interface BalanceChange {
  currency_id: number;
  account: Account;
  avail: string;
  frozen: string;
}

const KEY = ['me', 'wallet'];

export function useWallet() {
  return useQuery({ queryKey: KEY, enabled: useLoggedIn(), queryFn: async () => (await api.query('wallet/list')).message });
}

export const walletGroup = (wallet: WalletList, account: Account): WalletGroup => wallet[`${account}_wallet`];

export interface Balance {
  avail: string;
  frozen: string;
  row: WalletRow;
}

/** One coin in one account; undefined until loaded, so that "not known" never reads as "0". */
export function useBalance(account: Account, coin: number | undefined): Balance | undefined {
  const wallet = useWallet().data;
  const row = wallet && walletGroup(wallet, account).balance.find((r) => r.currency === coin);
  return row && { avail: row[`${account}_balance`], frozen: row[`lock_${account}_balance`], row };
}

/** The accounts to show. One whose product is not offered is shown only while it holds money. */
export function accountsOf(config: AppConfig | undefined, wallet: WalletList | undefined): Account[] {
  const has = (account: Account) =>
    account === SPOT ||
    (account === OPTIONS ? offers(config, 'option') : account === CONTRACTS ? offers(config, 'contract') : offers(config, 'plan')) ||
    (wallet !== undefined && walletGroup(wallet, account).balance.some((row) => !isZero(amount(row[`${account}_balance`])) || !isZero(amount(row[`lock_${account}_balance`]))));
  return ACCOUNTS.filter(has);
}
export function useAccounts(): Account[] {
  const config = useConfig();
  return accountsOf(config, useWallet().data);
}

/** After money moved: balances and their changes are read again. */
export const refreshWallet = () => refresh(KEY, ['me', 'log']);

/** New values of a `balance` event. Totals and changes are read again shortly after. */
export function patchBalances(changes: BalanceChange[]): void {
  queryClient.setQueryData<WalletList>(KEY, (wallet) => {
    if (!wallet) return wallet;
    const next = { ...wallet };
    for (const account of ACCOUNTS) {
      const name = `${account}_wallet` as const;
      next[name] = { ...next[name], balance: next[name].balance.map((row) => changes.reduce((r, change) => patchRow(r, change, account), row)) };
    }
    return next;
  });
  refreshSoon(KEY, ['me', 'log']);
}

function patchRow(row: WalletRow, { currency_id, account, avail, frozen }: BalanceChange, group: Account): WalletRow {
  if (row.currency !== currency_id) return row;
  const own = account === group ? { balance: avail, lock_balance: frozen } : {};
  return { ...row, [`${account}_balance`]: avail, [`lock_${account}_balance`]: frozen, ...own };
}
