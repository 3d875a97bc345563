import type { Position } from '../generated/api';
import { amount, cmp, div, isZero, mul, sub, zero, type Amount } from './money';

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

/** A price of the wire, where 0 means none. */
export const some = (price: string): Amount | undefined => {
  const value = amount(price);
  return isZero(value) ? undefined : value;
};
export const liquidationOf = (position: Position) => some(position.liquidation_price);

const HUNDRED = amount('100');
const NEAR = amount('5');
/** Percent by which the price may still move until liquidation, 4 decimals; undefined if it never comes. */
export function distanceOf(position: Position, mark: Amount): Amount | undefined {
  const liquidation = liquidationOf(position);
  const left = liquidation && (sideOf(position) === 'long' ? sub(mark, liquidation) : sub(liquidation, mark));
  return left && div(mul(left.units < 0n ? zero(left.scale) : left, HUNDRED), mark, 4);
}
/** A position closer than 5 percent to liquidation needs its owner. */
export const isNear = (distance: Amount | undefined): distance is Amount => distance !== undefined && cmp(distance, NEAR) < 0;
