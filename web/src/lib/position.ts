import type { Position } from '../generated/api';
import { amount, mul, sub, type Amount } from './money';

/** What a position of the wire says. */

export type Side = 'long' | 'short';
export const sideOf = ({ type }: Position): Side => (type === 1 ? 'long' : 'short');

/** C-5: what an open position has won or lost with the index at `mark`. */
export function profitAt(position: Position, mark: Amount): Amount {
  const [entry, size] = [amount(position.price), amount(position.number)];
  return mul(size, sideOf(position) === 'long' ? sub(mark, entry) : sub(entry, mark), amount(position.caution_money).scale);
}

/** What is won or lost with all fees when so much comes back: it less the margin and the fee of opening. */
export const netWith = (position: Position, returned: Amount): Amount => sub(sub(returned, amount(position.origin_caution_money)), amount(position.trade_fee));

/** What was won or lost with all fees; undefined while it is open. */
export const netOf = (position: Position): Amount | undefined => (position.status !== 3 || position.returned === null ? undefined : netWith(position, amount(position.returned)));
