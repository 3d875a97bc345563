import { pairParams } from '../../lib/wire';
import type { MarketRules } from '../../generated/api';
import { add, amount, cmp, div, floorTo, isZero, make, min, mul, part, rescale, sign, sub, wire, zero, type Amount, type Parsed } from '../../lib/money';
import type { Book, Level } from './book';

/** A spot order as in the form: its meaning, cost and proceeds. Pure. */

export type Side = 'buy' | 'sell';
export type Kind = 'limit' | 'market' | 'stop_limit';
export type Tif = 'gtc' | 'ioc' | 'fok' | 'post_only';
export type FieldName = 'price' | 'size' | 'stop';

export interface Draft {
  side: Side;
  kind: Kind;
  tif: Tif;
  price: Parsed;
  /** Base quantity; the money to spend for a market buy. */
  size: Parsed;
  /** Trigger of a stop-limit order. */
  stop: Parsed;
}

interface Unit {
  code: string;
  scale: number;
}
export interface Market {
  rules: MarketRules;
  base: Unit;
  quote: Unit;
  /** Fresh index price, or the last trade of a pair without an index (S-5). */
  reference: Amount | undefined;
  /** Undefined until the book is known. */
  book: Book | undefined;
}

export const parsed = (input: Parsed): Amount | undefined => (input.ok ? input.value : undefined);
/** A market buy is sized by the money to spend. */
export const byFunds = ({ side, kind }: Draft) => kind === 'market' && side === 'buy';
/** The coin that is given: quote for a buy, base for a sale. */
export const payUnit = (draft: Draft, market: Market): Unit => (draft.side === 'buy' ? market.quote : market.base);
export const receiveUnit = (draft: Draft, market: Market): Unit => (draft.side === 'buy' ? market.base : market.quote);
export const sizeUnit = (draft: Draft, market: Market): Unit => (byFunds(draft) ? market.quote : market.base);

/** `percent` of an amount at a scale; limits and fees are exact until this rounding. */
const percentOf = (a: Amount, percent: string, scale: number, rounding: 'up' | 'down') => {
  const exact = mul(a, amount(percent));
  return rescale(make(exact.units, exact.scale + 2), scale, rounding);
};

interface Filled {
  base: Amount;
  value: Amount;
  /** Nothing of the order is left. */
  complete: boolean;
}

/** What a market order would take from the book now, computed as in the engine (S-3, S-6). */
function walk(draft: Draft, market: Market): Filled | undefined {
  const size = parsed(draft.size);
  if (!size || !market.book) return undefined;
  const buy = draft.side === 'buy';
  const step = amount(market.rules.step);
  let base = zero(market.base.scale);
  let value = zero(market.quote.scale);
  for (const [price, quantity] of buy ? market.book.asks : market.book.bids) {
    const at = amount(price);
    if (outside(at, draft.side, market) === 'worse') break;
    const left = buy ? floorTo(div(sub(size, value), at, market.base.scale), step) : floorTo(sub(size, base), step);
    const take = min(left, amount(quantity));
    if (sign(take) <= 0) break;
    base = rescale(add(base, take), market.base.scale);
    value = rescale(add(value, mul(take, at)), market.quote.scale);
    if (cmp(take, left) === 0) return { base, value, complete: true };
  }
  return { base, value, complete: false };
}

export interface Estimate {
  /** Given at most. */
  pay: Amount;
  /** Base bought or sold; undefined while the book is unknown. */
  quantity: Amount | undefined;
  /** Quantity times price before the fee. */
  value: Amount | undefined;
  fee: Amount | undefined;
  /** After the fee. A limit order gets at least this when it fills, a market order about this. */
  receive: Amount | undefined;
  /** Average price of a market order, rounded as the server rounds the one of its receipt. */
  average: Amount | undefined;
  /** Whether the book cannot fill a market order completely. */
  partial: boolean;
}

/** The fee in percent: a post-only order pays as maker. */
export const feeRate = (draft: Draft, { rules }: Market) => (draft.kind === 'limit' && draft.tif === 'post_only' ? rules.maker_fee : rules.taker_fee);

/** Cost and proceeds of the order; the fee is taken from the received coin (S-9). */
export function estimate(draft: Draft, market: Market): Estimate | undefined {
  const size = parsed(draft.size);
  if (!size || sign(size) <= 0) return undefined;
  const price = parsed(draft.price);
  if (draft.kind !== 'market' && (!price || sign(price) <= 0)) return undefined;
  const filled = draft.kind === 'market' ? walk(draft, market) : { base: size, value: mul(size, price as Amount, market.quote.scale, 'down'), complete: true };
  const gross = filled && (draft.side === 'buy' ? filled.base : filled.value);
  const unit = receiveUnit(draft, market);
  const fee = gross && percentOf(gross, feeRate(draft, market), unit.scale, 'up');
  return {
    pay: draft.side === 'sell' || byFunds(draft) ? size : (filled as Filled).value,
    quantity: filled?.base,
    value: filled?.value,
    fee,
    receive: gross && fee && rescale(sub(gross, fee), unit.scale),
    average: filled && !isZero(filled.base) ? div(filled.value, filled.base, market.rules.price_digits, 'nearest') : undefined,
    partial: filled !== undefined && !filled.complete && !isZero(filled.base),
  };
}

