import { admits, isAccount, SPOT, type Account } from '../../lib/wire';
import type { Coin, TransferRow } from '../../generated/api';
import { since } from '../../lib/days';
import type { Key, Values } from '../../lib/i18n';
import { cmp, sign, sub, type Amount, type Parsed } from '../../lib/money';

export interface Reason {
  text: Key;
  values?: Values;
  /** By how much it exceeds the balance; the screen formats the figure. */
  over?: Amount;
}

/** Coins that both accounts can hold. */
export const movable = ({ from, to }: TransferRoute, coins: readonly Coin[]) => coins.filter((coin) => admits(from, coin) && (to === undefined || admits(to, coin)));

/** Source and target; without an account of an offered product, none is preselected. */
export interface TransferRoute {
  from: Account;
  to: Account | undefined;
}

/** Where a transfer begins: as requested, else from spot to the first other account. */
export function begin(asked: { from: string | null; to: string | null }, accounts: readonly Account[]): TransferRoute {
  const to = isAccount(asked.to) ? asked.to : undefined;
  const from = isAccount(asked.from) ? asked.from : to === SPOT ? accounts.find((account) => account !== SPOT) : SPOT;
  if (from === undefined) return { from: SPOT, to: undefined };
  return { from, to: to !== undefined && to !== from ? to : accounts.find((account) => account !== from) };
}

/** Choosing the account of the other side swaps the two. */
export function choose(side: 'from' | 'to', account: Account, now: TransferRoute): TransferRoute {
  if (side === 'from') return { from: account, to: account === now.to ? now.from : now.to };
  return { from: account === now.from && now.to !== undefined ? now.to : now.from, to: account };
}

interface Form extends TransferRoute {
  coin: Coin | undefined;
  amount: Parsed;
  /** The account is frozen, so nothing can move. */
  frozen: boolean;
  /** Undefined while unknown. */
  available: Amount | undefined;
}

/** Why a transfer cannot be sent, in the engine's order: a freeze, accounts, coin, amount, balance. */
export function validate({ from, to, coin, amount, frozen, available }: Form): Reason[] {
  const reasons: Reason[] = [];
  if (frozen) reasons.push({ text: 'errors.E_ACCOUNT_FROZEN' });
  if (to === undefined || from === to) reasons.push({ text: 'transfer.sameAccount' });
  if (!coin || !admits(from, coin) || (to !== undefined && !admits(to, coin))) reasons.push({ text: 'transfer.wrongCoin' });
  if (!amount.ok) {
    if (amount.reason === 'empty') reasons.push({ text: 'transfer.needAmount' });
    else if (amount.reason === 'scale') reasons.push({ text: 'transfer.scale', values: { code: coin?.code ?? '', scale: coin?.scale ?? 0 } });
    else reasons.push({ text: 'errors.E_AMOUNT' });
  } else if (sign(amount.value) <= 0) reasons.push({ text: 'transfer.needAmount' });
  else if (available === undefined) reasons.push({ text: 'transfer.balanceUnknown' });
  else if (cmp(amount.value, available) > 0) reasons.push({ text: 'transfer.tooMuch', over: sub(amount.value, available) });
  return reasons;
}

export interface RecordFilter {
  account: Account | 'all';
  /** 0 for every coin. */
  coin: number;
  from: number;
}

/** Rows in the range; `complete` once an older one has been read. */
export function filterRecord(rows: readonly TransferRow[], { account, coin, from }: RecordFilter): { rows: TransferRow[]; complete: boolean } {
  const young = since(rows, (row) => row.created_time_ms, from);
  const fits = (row: TransferRow) => (account === 'all' || row.from_field === account || row.to_field === account) && (coin === 0 || row.currency === coin);
  return { rows: young.rows.filter(fits), complete: young.complete };
}
