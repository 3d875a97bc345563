import { amount, cmp, floorTo, isZero, make, mul, rescale, sub, trim, type Amount, type Parsed } from '../../lib/money';
import type { ProductContext } from '../../lib/productContext';
import { best, byFunds, crosses, estimate, limits, outside, parsed, type Draft, type FieldName, type Market } from './order';

/** Why an order would be refused, in the engine's order (`docs/rules.md` 2.4). Pure. */

export interface OrderContext extends ProductContext {
  stale: boolean;
  /** Free balance of the coin that is paid; undefined while unknown. */
  available: Amount | undefined;
  /** Waiting orders of this pair, and how many are allowed. */
  openOrders: number;
  maxOrders: number;
}

export type ReasonName =
  | 'guest'
  | 'offline'
  | 'frozen'
  | 'paused'
  | 'country'
  | 'unknown'
  | 'empty'
  | 'format'
  | 'decimals'
  | 'tick'
  | 'step'
  | 'qtyMin'
  | 'qtyMax'
  | 'notionalMin'
  | 'notionalMax'
  | 'stale'
  | 'band'
  | 'stopSide'
  | 'postOnly'
  | 'maxOrders'
  | 'insufficient'
  | 'insufficientSell'
  | 'noLiquidity';

export interface Reason {
  name: ReasonName;
  /** The field that shows it and that the main button focuses. */
  field?: FieldName;
  values?: Record<string, Amount>;
}

/** Not an amount above zero. Too many decimals are checked with the steps. */
function unreadable(input: Parsed, field: FieldName): Reason | undefined {
  const name = input.ok ? isZero(input.value) && 'empty' : input.reason !== 'scale' && input.reason;
  return name ? { name, field } : undefined;
}

const multiple = (a: Amount, step: Amount) => cmp(floorTo(a, step), a) === 0;

function checkPrice(input: Parsed, field: 'price' | 'stop', { rules }: Market): Reason | undefined {
  const tick: Reason = { name: 'tick', field, values: { tick: trim(amount(rules.tick)) } };
  const isOff = input.ok ? !multiple(input.value, amount(rules.tick)) : input.reason === 'scale';
  return isOff ? tick : undefined;
}

function checkQuantity(draft: Draft, { rules, base, quote }: Market): (Reason | undefined)[] {
  const field = 'size' as const;
  const step: Reason = { name: 'step', field, values: { step: trim(amount(rules.step)) } };
  if (!draft.size.ok) return draft.size.reason !== 'scale' ? [] : [byFunds(draft) ? { name: 'decimals', field, values: { most: make(BigInt(quote.scale), 0) } } : step];
  const size = draft.size.value;
  if (isZero(size) || byFunds(draft)) return [];
  const over = rules.max_qty !== null && cmp(size, amount(rules.max_qty)) > 0;
  return [
    multiple(size, amount(rules.step)) ? undefined : step,
    cmp(size, amount(rules.min_qty)) < 0 ? { name: 'qtyMin', field, values: { min: rescale(amount(rules.min_qty), base.scale) } } : undefined,
    over ? { name: 'qtyMax', field, values: { max: amount(rules.max_qty as string) } } : undefined,
  ];
}

function checkNotional(draft: Draft, market: Market): Reason | undefined {
  const size = parsed(draft.size);
  const price = draft.kind === 'market' ? market.reference : parsed(draft.price);
  if (!size || isZero(size) || (!byFunds(draft) && (!price || isZero(price)))) return undefined;
  const value = byFunds(draft) ? size : mul(size, price as Amount, market.quote.scale);
  const { min_notional: least, max_notional: most } = market.rules;
  if (cmp(value, amount(least)) < 0) return { name: 'notionalMin', field: 'size', values: { min: amount(least) } };
  if (cmp(value, amount(most)) > 0) return { name: 'notionalMax', field: 'size', values: { max: amount(most) } };
  return undefined;
}

function checkStop(draft: Draft, market: Market): Reason | undefined {
  const stop = parsed(draft.stop);
  if (draft.kind !== 'stop_limit' || !stop || !market.reference) return undefined;
  const ahead = cmp(stop, market.reference) === (draft.side === 'buy' ? 1 : -1);
  return ahead ? undefined : { name: 'stopSide', field: 'stop', values: { ref: market.reference } };
}

function checkFunds(draft: Draft, market: Market, available: Amount | undefined): Reason | undefined {
  const pay = estimate(draft, market)?.pay;
  if (!pay || !available || cmp(pay, available) <= 0) return undefined;
  if (draft.side === 'sell') return { name: 'insufficientSell', field: 'size', values: { available } };
  return { name: 'insufficient', field: 'size', values: { more: sub(pay, available), available } };
}

/** Every reason against the order, in the engine's order; the main button shows the first. */
export function validate(draft: Draft, market: Market, context: OrderContext): Reason[] {
  const { side, kind } = draft;
  const isMarket = kind === 'market';
  const stale: Reason | undefined = context.stale || !market.reference ? { name: 'stale' } : undefined;
  const price = parsed(draft.price);
  const off = !isMarket && price && outside(price, side, market) ? limits(side, market) : undefined;
  const mayRest = kind === 'stop_limit' || (!isMarket && !/ioc|fok/.test(draft.tif));
  const tooMany = mayRest && context.openOrders >= context.maxOrders;
  const nobody = isMarket && market.book && !best(draft, market.book);
  const found = [
    context.loggedIn ? undefined : ({ name: 'guest' } as const),
    context.online ? undefined : ({ name: 'offline' } as const),
    context.frozen ? ({ name: 'frozen' } as const) : undefined,
    context.open ? undefined : ({ name: 'paused' } as const),
    context.forbidden && ({ name: context.forbidden } as const),
    isMarket ? stale : unreadable(draft.price, 'price'),
    unreadable(draft.size, 'size'),
    isMarket ? undefined : checkPrice(draft.price, 'price', market),
    ...checkQuantity(draft, market),
    checkNotional(draft, market),
    isMarket ? undefined : stale,
    off && ({ name: 'band', field: 'price', values: off } as const),
    kind === 'stop_limit' ? (unreadable(draft.stop, 'stop') ?? checkPrice(draft.stop, 'stop', market) ?? checkStop(draft, market)) : undefined,
    kind === 'limit' && draft.tif === 'post_only' && crosses(draft, market) ? ({ name: 'postOnly', field: 'price' } as const) : undefined,
    tooMany ? ({ name: 'maxOrders', values: { max: make(BigInt(context.maxOrders), 0) } } as const) : undefined,
    checkFunds(draft, market, context.available),
    nobody ? ({ name: 'noLiquidity' } as const) : undefined,
  ];
  return found.filter((reason): reason is Reason => Boolean(reason));
}
