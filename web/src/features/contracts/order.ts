import type { SelfLimits } from '../../generated/api';
import { add, amount, cmp, make, rescale, sub, wire, type Amount, type Parsed } from '../../lib/money';
import type { ProductContext } from '../../lib/productContext';
import type { Side } from '../../lib/position';
import { closeAt, closeNow, closingPrice, fillsAt, isLiquidated, levelsOf, openAt, openingPrice, overnightFee, within, type Levels, type Opening } from '../../lib/contracts';
import { moneyOf, priceOf, ticksOf, type Market } from './terms';

/** A person's input, its outcome, and its errors. Pure. */

export type Kind = 'market' | 'limit';
/** A stop-loss or take-profit; going without one is an explicit choice. */
export type Trigger = Parsed | 'none';

export interface Draft {
  side: Side;
  kind: Kind;
  multiple: number;
  lots: Parsed;
  limit: Parsed;
  stop: Trigger;
  profit: Trigger;
}

const valueOf = (trigger: Trigger): Amount | undefined => (trigger !== 'none' && trigger.ok ? trigger.value : undefined);
export const lotsOf = ({ lots }: Draft): bigint => (lots.ok ? lots.value.units : 0n);
const limitTicks = ({ kind, limit }: Draft, { tick }: Market) => (kind === 'limit' && limit.ok ? ticksOf(limit.value, tick) : undefined);
const triggerTicks = (trigger: Trigger, { tick }: Market) => {
  const price = valueOf(trigger);
  return price && ticksOf(price, tick);
};

export interface Entry {
  /** Execution price, ticks. */
  price: bigint;
  /** The price that triggers are measured from: the index, or the limit of a waiting order. */
  from: bigint;
  waits: boolean;
}

/** The price at which it would be opened; undefined without a price. */
export function entryOf(draft: Pick<Draft, 'side' | 'kind' | 'limit'>, market: Market): Entry | undefined {
  const { mark, terms } = market;
  const executed = mark === undefined ? undefined : openingPrice(draft.side, mark, terms.spread);
  const limit = limitTicks(draft as Draft, market);
  if (draft.kind === 'limit' && !limit) return undefined;
  if (limit && !(executed !== undefined && fillsAt(draft.side, limit, executed))) return { price: limit, from: limit, waits: true };
  return executed !== undefined && mark !== undefined ? { price: executed, from: mark, waits: false } : undefined;
}

export interface Estimate {
  opening: Opening;
  entry: Entry;
  value: Amount;
  margin: Amount;
  fee: Amount;
  /** Closing fee at the opening price. */
  closeFee: Amount;
  /** One overnight fee at the present price. */
  overnight: Amount;
  /** What opening takes from the account, which is also the most that can be lost. */
  lose: Amount;
  /** Liquidation price; undefined if it is never reached. */
  liquidation: Amount | undefined;
  /** Net of all fees if the stop is hit at its price: a loss is above 0. Undefined without a possible stop. */
  atStop: Amount | undefined;
  /** Net of all fees at the take-profit, or at the profit cap without one. Undefined for an impossible one. */
  gain: Amount | undefined;
  capPrice: Amount | undefined;
  levels: Levels;
}

/** What closing at the trigger returns, less what opening took. */
const net = (opening: Opening, mark: bigint, market: Market) => closeNow(opening.stake, opening.margin, opening.cap, mark, market.terms).returned - opening.margin - opening.fee;

/** The outcome; undefined while a figure is missing, or above the largest position. */
export function estimate(draft: Draft, market: Market): Estimate | undefined {
  const entry = entryOf(draft, market);
  const lots = lotsOf(draft);
  if (!entry || lots < 1n) return undefined;
  const opening = openAt(market.terms, draft.side, lots, BigInt(draft.multiple), entry.price);
  if (!opening) return undefined;
  const { stake, notional, margin, fee, liquidation } = opening;
  const money = (atoms: bigint) => moneyOf(atoms, market.quote);
  const stop = triggerTicks(draft.stop, market);
  const profit = triggerTicks(draft.profit, market);
  const levels = levelsOf(draft.side, entry.from, liquidation, opening.capPrice);
  const top = draft.profit === 'none' ? (opening.capPrice > 0n ? opening.capPrice : 1n) : profit !== undefined && within(profit, levels.takeProfit) ? profit : undefined;
  return {
    opening,
    entry,
    value: money(notional),
    margin: money(margin),
    fee: money(fee),
    closeFee: money(closeAt(stake, margin, opening.cap, closingPrice(draft.side, entry.from, market.terms.spread), market.terms.fee).fee),
    overnight: money(overnightFee(stake.value, entry.from, margin, market.terms.overnight)),
    lose: money(margin + fee),
    liquidation: liquidation > 0n ? priceOf(liquidation, market.tick) : undefined,
    atStop: stop !== undefined && within(stop, levels.stopLoss) ? money(-net(opening, stop, market)) : undefined,
    gain: top === undefined ? undefined : money(net(opening, top, market)),
    capPrice: opening.capPrice > 0n ? priceOf(opening.capPrice, market.tick) : undefined,
    levels,
  };
}

