import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { refresh } from '../../data/query';
import { useLoggedIn } from '../../data/session';
import type { Loan } from '../../generated/api';
import { api } from '../../lib/http';
import { wire, type Amount } from '../../lib/money';
import type { Confirmed } from '../../lib/review';

/** Named like the kind of notices about loans, which have it read again. */
const KEY = ['me', 'loan'];
const PAGE = 20;
/** More than a member can have at once. */
const LIVE = 100;
/** Interest is charged by the day, and prices are followed separately. */
const AGAIN = 30_000;

const TERMS = ['loanProducts'];
/** The terms changed since they were read. */
export const readLoanTerms = () => refresh(TERMS);

/** Loan products, with the terms of new loans and the hash of their rule. */
export const useLoanProducts = () => useQuery({ queryKey: TERMS, staleTime: 60_000, queryFn: async () => (await api.get('user/bossconfig')).message });

/** Loans that wait, run or are overdue, newest first. */
export const useLiveLoans = () =>
  useQuery({
    queryKey: [...KEY, 'live'],
    enabled: useLoggedIn(),
    refetchInterval: AGAIN,
    queryFn: async () => (await Promise.all([1, 2, 5].map((status) => api.get('user/bosslist', { status, limit: LIVE })))).flatMap(({ message }) => message.data).toSorted((a, b) => b.id - a.id),
  });

/** All loans, page by page. */
export const useLoans = () =>
  useInfiniteQuery({
    queryKey: [...KEY, 'all'],
    enabled: useLoggedIn(),
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => (await api.get('user/bosslist', { page: pageParam, limit: PAGE })).message.data,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length + 1),
  });

export const useLoan = (id: number | undefined) =>
  useQuery({ queryKey: [...KEY, 'one', id], enabled: useLoggedIn() && id !== undefined, refetchInterval: AGAIN, queryFn: async () => (await api.get('user/bossdetail', { id: id ?? 0 })).message });

export const refreshLoans = () => refresh(KEY, ['me', 'wallet']);

export interface Application {
  product: number;
  amount: Amount;
  coin: number;
  collateral: Amount;
  /** The displayed rule; under another one the application is refused. */
  rule: string;
}
export const applyForLoan = ({ product, amount, coin, collateral, rule }: Confirmed<Application>) =>
  api.post('user/bossorder', { config_id: product, amount: wire(amount), collateral: wire(collateral), collateral_currency_id: coin, rule }, { quiet: true, mask: true, kept: 'loan' });
/** Debt and collateral of a loan under review, while it is repaid or secured. */
export type Owed = Pick<Loan, 'id' | 'debt' | 'penalty_due' | 'interest_due' | 'outstanding' | 'collateral'>;
/** A part, or the whole displayed debt; a higher debt, after a new day began, is refused. */
export const repayLoan = ({ id, debt }: Confirmed<Owed>, part: Amount | undefined) => api.post('user/bossrepay', part ? { id, amount: wire(part) } : { id, all: 1, max_debt: debt }, { quiet: true, mask: true, kept: 'repayment' });
export const addCollateral = ({ id }: Confirmed<Owed>, amount: Amount) => api.post('user/bosscollateral', { id, amount: wire(amount) }, { quiet: true, mask: true, kept: 'collateral' });
export const cancelLoan = (id: number) => api.post('user/bosscancel', { id }, { quiet: true });