const band = ({ rules }: Market, side: Side) => (side === 'buy' ? rules.band_buy : rules.band_sell) as [string, string];

/** Lowest and highest limit price within the band, on a tick. */
export function limits(side: Side, market: Market): { low: Amount; high: Amount } | undefined {
  if (!market.reference) return undefined;
  const [low, high] = band(market, side);
  const digits = market.rules.price_digits;
  return { low: percentOf(market.reference, low, digits, 'up'), high: percentOf(market.reference, high, digits, 'down') };
}

/** The side of the band on which a limit price lies. */
export function outside(price: Amount, side: Side, market: Market): 'worse' | 'better' | undefined {
  const bounds = limits(side, market);
  if (!bounds) return undefined;
  const [low, high] = [cmp(price, bounds.low) < 0, cmp(price, bounds.high) > 0];
  if (!low && !high) return undefined;
  return (side === 'buy') === high ? 'worse' : 'better';
}

/** The best level of the other side. */
export const best = (draft: Draft, book: Book | undefined): Level | undefined => (draft.side === 'buy' ? book?.asks[0] : book?.bids[0]);

/** Whether a limit price would trade at once. */
export function crosses(draft: Draft, market: Market): boolean {
  const price = parsed(draft.price);
  const other = best(draft, market.book);
  return Boolean(price && other && cmp(price, amount(other[0])) !== (draft.side === 'buy' ? -1 : 1));
}

/** What the visible book would trade at the limit or better, if that is less than the order asks for. */
export function shortOf(draft: Draft, { base, book }: Market): Amount | undefined {
  const [price, size] = [parsed(draft.price), parsed(draft.size)];
  if (!price || !size || !book) return undefined;
  const buy = draft.side === 'buy';
  const reached = (buy ? book.asks : book.bids).filter(([at]) => cmp(amount(at), price) !== (buy ? 1 : -1));
  const there = reached.reduce((sum, [, quantity]) => add(sum, amount(quantity)), zero(base.scale));
  return cmp(there, size) < 0 ? rescale(there, base.scale) : undefined;
}

/** The size that `percent` of the free balance buys or sells. */
export function sizeFor(draft: Draft, market: Market, available: Amount, percent: number): Amount | undefined {
  const share = part(available, percent);
  if (byFunds(draft)) return share;
  const step = amount(market.rules.step);
  if (draft.side === 'sell') return floorTo(share, step);
  const price = parsed(draft.price);
  return price && sign(price) > 0 ? floorTo(div(share, price, market.base.scale), step) : undefined;
}

export interface Distance {
  /** Distance of the limit from the current price, in price. */
  by: Amount;
  below: boolean;
  /** Over 1 %: shown as a caution. */
  away: boolean;
  /** Over 5 %: caution. */
  far: boolean;
  /** Over 20 %: needs a tick. */
  veryFar: boolean;
}

/** How far a limit price is from the current price. */
export function distance(draft: Draft, market: Market): Distance | undefined {
  const price = parsed(draft.price);
  if (draft.kind === 'market' || !price || !market.reference || isZero(market.reference)) return undefined;
  const difference = sub(price, market.reference);
  const by = make(difference.units < 0n ? -difference.units : difference.units, difference.scale);
  const beyond = (percent: string) => cmp(mul(by, amount('100')), mul(market.reference as Amount, amount(percent))) > 0;
  return { by, below: sign(difference) < 0, away: beyond('1'), far: beyond('5'), veryFar: beyond('20') };
}

/** The parameters of `coin/trade`. */
export function toParams(draft: Draft, rules: MarketRules) {
  const [price, size, stop] = [parsed(draft.price), parsed(draft.size), parsed(draft.stop)];
  if (!size) throw new TypeError('an order without a size');
  return {
    ...pairParams(rules),
    type: draft.side === 'buy' ? 1 : 2,
    order_type: draft.kind,
    ...(byFunds(draft) ? { funds: wire(size) } : { amount: wire(size) }),
    ...(draft.kind !== 'market' && price && { target_price: wire(price) }),
    ...(draft.kind === 'stop_limit' && stop && { stop_price: wire(stop) }),
    ...(draft.kind === 'limit' && { tif: draft.tif }),
  };
}