/** Fractions for the prefilled triggers: 3 % to the stop, 4.5 % to the take-profit. */
const STOP = 30n;
const PROFIT = 45n;

/** The initial triggers, until a person changes them; the stop is at most half-way to liquidation. */
export function prefill(side: Side, from: bigint, opening: Opening): { stop: bigint; profit: bigint } {
  const { stopLoss, takeProfit } = levelsOf(side, from, opening.liquidation, opening.capPrice);
  const clamp = (price: bigint, { low, high }: { low: bigint; high: bigint }) => (price < low ? low : price > high ? high : price);
  const half = (from + opening.liquidation) / 2n;
  if (side === 'long') {
    const wanted = from - (from * STOP) / 1000n;
    return { stop: clamp(wanted > half ? wanted : half + 1n, stopLoss), profit: clamp(from + (from * PROFIT) / 1000n, takeProfit) };
  }
  const wanted = from + (from * STOP) / 1000n;
  return { stop: clamp(wanted < half ? wanted : half, stopLoss), profit: clamp(from - (from * PROFIT) / 1000n, takeProfit) };
}

/** The most lots that the balance and the largest position allow; undefined without a price. */
export function maxLots(draft: Draft, market: Market, available: Amount, used = 0n): bigint | undefined {
  const entry = entryOf(draft, market);
  if (!entry) return undefined;
  const funds = rescale(available, market.quote.scale).units;
  const fits = (lots: bigint) => {
    const opening = openAt(market.terms, draft.side, lots, BigInt(draft.multiple), entry.price, used);
    return opening !== undefined && draft.multiple <= opening.tier.maxMultiple && opening.margin + opening.fee <= funds;
  };
  let [low, high] = [0n, market.terms.maxLots];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (fits(middle)) low = middle;
    else high = middle - 1n;
  }
  return low;
}

/** The context of an order. */
export interface OrderContext extends ProductContext {
  stale: boolean;
  available: Amount | undefined;
  positions: number;
  waiting: number;
  /** Notional of everything that is open in the pair, atoms (C-16). */
  used: bigint;
  maxPositions: number;
  /** The member's own limits, with what counts against them; undefined until they are known. */
  own: SelfLimits | undefined;
  /** Their own pause goes on. */
  ownPause: boolean;
}

export type FieldName = 'lots' | 'limit' | 'stop' | 'profit' | 'multiple';
export type ReasonName =
  | 'guest' | 'offline' | 'frozen' | 'paused' | 'country' | 'unknown'
  | 'lotsEmpty' | 'lots' | 'lotsMax' | 'multiple' | 'ownMultiple' | 'ownPause' | 'ownLoss'
  | 'limitEmpty' | 'price' | 'tick' | 'stopEmpty' | 'profitEmpty'
  | 'openLimit' | 'stale' | 'tier' | 'tierMultiple' | 'liquidated' | 'profitSide' | 'stopSide' | 'insufficient';
export interface Reason {
  name: ReasonName;
  field?: FieldName;
  low?: Amount;
  high?: Amount;
  count?: number;
}

type PriceField = 'limit' | 'stop' | 'profit';
function priceFault(price: Parsed, field: PriceField, market: Market): Reason | undefined {
  if (!price.ok) return { name: price.reason === 'empty' ? `${field}Empty` : price.reason === 'scale' ? 'tick' : 'price', field };
  if (price.value.units === 0n) return { name: 'price', field };
  return ticksOf(price.value, market.tick) === undefined ? { name: 'tick', field } : undefined;
}
const triggerFault = (trigger: Trigger, field: PriceField, market: Market) => (trigger === 'none' ? undefined : priceFault(trigger, field, market));

