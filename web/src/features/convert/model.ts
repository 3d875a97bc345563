import type { Coin, FlashCoin, FlashQuote } from '../../generated/api';
import { amount, cmp, div, make, mul, rescale, sign, sub, type Amount, type Parsed } from '../../lib/money';
import type { ProductContext } from '../../lib/productContext';
import { worthIn, type Priced } from './formulas';

/** A coin that can be converted, with its limits. */
export interface Convertible {
  id: number;
  code: string;
  name: string;
  scale: number;
  least: Amount;
  most: Amount;
}

export const convertible = (rows: readonly FlashCoin[], coins: readonly Coin[]): Convertible[] =>
  rows.flatMap((row) => {
    const coin = coins.find(({ id }) => id === row.id);
    return coin ? [{ id: row.id, code: row.name, name: coin.name, scale: coin.scale, least: amount(row.min_number), most: amount(row.max_number) }] : [];
  });

/** The initial pair, and the pair after one side changes: never the same coin twice. */
export interface Pair {
  from: number | undefined;
  to: number | undefined;
}
const USDT = 3;
const first = (ids: readonly number[], ...wanted: (number | undefined)[]) => wanted.find((id) => id !== undefined && ids.includes(id));

export function begin(left: readonly number[], right: readonly number[], from: number | undefined, to: number | undefined): Pair {
  const give = first(left, from, to === USDT ? undefined : USDT) ?? left.find((id) => id !== to);
  const others = right.filter((id) => id !== give);
  return { from: give, to: first(others, to, give === USDT ? undefined : USDT) ?? others[0] };
}

/** Choosing the coin of the other side swaps the two. */
export function choose(side: 'from' | 'to', id: number, pair: Pair): Pair {
  const other = side === 'from' ? 'to' : 'from';
  return pair[other] === id ? { from: pair.to, to: pair.from } : { ...pair, [side]: id };
}

export interface Costs {
  /** Value of the amount at the index prices. */
  worth: Amount;
  spread: Amount;
  fee: Amount;
  net: Amount;
  /** Spread and fee in USDT, and as a percentage of the value that is never overstated. */
  cost: Amount;
  percent: Amount;
}

const PRICE = 8;
const price = (text: string) => rescale(amount(text), PRICE).units;

/** The figures that a quote or its conversion was made at. */
export type Rated = Pick<FlashQuote, 'num' | 'gross' | 'fee' | 'net' | 'index_from' | 'index_to'>;

/** Cost of a quote, in the bought coin and in USDT, rounded up. */
export function costsOf(quote: Rated, from: Pick<Convertible, 'scale'>, to: Pick<Convertible, 'scale'>): Costs {
  const [give, get]: [Priced, Priced] = [
    { scale: from.scale, index: price(quote.index_from) },
    { scale: to.scale, index: price(quote.index_to) },
  ];
  const worth = make(worthIn(rescale(amount(quote.num), from.scale).units, give, get), to.scale);
  const [gross, fee, net] = [quote.gross, quote.fee, quote.net].map((text) => rescale(amount(text), to.scale)) as [Amount, Amount, Amount];
  const lost = sub(worth, net);
  return {
    worth,
    spread: sub(worth, gross),
    fee,
    net,
    cost: mul(lost, make(get.index, PRICE), 6, 'up'),
    percent: sign(worth) > 0 ? div(mul(lost, amount('100')), worth, 4) : amount('0'),
  };
}

/** From half a percent on, the distance to the market is marked. */
export const isFar = ({ percent }: Pick<Costs, 'percent'>) => cmp(percent, amount('0.5')) > 0;

/** One coin in the other, both ways: the effective rate after costs. */
export function ratesOf(quote: FlashQuote, from: Convertible, to: Convertible): { forth: Amount; back: Amount } {
  const [num, gross] = [amount(quote.num), amount(quote.gross)];
  const digits = (scale: number) => Math.max(scale, 2);
  return { forth: div(gross, num, digits(to.scale)), back: sign(gross) > 0 ? div(num, gross, digits(from.scale), 'up') : amount('0') };
}

export interface OrderContext extends ProductContext {
  available: Amount | undefined;
}

export type ReasonName = 'guest' | 'offline' | 'country' | 'unknown' | 'closed' | 'frozen' | 'noPrice' | 'empty' | 'format' | 'decimals' | 'min' | 'max' | 'insufficient';
export interface Reason {
  name: ReasonName;
  /** A figure for the text. */
  value?: Amount;
}

/** Every reason against the conversion, in the server's order. */
export function validate(parsed: Parsed, from: Convertible | undefined, to: Convertible | undefined, context: OrderContext): Reason[] {
  const typed = (): Reason | undefined => {
    if (!parsed.ok) return { name: parsed.reason === 'scale' ? 'decimals' : parsed.reason };
    if (sign(parsed.value) <= 0) return { name: 'empty' };
    if (from && cmp(parsed.value, from.least) < 0) return { name: 'min', value: from.least };
    if (from && cmp(parsed.value, from.most) > 0) return { name: 'max', value: from.most };
    if (context.available && cmp(parsed.value, context.available) > 0) return { name: 'insufficient', value: sub(parsed.value, context.available) };
    return undefined;
  };
  const found: (Reason | false | undefined)[] = [
    !context.loggedIn && { name: 'guest' },
    !context.online && { name: 'offline' },
    context.forbidden && { name: context.forbidden },
    !context.open && { name: 'closed' },
    context.frozen && { name: 'frozen' },
    (!from || !to) && { name: 'noPrice' },
    typed(),
  ];
  return found.filter((reason): reason is Reason => Boolean(reason));
}
