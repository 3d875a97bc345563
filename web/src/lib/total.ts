import type { WalletList, WalletRow } from '../generated/api';
import { add, amount, isZero, mul, neg, rescale, sub, zero, type Amount, type Rounding } from './money';
import { ACCOUNTS, CONTRACTS, OPTIONS, type Account } from './wire';

const USDT_SCALE = 6;

/** USDT for one coin, `0` without a price. */
export type PriceOf = (code: string) => string;

/** Value of an amount of a coin in USDT, rounded down. Every sum adds such values, so that parts add up to their total. */
export const worth = (of: Amount, price: string): Amount => mul(of, amount(price), USDT_SCALE);

const sum = (amounts: readonly Amount[]) => amounts.reduce(add, zero(USDT_SCALE));
/** Amounts of coins in USDT. */
export const worthOf = (rows: readonly { code: string; amount: string }[], price: PriceOf): Amount => sum(rows.map((row) => worth(amount(row.amount), price(row.code))));

export const freeOf = (row: WalletRow, account: Account) => amount(row[`${account}_balance`]);
export const frozenOf = (row: WalletRow, account: Account) => amount(row[`lock_${account}_balance`]);
export const heldOf = (row: WalletRow, account: Account) => add(freeOf(row, account), frozenOf(row, account));

/** An account in USDT: available, frozen and open add up to its total. */
export interface AccountWorth {
  account: Account;
  total: Amount;
  free: Amount;
  /** Includes the stakes of running options. */
  frozen: Amount;
  /** Open profit and loss of contracts. */
  open: Amount;
}

/** The four accounts at these prices. */
export function accountsWorth(wallet: WalletList, price: PriceOf, { profit, staked }: { profit: Amount; staked: Amount }): AccountWorth[] {
  return ACCOUNTS.map((account) => {
    const all = (part: typeof heldOf) => sum(wallet[`${account}_wallet`].balance.map((row) => worth(part(row, account), price(row.currency_name))));
    const [held, frozen] = [all(heldOf), all(frozenOf)];
    const open = account === CONTRACTS ? profit : zero(USDT_SCALE);
    const running = account === OPTIONS ? staked : zero(USDT_SCALE);
    return { account, total: sum([held, running, open]), free: sub(held, frozen), frozen: add(frozen, running), open };
  });
}

/** A member's total: every account and what is committed to new coins, less debt. */
export const totalOf = (accounts: readonly AccountWorth[], committed: Amount, owed: Amount): Amount => sub(sum([...accounts.map(({ total }) => total), committed]), owed);

const CENTS = 2;
/**
 * The total as displayed above its parts: the sum of the displayed parts, so that adding them up gives the same. If that is zero, the
 * exact total with its fractions of a cent.
 */
export function shownTotal(accounts: readonly AccountWorth[], committed: Amount, owed: Amount): Amount {
  const cut = (part: Amount, rounding?: Rounding) => rescale(part, CENTS, rounding);
  const shown = sum([...accounts.map(({ total }) => cut(total)), cut(committed), cut(neg(owed), 'floor')]);
  return isZero(shown) ? totalOf(accounts, committed, owed) : shown;
}
