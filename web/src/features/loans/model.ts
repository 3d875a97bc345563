import type { Loan, LoanProduct } from '../../generated/api';
import { add, amount, cmp, make, max, min, rescale, sign, sub, type Amount, type Parsed } from '../../lib/money';
import type { ProductContext } from '../../lib/productContext';
import { DAY } from '../../lib/time';
import { debtAfter, isCovered, largestAmount, levelOf, ltvOf, priceAtLtv, smallestCollateral, valueOf, type Level, type Scales, type Terms } from './formulas';

/** What a loan needs of a coin. */
export interface Coin {
  id: number;
  code: string;
  scale: number;
}

const PRICE = 8;
const HUNDREDTHS = 2;
/** A percentage of the wire in hundred-millionths. */
const rate = (percent: string) => rescale(amount(percent), 6).units;
const units = (value: Amount, scale: number) => rescale(value, scale).units;
export const priceUnits = (text: string) => units(amount(text), PRICE);

/** The terms of a loan; a running one has its own. */
type Made = Marks & Pick<LoanProduct, 'day' | 'interest_rate' | 'overdue_multiplier'>;

export const termsOf = (product: Made): Terms => ({
  days: product.day,
  rate: rate(product.interest_rate),
  overdue: BigInt(product.overdue_multiplier),
  startLtv: rate(product.start_ltv),
  callLtv: rate(product.call_ltv),
  liquidationLtv: rate(product.liquidation_ltv),
});
/** The thresholds of a loan's health, in percent. */
export type Marks = Pick<LoanProduct, 'start_ltv' | 'call_ltv' | 'liquidation_ltv'>;

/** Debt as a percentage of its collateral's value. */
export const percentOf = (debt: bigint, value: bigint): Amount | undefined => {
  const share = ltvOf(debt, value);
  return share === undefined ? undefined : make(share, HUNDREDTHS);
};
const priceOf = (value: bigint) => make(value, PRICE);

export interface Estimate {
  /** Value of the collateral, in the lent coin. */
  value: Amount;
  ltv: Amount | undefined;
  interest: Amount;
  /** Payable on the due date. */
  total: Amount;
  /** Prices of margin call and liquidation, with all interest to the due date. */
  callPrice: Amount | undefined;
  salePrice: Amount | undefined;
  covered: boolean;
}

export interface Sides {
  lent: Coin;
  coin: Coin;
}
const scalesOf = ({ lent, coin }: Sides): Scales => ({ collateral: coin.scale, lent: lent.scale });

/** The cost of a loan, and the price at which its collateral would be sold. */
export function estimate(sides: Sides, product: LoanProduct, borrowed: Amount, collateral: Amount, price: string): Estimate {
  const [terms, scales] = [termsOf(product), scalesOf(sides)];
  const [principal, held] = [units(borrowed, scales.lent), units(collateral, scales.collateral)];
  const value = valueOf(held, priceUnits(price), scales);
  const { interest, debt } = debtAfter(principal, terms, terms.days);
  const at = (ltv: bigint) => (held > 0n ? priceOf(priceAtLtv(debt, held, ltv, scales)) : undefined);
  return {
    value: make(value, scales.lent),
    ltv: percentOf(principal, value),
    interest: make(interest, scales.lent),
    total: make(debt, scales.lent),
    callPrice: at(terms.callLtv),
    salePrice: at(terms.liquidationLtv),
    covered: isCovered(principal, value, terms),
  };
}

/** With less than this, a small fall would lead to a refusal at the approval. */
const THIN = amount('3');
export const isThin = ({ ltv }: Estimate, { start_ltv: start }: LoanProduct): boolean => ltv !== undefined && cmp(add(ltv, THIN), amount(start)) > 0;

/** B-2. */
export const smallest = (sides: Sides, product: LoanProduct, borrowed: Amount, price: string): Amount =>
  make(smallestCollateral(units(borrowed, sides.lent.scale), priceUnits(price), termsOf(product), scalesOf(sides)), sides.coin.scale);

/** More than the smallest, in percent: room for a fall of the price until the approval. */
export const ROOM = 2;

/** The most that is lent against the free collateral with room, at most the product's maximum. */
export function largest(sides: Sides, product: LoanProduct, available: Amount | undefined, price: string | undefined): Amount {
  const most = rescale(amount(product.max_amount), sides.lent.scale);
  if (!available || price === undefined) return most;
  const scales = scalesOf(sides);
  const held = (units(available, scales.collateral) * 100n) / BigInt(100 + ROOM);
  return min(most, make(largestAmount(valueOf(held, priceUnits(price), scales), termsOf(product)), scales.lent));
}

/** A collateral plus `percent` of it, rounded up. */
export const withMore = (value: Amount, percent: number): Amount => make((value.units * BigInt(100 + percent) + 99n) / 100n, value.scale);

/** The collateral that the form fills in: the smallest with room, as far as that is free. */
export function withRoom(least: Amount, available: Amount | undefined): Amount {
  const more = withMore(least, ROOM);
  return available ? min(more, max(least, available)) : more;
}

