import { useQuery } from '@tanstack/react-query';
import type { WalletList } from '../generated/api';
import { api } from '../lib/http';
import { totalOf, worthOf, type Valued } from '../lib/total';
import type { Amount } from '../lib/money';
import { ACCOUNTS } from '../lib/wire';
import { useWallet, walletGroup } from './balances';
import { offers, useConfig } from './config';
import { useOpenOptions } from './options';
import { useLoggedIn } from './session';
import { useIndexPrices } from './tickers';

/** Running loans, the overdue ones first. Below the key of loans, so that it is read again with them. */
export function useRunningLoans() {
  const offered = offers(useConfig(), 'loan');
  return useQuery({
    queryKey: ['me', 'loans', 'running'],
    enabled: useLoggedIn() && offered,
    refetchInterval: 60_000,
    queryFn: async () => (await Promise.all([5, 2].map((status) => api.get('user/bosslist', { status, limit: 100 })))).flatMap(({ message }) => message.data),
  });
}

const rowsOf = (wallet: WalletList) => ACCOUNTS.flatMap((account) => walletGroup(wallet, account).balance.map((row) => ({ code: row.currency_name, price: row.usdt_price, amounts: [row[`${account}_balance`], row[`lock_${account}_balance`]] })));

export interface Total {
  /** Undefined while the balances are not known. */
  all: Amount | undefined;
  /** Stakes of running options, USDT. */
  staked: Amount;
  /** What is owed of loans, USDT. */
  owed: Amount;
  /** The same without interest. */
  borrowed: Amount;
}

/** What all is worth at the prices of now: one answer for every screen that shows a total. */
export function useTotal(): Total {
  const wallet = useWallet().data;
  const options = useOpenOptions().data ?? [];
  const loans = useRunningLoans().data ?? [];
  const rows = wallet ? rowsOf(wallet) : [];
  const known = new Map(rows.map(({ code, price }) => [code, price]));
  const live = useIndexPrices([...known.keys()].map((code) => `${code}/USDT`));
  const price = (code: string) => live.get(`${code}/USDT`) ?? known.get(code) ?? '0';
  const valued = (code: string, amount: string): Valued => ({ amount, price: price(code) });
  const stakes = options.filter(({ status }) => status === 1).map((option) => valued(option.currency_name, option.number));
  const debts = loans.map((loan) => valued(loan.currency_name, loan.debt));
  const balances = rows.flatMap(({ code, amounts }) => amounts.map((amount) => valued(code, amount)));
  return { all: wallet && totalOf({ balances, unrealised: wallet.lever_wallet.unrealised, stakes, debts }), staked: worthOf(stakes), owed: worthOf(debts), borrowed: worthOf(loans.map((loan) => valued(loan.currency_name, loan.outstanding))) };
}
