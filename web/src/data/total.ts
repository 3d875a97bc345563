import { useQuery } from '@tanstack/react-query';
import type { Commitment } from '../generated/api';
import { commitmentState } from '../lib/commitment';
import { api } from '../lib/http';
import { amount, isZero, type Amount } from '../lib/money';
import { accountsWorth, frozenOf, shownTotal, totalOf, worthOf, type AccountWorth, type PriceOf } from '../lib/total';
import { ACCOUNTS, CONTRACTS } from '../lib/wire';
import { useWallet, walletGroup } from './balances';
import { offers, useConfig } from './config';
import { useOpenOptions } from './options';
import { useOpenProfit } from './positions';
import { useLoggedIn } from './session';
import { usePrices } from './tickers';

/** Running loans, overdue ones first. Under the key of loans, so that they are read again together. */
export function useRunningLoans() {
  const offered = offers(useConfig(), 'loan');
  return useQuery({
    queryKey: ['me', 'loan', 'running'],
    enabled: useLoggedIn() && offered,
    refetchInterval: 60_000,
    queryFn: async () => (await Promise.all([5, 2].map((status) => api.get('user/bosslist', { status, limit: 100 })))).flatMap(({ message }) => message.data),
  });
}

/** The most rows of one answer. */
const PAGE = 100;
/** All of them. A row added while they are read pushes others to the next page, where they are not counted again. */
export async function heldPayments(): Promise<Commitment[]> {
  const all = new Map<number, Commitment>();
  for (let page = 1; ; page++) {
    const { order_list: rows } = (await api.get('lh/send/order_list', { status: 1, page, limit: PAGE })).message;
    for (const row of rows) all.set(row.id, row);
    if (rows.length < PAGE) return [...all.values()];
  }
}

/** Payments for new coins before their launch. Under the key of subscriptions, so that they are read again together. */
function useHeldPayments() {
  const offered = offers(useConfig(), 'subscription');
  return useQuery({
    queryKey: ['me', 'subscription', 'held'],
    enabled: useLoggedIn() && offered,
    queryFn: heldPayments,
  });
}

export interface Total {
  /** Undefined until the balances are known. */
  all: Amount | undefined;
  /** The same as the sum of its parts as they are shown: below `all` by less than a cent for each. */
  shown: Amount | undefined;
  /** Every account at the same prices; empty until the balances are known. */
  accounts: readonly AccountWorth[];
  /** The prices that everything is valued at. */
  price: PriceOf;
  /** Payments for new coins that offerings hold, USDT. */
  committed: Amount;
  /** Debt of loans, USDT. */
  owed: Amount;
}

/** The total value at present prices: one result for every screen that shows a part of it. */
export function useTotal(): Total {
  const wallet = useWallet().data;
  const options = useOpenOptions().data ?? [];
  const loans = useRunningLoans().data ?? [];
  const payments = useHeldPayments().data ?? [];
  const known = new Map(wallet && ACCOUNTS.flatMap((account) => walletGroup(wallet, account).balance.map((row) => [row.currency_name, row.usdt_price] as const)));
  const live = usePrices([...known.keys()].map((code) => `${code}/USDT`));
  const price = (code: string) => live.get(`${code}/USDT`) ?? known.get(code) ?? '0';
  // Positions have margin, so without any margin nothing is read.
  const margin = wallet?.lever_wallet.balance.some((row) => !isZero(frozenOf(row, CONTRACTS))) ?? false;
  const profit = useOpenProfit(margin) ?? amount(wallet?.lever_wallet.unrealised ?? '0');
  const staked = worthOf(options.filter(({ status }) => status === 1).map((option) => ({ code: option.currency_name, amount: option.number })), price);
  const accounts = wallet ? accountsWorth(wallet, price, { profit, staked }) : [];
  const owed = worthOf(loans.map((loan) => ({ code: loan.currency_name, amount: loan.debt })), price);
  // Before the allotment the whole payment, then the part of it that is kept.
  const committed = worthOf(payments.map((paid) => ({ code: paid.currency_name, amount: commitmentState(paid) === 'review' ? paid.amount : paid.charge })), price);
  return { all: wallet && totalOf(accounts, committed, owed), shown: wallet && shownTotal(accounts, committed, owed), accounts, price, committed, owed };
}
