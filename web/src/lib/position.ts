import type { Position } from '../generated/api';
import { amount, mul, sub, type Amount } from './money';

/** Figures of a position on the wire. */

export type Side = 'long' | 'short';
export const sideOf = ({ type }: Position): Side => (type === 1 ? 'long' : 'short');

/** C-5: profit or loss of an open position with the index at `mark`. */
export function profitAt(position: Position, mark: Amount): Amount {
  const [entry, size] = [amount(position.price), amount(position.number)];
  return mul(size, sideOf(position) === 'long' ? sub(mark, entry) : sub(entry, mark), amount(position.caution_money).scale);
}

/** Profit or loss with all fees for this returned amount: the amount less the margin and the opening fee. */
export const netWith = (position: Position, returned: Amount): Amount => sub(sub(returned, amount(position.origin_caution_money)), amount(position.trade_fee));

/** Profit or loss with all fees; undefined while it is open. */
export const netOf = (position: Position): Amount | undefined => (position.status !== 3 || position.returned === null ? undefined : netWith(position, amount(position.returned)));