function lotsFault({ lots }: Draft, { terms }: Market): Reason | undefined {
  if (!lots.ok) return { name: lots.reason === 'empty' ? 'lotsEmpty' : 'lots', field: 'lots' };
  if (lots.value.units < 1n) return { name: 'lots', field: 'lots' };
  return lots.value.units > terms.maxLots ? { name: 'lotsMax', field: 'lots', high: make(terms.maxLots, 0) } : undefined;
}

/** Whether a trigger is in its allowed range; undefined bounds cannot be met. */
function sideFault(trigger: Trigger, name: 'stopSide' | 'profitSide', bounds: { low: bigint; high: bigint }, market: Market): Reason | undefined {
  const ticks = triggerTicks(trigger, market);
  if (ticks === undefined || within(ticks, bounds)) return undefined;
  return { name, field: name === 'stopSide' ? 'stop' : 'profit', low: priceOf(bounds.low, market.tick), high: priceOf(bounds.high, market.tick) };
}

/** Every reason against the order, in the server's order. */
export function validate(draft: Draft, market: Market, context: OrderContext): Reason[] {
  const { terms } = market;
  const { own } = context;
  const entry = entryOf(draft, market);
  const lots = lotsFault(draft, market);
  const opening = entry && !lots ? openAt(terms, draft.side, lotsOf(draft), BigInt(draft.multiple), entry.price, context.used) : undefined;
  const full = (entry?.waits ? context.waiting : context.positions) >= context.maxPositions;
  const levels = opening && entry && levelsOf(draft.side, entry.from, opening.liquidation, opening.capPrice);
  const cost = opening && moneyOf(opening.margin + opening.fee, market.quote);
  const missing = cost && context.available && sub(cost, context.available);
  const found: (Reason | false | 0 | '' | null | undefined)[] = [
    !context.loggedIn && { name: 'guest' },
    !context.online && { name: 'offline' },
    context.forbidden && { name: context.forbidden },
    !context.open && { name: 'paused' },
    context.frozen && { name: 'frozen' },
    lots,
    !terms.multiples.includes(draft.multiple) && { name: 'multiple', field: 'multiple' },
    own?.leverage_max && draft.multiple > own.leverage_max && { name: 'ownMultiple', field: 'multiple', count: own.leverage_max },
    context.ownPause && { name: 'ownPause' },
    cost && own?.loss_day && cmp(add(cost, amount(own.used.loss_day)), amount(own.loss_day)) > 0 && { name: 'ownLoss', field: 'lots' },
    draft.kind === 'limit' && priceFault(draft.limit, 'limit', market),
    // Triggers are proposed from the price; without one, it is not the person who left them empty.
    market.mark === undefined && { name: 'stale' },
    triggerFault(draft.profit, 'profit', market),
    triggerFault(draft.stop, 'stop', market),
    full && { name: 'openLimit', count: context.maxPositions },
    context.stale && { name: 'stale' },
    !lots && entry && !opening && { name: 'tier', field: 'lots', high: moneyOf(terms.tiers.at(-1)?.bound ?? 0n, market.quote) },
    opening && draft.multiple > opening.tier.maxMultiple && { name: 'tierMultiple', field: 'multiple', count: opening.tier.maxMultiple },
    opening && entry && !entry.waits && isLiquidated(opening.stake, opening.margin, opening.required, entry.from) && { name: 'liquidated', field: 'multiple' },
    levels && sideFault(draft.profit, 'profitSide', levels.takeProfit, market),
    levels && sideFault(draft.stop, 'stopSide', levels.stopLoss, market),
    missing && missing.units > 0n && { name: 'insufficient', field: 'lots', high: missing },
  ];
  return found.filter((reason) => !!reason);
}

/** Risky orders need a box to be ticked: 20 times and more, or more than half of the free balance. */
export const isBold = (draft: Draft, cost: Estimate, available: Amount | undefined) => draft.multiple >= 20 || (available !== undefined && cmp(add(cost.margin, cost.margin), available) > 0);

/** The order in the server's form, without its pair. */
export function toParams(draft: Draft) {
  const price = (trigger: Trigger) => {
    const value = valueOf(trigger);
    return value ? wire(value) : '0';
  };
  return {
    share: parseInt(lotsOf(draft).toString(), 10),
    multiple: draft.multiple,
    type: draft.side === 'long' ? 1 : 2,
    status: draft.kind === 'market' ? 1 : 0,
    ...(draft.kind === 'limit' && { target_price: price(draft.limit) }),
    target_profit_price: price(draft.profit),
    stop_loss_price: price(draft.stop),
  } as const;
}
