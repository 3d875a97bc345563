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

/** What was won or lost with all fees: what came back, less the margin and the fee of opening; undefined while it is open. */
export function netOf(position: Position): Amount | undefined {
  if (position.status !== 3 || position.returned === null) return undefined;
  return sub(sub(amount(position.returned), amount(position.origin_caution_money)), amount(position.trade_fee));
}
