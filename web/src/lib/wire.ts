import type { Coin, MarketRules } from '../generated/api';

/** Account names of the wire (spot, contract, plan, option), in display order. */
export const ACCOUNTS = ['change', 'lever', 'trust', 'micro'] as const;
export type Account = (typeof ACCOUNTS)[number];

export const SPOT: Account = 'change';
export const CONTRACTS: Account = 'lever';
export const OPTIONS: Account = 'micro';
/** The account that plans are paid from and back to. */
export const TRUST: Account = 'trust';

export const isAccount = (word: string | null): word is Account => (ACCOUNTS as readonly (string | null)[]).includes(word);

/** Numbers of the accounts in the log call. */
export const ACCOUNT_NUMBER: Record<Account, number> = { change: 2, lever: 3, micro: 4, trust: 5 };

/** Log kinds of a transfer into and out of an account. */
export function transferKinds(account: Account): [number, number] {
  const into = { change: 11, lever: 15, micro: 17, trust: 19 }[account];
  return [into, into + 1];
}

/** Whether a coin can be in an account. */
export const admits = (account: Account, coin: Coin) =>
  ({ change: coin.is_match, lever: coin.is_lever, micro: coin.is_micro, trust: coin.is_trust })[account] === 1;

/** A pair as calls name it: by its two coins. */
export const pairParams = ({ currency_id, legal_id }: MarketRules) => ({ currency_id, legal_id });
export type PairParams = ReturnType<typeof pairParams>;
