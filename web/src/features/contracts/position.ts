import type { Position } from '../../generated/api';
import { abs, add, amount, approximate, cmp, div, isZero, mul, rescale, sub, type Amount } from '../../lib/money';
import { distanceOf, isNear, netWith, profitAt, sideOf, some } from '../../lib/position';
import { closeNow, type Closing as Closed, type Stake } from '../../lib/contracts';
import { moneyOf, rate, ticksOf, type Market } from './terms';

/** A position at the present price. Pure. */

export const isWaiting = ({ status }: Position) => status === 0;
export const isHolding = ({ status }: Position) => status === 1;

/** What a close depends on besides the price, which keeps moving: the reviewed position, its size and margin. Its terms never change. */
export interface Closing {
  id: number;
  type: Position['type'];
  share: number;
  multiple: number;
  price: string;
  caution_money: string;
}
/** Undefined once there is nothing to close. */
export function closingOf(position: Position): Closing | undefined {
  const { id, type, share, multiple, price, caution_money } = position;
  return isHolding(position) ? { id, type, share, multiple, price, caution_money } : undefined;
}
/** What setting triggers depends on: also the present triggers, and the prices that bound them. */
export type Triggers = Closing & Pick<Position, 'stop_loss_price' | 'target_profit_price' | 'liquidation_price' | 'cap_price'>;
export function triggersOf(position: Position): Triggers | undefined {
  const { stop_loss_price, target_profit_price, liquidation_price, cap_price } = position;
  const closing = closingOf(position);
  return closing && { ...closing, stop_loss_price, target_profit_price, liquidation_price, cap_price };
}

export const stopOf = (position: Position) => some(position.stop_loss_price);
export const takeOf = (position: Position) => some(position.target_profit_price);

export interface Live {
  mark: Amount;
  /** C-5 at the mark, exact. */
  profit: Amount;
  /** Percent of the margin, 4 decimals. */
  percent: Amount | undefined;
  value: Amount;
  /** Percent by which the price may still move until liquidation, 4 decimals; undefined if it never comes. */
  distance: Amount | undefined;
  near: boolean;
}

const HUNDRED = amount('100');

/** The position with the index at `mark`. */
export function liveOf(position: Position, mark: Amount, quoteScale: number): Live {
  const size = amount(position.number);
  const profit = profitAt(position, mark);
  const margin = amount(position.caution_money);
  const distance = distanceOf(position, mark);
  return {
    mark,
    profit,
    percent: isZero(margin) ? undefined : div(mul(profit, HUNDRED), margin, 4, 'floor'),
    value: mul(size, mark, quoteScale),
    distance,
    near: isNear(distance),
  };
}

/** Positions close to liquidation first, the closest at the top; then the newest. */
export function arrange<T extends { position: Position; live: Live | undefined }>(rows: readonly T[]): T[] {
  const near = ({ live }: T) => (live?.near ? live.distance : undefined);
  return rows.toSorted((a, b) => {
    const [one, other] = [near(a), near(b)];
    if (one && other) return cmp(one, other) || b.position.id - a.position.id;
    return one ? -1 : other ? 1 : b.position.id - a.position.id;
  });
}

/** A position in the units of computation; undefined if its price is not on today's ticks. */
export function stakeOf(position: Position, { tick, quote }: Pick<Market, 'tick' | 'quote'>): Stake | undefined {
  const entry = ticksOf(amount(position.price), tick);
  return entry === undefined ? undefined : { side: sideOf(position), value: rescale(mul(amount(position.number), tick), quote.scale).units, entry };
}

/** The result of closing with the index at `mark`, under the terms that the position was opened with. */
export function closing(position: Position, market: Pick<Market, 'tick' | 'quote'>, mark: bigint): Closed | undefined {
  const stake = stakeOf(position, market);
  return stake && closeNow(stake, amount(position.caution_money).units, amount(position.profit_cap).units, mark, { fee: rate(position.fee_rate), spread: rate(position.spread) });
}

export interface CloseNow {
  price: bigint;
  /** Before the fee. */
  result: Amount;
  fee: Amount;
  /** The amount returned to the account. */
  returned: Amount;
}
/** The result of closing, before and after the fee. */
export function closeResult(position: Position, market: Market, mark: bigint): CloseNow | undefined {
  const found = closing(position, market, mark);
  if (!found) return undefined;
  const margin = amount(position.caution_money).units;
  const money = (atoms: bigint) => moneyOf(atoms, market.quote);
  return { price: found.price, result: money(found.returned + found.feePaid - margin), fee: money(found.feePaid), returned: money(found.returned) };
}

/** The total result of the position, with all fees, if it closes at a trigger's price, in the form shown after that happens. */
export function ifHit(position: Position, market: Market, trigger: Amount): Amount | undefined {
  const ticks = ticksOf(trigger, market.tick);
  const found = ticks === undefined ? undefined : closeResult(position, market, ticks);
  return found && netWith(position, found.returned);
}

export interface Totals {
  /** The account's money plus the result of the positions at the mark. */
  equity: Amount;
  profit: Amount;
  used: Amount;
  free: Amount;
  /** Percent of the account's money that is bound, 4 decimals. */
  share: Amount | undefined;
}
/** The account as a whole; `frozen` is what positions and waiting orders hold. */
export function totals(free: Amount, frozen: Amount, profit: Amount): Totals {
  const money = add(free, frozen);
  return { equity: add(money, profit), profit, used: frozen, free, share: isZero(money) ? undefined : div(mul(frozen, HUNDRED), money, 4, 'up') };
}

export interface Mark {
  name: 'liquidation' | 'stop' | 'profit' | 'open' | 'now';
  /** Between 0 and 1 of the ruler's length. */
  at: number;
}
const PAD = 0.03;
/** The prices of a position on a ruler that is to scale. */
export function ruler(prices: Partial<Record<Mark['name'], Amount | undefined>>): Mark[] {
  const known = Object.entries(prices).filter((entry): entry is [Mark['name'], Amount] => entry[1] !== undefined);
  const places = known.map(([name, price]) => ({ name, value: approximate(price) }));
  const low = Math.min(...places.map(({ value }) => value));
  const high = Math.max(...places.map(({ value }) => value));
  return places.map(({ name, value }) => ({ name, at: high > low ? PAD + ((value - low) / (high - low)) * (1 - 2 * PAD) : 0.5 }));
}

/** A label at its place on a ruler, kept inside at both ends. */
export const placed = (at: number) => (at < 0.15 ? { left: `${at * 100}%` } : at > 0.85 ? { right: `${(1 - at) * 100}%` } : { left: `${at * 100}%`, transform: 'translateX(-50%)' });

/** Distance between two prices in percent of the second, 2 decimals. */
export const apart = (price: Amount, from: Amount): Amount => div(mul(abs(sub(price, from)), HUNDRED), from, 2);
