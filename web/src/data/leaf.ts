import type { Leaf, Liabilities } from '../generated/api';
import { api, noteSeq } from '../lib/http';
import { Refusal } from '../lib/errors';
import { add, amount, isZero, sub, wire, zero, type Amount } from '../lib/money';
import { ACCOUNT_NUMBER, ACCOUNTS } from '../lib/wire';
import { Fault, type Reason } from '../lib/verify/fault';
import { knownKey } from '../lib/verify/known';
import { checkLeaf, type CheckedLeaf } from '../lib/verify/leaf';
import { checkSameLog } from '../lib/verify/newest';
import { walletGroup } from './balances';
import { useSession } from './session';

/**
 * Finds, on this phone, the member's balance of a coin in what the venue owes all members: the leaf is checked against the signed log, and
 * its balance is compared with the one that the statement gives for the same entry.
 */

export type Found =
  /** `compared`: the statement gives the same balance. It is not read if too much happened since. */
  | { state: 'good'; leaf: Leaf; checked: CheckedLeaf; compared: boolean }
  /** The member had none of the coin and is not in its tree. */
  | { state: 'none' }
  /** No signed head covers the entry of the roots yet. */
  | { state: 'pending' }
  /** The venue has no leaves until its next cut. */
  | { state: 'later' }
  | { state: 'bad'; why: Reason | 'missing' | 'balance' | 'another'; had?: string; leaf?: Leaf }
  /** The check could not run. */
  | { state: 'broken' };

/** Lines of a statement per read, and the most pages of one account. */
const PAGE = 100;
const PAGES = 20;

/** The change of one account from one entry to another; `null` if there is too much to read. */
async function changed(account: (typeof ACCOUNTS)[number], coin: number, since: number, until: number): Promise<Amount | null> {
  let sum = zero();
  // New lines push older ones to the next page.
  const counted = new Set<number>();
  for (let page = 1; page <= PAGES; page++) {
    const { message } = await api.query('wallet/legal_log', { currency: coin, type: ACCOUNT_NUMBER[account], page, limit: PAGE });
    for (const { id, seq, value } of message.list) {
      if (seq <= since) return sum;
      if (seq <= until && !counted.has(id)) sum = add(sum, amount(value));
      counted.add(id);
    }
    if (message.page * message.limit >= message.count) return sum;
  }
  return null;
}

/** The member's balance of a coin after an entry: the present balance less every change since. */
async function hadAfter(coin: number, entry: number): Promise<Amount | null> {
  const { message: wallet, seq } = await api.query('wallet/list');
  // The statement must be as new as the balances.
  noteSeq(seq);
  let had = zero();
  for (const account of ACCOUNTS) {
    const row = walletGroup(wallet, account).balance.find(({ currency }) => currency === coin);
    if (!row) continue;
    const since = await changed(account, coin, entry, seq);
    if (!since) return null;
    had = sub(add(had, add(amount(row[`${account}_balance`]), amount(row[`lock_${account}_balance`]))), since);
  }
  return had;
}

async function notThere(coin: number): Promise<Found> {
  // The answer is of the newest cut, which may have been made since the one on the screen.
  const had = await hadAfter(coin, (await api.get('proof/liabilities')).message.seq);
  if (!had) return { state: 'broken' };
  return isZero(had) ? { state: 'none' } : { state: 'bad', why: 'missing', had: wire(had) };
}

async function compared(leaf: Leaf, cut: Liabilities): Promise<Found> {
  const checked = await checkLeaf(leaf, knownKey());
  await checkSameLog(leaf);
  if (checked.userId !== useSession.getState().user?.id) return { state: 'bad', why: 'another', leaf };
  // The public sums of the same cut must be those of the leaf; a newer cut may have been made since.
  if (leaf.seq < cut.seq) return { state: 'bad', why: 'cut', leaf };
  const { assets } = leaf.seq === cut.seq ? cut : (await api.get('proof/liabilities', { seq: leaf.seq })).message;
  const shown = assets.find(({ currency_id: id }) => id === leaf.currency_id);
  if (shown?.root !== leaf.root || shown.total !== leaf.total) return { state: 'bad', why: 'root', leaf };
  const had = await hadAfter(leaf.currency_id, leaf.seq);
  // With the same decimals: of a coin that was listed later no entry that the leaf shows has them.
  if (had && wire(had) !== leaf.balance) return { state: 'bad', why: 'balance', had: wire(had), leaf };
  return { state: 'good', leaf, checked, compared: had !== null };
}

/** The coins of the member's wallet that the sums leave out; they count as sums of nothing. */
export async function leftOut({ assets }: Liabilities): Promise<Liabilities['assets']> {
  const { message: wallet } = await api.query('wallet/list');
  const names = new Map(ACCOUNTS.flatMap((account) => walletGroup(wallet, account).balance).map((row) => [row.currency, row.currency_name]));
  for (const { currency_id: id } of assets) names.delete(id);
  return [...names].map(([id, name]) => ({ currency_id: id, currency_name: name, total: '0', users: 0, root: '', external: '0', pools: null }));
}

/** Finds the member's balance of a coin; `cut` is what the venue claims to owe. */
export async function findBalance(coin: number, cut: Liabilities): Promise<Found> {
  try {
    const { message: leaf } = await api.get('proof/my_leaf', { currency_id: coin }, { quiet: true });
    return leaf.proof ? await compared(leaf, cut) : { state: 'pending' };
  } catch (error) {
    if (error instanceof Fault) return { state: 'bad', why: error.reason };
    if (error instanceof Refusal && error.code === 'E_NOT_READY') return { state: 'later' };
    if (error instanceof Refusal && error.code === 'E_NOT_FOUND') return notThere(coin).catch((): Found => ({ state: 'broken' }));
    return { state: 'broken' };
  }
}
