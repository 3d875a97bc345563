import { add, amount, mul, sub, zero, type Amount } from './money';

/** An amount of a coin, and what one of it is worth in USDT. */
export interface Valued {
  amount: string;
  price: string;
}

export interface Holdings {
  /** All coins of all accounts. */
  balances: readonly Valued[];
  /** Open profit and loss of contracts, USDT. */
  unrealised: string | undefined;
  /** Stakes of running options. */
  stakes: readonly Valued[];
  /** What is owed of loans. */
  debts: readonly Valued[];
}

const USDT_SCALE = 6;
export const worthOf = (rows: readonly Valued[]): Amount => rows.reduce((sum, row) => add(sum, mul(amount(row.amount), amount(row.price), USDT_SCALE)), zero(USDT_SCALE));

/** What a member has in all: every account, what runs, and less what is owed. */
export const totalOf = ({ balances, unrealised, stakes, debts }: Holdings): Amount => sub(add(add(worthOf(balances), worthOf(stakes)), unrealised === undefined ? zero() : amount(unrealised)), worthOf(debts));