export interface Health {
  value: Amount | undefined;
  ltv: Amount | undefined;
  level: Level | undefined;
  /** With the present debt. */
  callPrice: Amount | undefined;
  salePrice: Amount | undefined;
}

/** The health of a running loan at a price. */
export function healthOf(loan: Pick<Loan, 'debt' | 'collateral'>, sides: Sides, terms: Terms, price: string | undefined): Health {
  const scales = scalesOf(sides);
  const [debt, held] = [units(amount(loan.debt), scales.lent), units(amount(loan.collateral), scales.collateral)];
  const value = price === undefined ? undefined : valueOf(held, priceUnits(price), scales);
  const at = (ltv: bigint) => (held > 0n && debt > 0n ? priceOf(priceAtLtv(debt, held, ltv, scales)) : undefined);
  return {
    value: value === undefined ? undefined : make(value, scales.lent),
    ltv: value === undefined ? undefined : percentOf(debt, value),
    level: value === undefined ? undefined : levelOf(debt, value, terms),
    callPrice: at(terms.callLtv),
    salePrice: at(terms.liquidationLtv),
  };
}

export const isRunning = ({ status }: Loan) => status === 2 || status === 5;

/** The server's answer may be this old. */
const BEHIND = 1_500;
/** The number of periods of 24 hours that have ended since the payout (B-4). */
export const periodOf = ({ start_at_ms: start }: Pick<Loan, 'start_at_ms'>, now: number) => (start === null ? 0 : Math.floor((now - BEHIND - start) / DAY));
/** Days until a loan is due, including the one that has begun; negative once overdue days count. Taken at the same instant as its debt. */
export const daysLeft = ({ day, periods }: Pick<Loan, 'day' | 'periods'>) => (periods > day ? day - periods : day - periods + 1);

/** Order by urgency: overdue, then called, then by due date, then waiting. */
const urgency = (loan: Loan) => (loan.status === 5 ? 0 : loan.margin_call ? 1 : loan.status === 2 ? 2 : 3);
export const byUrgency = (loans: readonly Loan[]) => loans.toSorted((a, b) => urgency(a) - urgency(b) || (a.end_at_ms ?? 0) - (b.end_at_ms ?? 0) || b.id - a.id);

export interface OrderContext extends ProductContext {
  verified: boolean;
  stale: boolean;
  /** Free collateral in Spot. */
  available: Amount | undefined;
}

export interface Draft {
  product: LoanProduct | undefined;
  /** Whose limits the form shows until one is chosen. */
  offered?: LoanProduct | undefined;
  amount: Parsed;
  collateral: Parsed;
}

export type Field = 'amount' | 'cycle' | 'collateral';
export type ReasonName = 'guest' | 'offline' | 'country' | 'unknown' | 'closed' | 'frozen' | 'identity' | 'cycle' | 'stale' | 'empty' | 'format' | 'decimals' | 'min' | 'max' | 'ltv' | 'insufficient';
export interface Reason {
  name: ReasonName;
  field?: Field;
  value?: Amount;
}

const typed = (parsed: Parsed, field: Field): Reason | undefined => {
  if (!parsed.ok) return { name: parsed.reason === 'scale' ? 'decimals' : parsed.reason, field };
  return sign(parsed.value) <= 0 ? { name: 'empty', field } : undefined;
};

/** Why this amount cannot be lent. */
export function amountFault({ product, amount: parsed }: Pick<Draft, 'product' | 'amount'>): Reason | undefined {
  const fault = typed(parsed, 'amount');
  if (fault || !parsed.ok || !product) return fault;
  const [least, most] = [amount(product.min_amount), amount(product.max_amount)];
  if (cmp(parsed.value, least) < 0) return { name: 'min', field: 'amount', value: least };
  return cmp(parsed.value, most) > 0 ? { name: 'max', field: 'amount', value: most } : undefined;
}

/** Every reason against an application, in the server's order. */
export function validate(draft: Draft, context: OrderContext, cost: Estimate | undefined, least: Amount | undefined): Reason[] {
  const over = draft.collateral.ok && context.available ? sub(draft.collateral.value, context.available) : undefined;
  const found: (Reason | false | undefined)[] = [
    !context.loggedIn && { name: 'guest' },
    !context.online && { name: 'offline' },
    context.forbidden && { name: context.forbidden },
    !context.open && { name: 'closed' },
    context.frozen && { name: 'frozen' },
    context.loggedIn && !context.verified && { name: 'identity' },
    amountFault({ ...draft, product: draft.product ?? draft.offered }),
    !draft.product && { name: 'cycle', field: 'cycle' },
    context.stale && { name: 'stale' },
    typed(draft.collateral, 'collateral'),
    cost && !cost.covered && { name: 'ltv', field: 'collateral', ...(least && { value: least }) },
    over && sign(over) > 0 && { name: 'insufficient', field: 'collateral', value: over },
  ];
  return found.filter((reason): reason is Reason => Boolean(reason));
}
