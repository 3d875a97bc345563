import type { Loan, LoanProduct } from '../../generated/api';
import { add, amount, cmp, make, min, rescale, sign, sub, type Amount, type Parsed } from '../../lib/money';
import { debtAfter, isCovered, largestAmount, levelOf, ltvOf, priceAtLtv, smallestCollateral, valueOf, type Level, type Scales, type Terms } from './formulas';

/** A coin as a loan sees it. */
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

/** The terms that a loan is made on: a running one carries its own. */
type Made = Marks & Pick<LoanProduct, 'day' | 'interest_rate' | 'overdue_multiplier' | 'liquidation_fee'>;

export const termsOf = (product: Made): Terms => ({
  days: product.day,
  rate: rate(product.interest_rate),
  overdue: BigInt(product.overdue_multiplier),
  startLtv: rate(product.start_ltv),
  callLtv: rate(product.call_ltv),
  liquidationLtv: rate(product.liquidation_ltv),
  liquidationFee: rate(product.liquidation_fee),
});
/** The lines of a loan's health, in percent. */
export type Marks = Pick<LoanProduct, 'start_ltv' | 'call_ltv' | 'liquidation_ltv'>;

/** Debt as a percentage of what secures it. */
export const percentOf = (debt: bigint, value: bigint): Amount | undefined => {
  const share = ltvOf(debt, value);
  return share === undefined ? undefined : make(share, HUNDREDTHS);
};
const priceOf = (value: bigint) => make(value, PRICE);

export interface Estimate {
  /** What the collateral is worth, in the coin that is lent. */
  value: Amount;
  ltv: Amount | undefined;
  interest: Amount;
  /** To be paid on the due date. */
  total: Amount;
  /** From here down the member is warned, and from there down the collateral is sold: with all interest to the due date. */
  callPrice: Amount | undefined;
  salePrice: Amount | undefined;
  covered: boolean;
}

export interface Sides {
  lent: Coin;
  coin: Coin;
}
const scalesOf = ({ lent, coin }: Sides): Scales => ({ collateral: coin.scale, lent: lent.scale });

/** What a loan would cost, and when its collateral would be sold. */
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

/** A small fall would already refuse it at approval. */
const THIN = amount('3');
export const isThin = ({ ltv }: Estimate, { start_ltv: start }: LoanProduct): boolean => ltv !== undefined && cmp(add(ltv, THIN), amount(start)) > 0;

/** B-2. */
export const smallest = (sides: Sides, product: LoanProduct, borrowed: Amount, price: string): Amount =>
  make(smallestCollateral(units(borrowed, sides.lent.scale), priceUnits(price), termsOf(product), scalesOf(sides)), sides.coin.scale);

/** The most that is lent against the collateral that is free, and never more than the product lends to one. */
export function largest(sides: Sides, product: LoanProduct, available: Amount | undefined, price: string | undefined): Amount {
  const most = rescale(amount(product.max_amount), sides.lent.scale);
  if (!available || price === undefined) return most;
  const scales = scalesOf(sides);
  return min(most, make(largestAmount(valueOf(units(available, scales.collateral), priceUnits(price), scales), termsOf(product)), scales.lent));
}

/** A collateral and `percent` more of it, rounded up. */
export const withMore = (value: Amount, percent: number): Amount => make((value.units * BigInt(100 + percent) + 99n) / 100n, value.scale);

export interface Health {
  value: Amount | undefined;
  ltv: Amount | undefined;
  level: Level | undefined;
  /** With what is owed now. */
  callPrice: Amount | undefined;
  salePrice: Amount | undefined;
}

/** How a running loan stands at a price. */
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

export const isLive = ({ status }: Loan) => status === 1 || status === 2 || status === 5;
export const isRunning = ({ status }: Loan) => status === 2 || status === 5;

const DAY = 86_400_000;
/** The server may answer from a moment ago. */
const BEHIND = 1_500;
/** How many periods of 24 hours have ended since a loan was paid out (B-4). */
export const periodOf = ({ start_at_ms: start }: Pick<Loan, 'start_at_ms'>, now: number) => (start === null ? 0 : Math.floor((now - BEHIND - start) / DAY));
/** Days until a loan is due, the one that has begun counted; negative once they count as overdue. They are of the same instant as its debt. */
export const daysLeft = ({ day, periods }: Pick<Loan, 'day' | 'periods'>) => (periods > day ? day - periods : day - periods + 1);

/** What needs the member first: overdue, then called, then by due date, then what waits. */
const urgency = (loan: Loan) => (loan.status === 5 ? 0 : loan.margin_call ? 1 : loan.status === 2 ? 2 : 3);
export const byUrgency = (loans: readonly Loan[]) => loans.toSorted((a, b) => urgency(a) - urgency(b) || (a.end_at_ms ?? 0) - (b.end_at_ms ?? 0) || b.id - a.id);

export interface OrderContext {
  loggedIn: boolean;
  online: boolean;
  verified: boolean;
  frozen: boolean;
  open: boolean;
  forbidden: 'country' | 'unknown' | undefined;
  stale: boolean;
  /** Collateral that is free in Spot. */
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

/** Why this amount is not lent. */
export function amountFault({ product, amount: parsed }: Pick<Draft, 'product' | 'amount'>): Reason | undefined {
  const fault = typed(parsed, 'amount');
  if (fault || !parsed.ok || !product) return fault;
  const [least, most] = [amount(product.min_amount), amount(product.max_amount)];
  if (cmp(parsed.value, least) < 0) return { name: 'min', field: 'amount', value: least };
  return cmp(parsed.value, most) > 0 ? { name: 'max', field: 'amount', value: most } : undefined;
}

/** Everything in the way of an application, in the order in which the server refuses. */
export function validate(draft: Draft, standing: OrderContext, cost: Estimate | undefined, least: Amount | undefined): Reason[] {
  const over = draft.collateral.ok && standing.available ? sub(draft.collateral.value, standing.available) : undefined;
  const found: (Reason | false | undefined)[] = [
    !standing.loggedIn && { name: 'guest' },
    !standing.online && { name: 'offline' },
    standing.forbidden && { name: standing.forbidden },
    !standing.open && { name: 'closed' },
    standing.frozen && { name: 'frozen' },
    standing.loggedIn && !standing.verified && { name: 'identity' },
    amountFault({ ...draft, product: draft.product ?? draft.offered }),
    !draft.product && { name: 'cycle', field: 'cycle' },
    standing.stale && { name: 'stale' },
    typed(draft.collateral, 'collateral'),
    cost && !cost.covered && { name: 'ltv', field: 'collateral', ...(least && { value: least }) },
    over && sign(over) > 0 && { name: 'insufficient', field: 'collateral', value: over },
  ];
  return found.filter((reason): reason is Reason => Boolean(reason));
}
