/**
 * The exact arithmetic of loans (7), as in the engine: money is whole atoms, prices have eight decimals, rates are hundred-millionths,
 * instants are milliseconds, and every amount is rounded once. The reference vectors test it.
 */

const ONE = 100_000_000n;
const ceil = (n: bigint, by: bigint) => (n + by - 1n) / by;
const least = (a: bigint, b: bigint) => (a < b ? a : b);
const pow = (scale: number) => 10n ** BigInt(scale);

/** Scales of the collateral and of the lent coin, which relate a price to atoms. */
export interface Scales {
  collateral: number;
  lent: number;
}

export interface Terms {
  /** Cycle in days. */
  days: number;
  /** For each day begun. */
  rate: bigint;
  /** Multiple of the rate for a day after the cycle. */
  overdue: bigint;
  startLtv: bigint;
  callLtv: bigint;
  liquidationLtv: bigint;
}

/** Value of the collateral in atoms of the lent coin (B-8). */
export const valueOf = (collateral: bigint, price: bigint, { collateral: from, lent: to }: Scales): bigint => (collateral * price * pow(to)) / pow(from + 8);

/** B-2: the smallest collateral for an amount. */
export function smallestCollateral(amount: bigint, price: bigint, { startLtv }: Pick<Terms, 'startLtv'>, { collateral, lent }: Scales): bigint {
  const value = ceil(amount * ONE, startLtv);
  return ceil(value * pow(collateral + 8), price * pow(lent));
}

/** B-1: whether the value of the collateral is enough for the amount. */
export const isCovered = (amount: bigint, value: bigint, { startLtv }: Pick<Terms, 'startLtv'>): boolean => amount * ONE <= value * startLtv;

/** B-1: the largest amount for this value of the collateral. */
export const largestAmount = (value: bigint, { startLtv }: Pick<Terms, 'startLtv'>): bigint => (value * startLtv) / ONE;

/** B-4: the interest of `periods` days that all begin with the same principal. */
export const interestOf = (principal: bigint, rate: bigint, periods: number): bigint => ceil(principal * rate * BigInt(periods), ONE);

/** The debt after `periods` days have begun without a repayment (B-4, B-5). */
export function debtAfter(principal: bigint, { days, rate, overdue }: Pick<Terms, 'days' | 'rate' | 'overdue'>, periods: number): { interest: bigint; penalty: bigint; debt: bigint } {
  const late = Math.max(0, periods - days);
  const interest = interestOf(principal, rate, periods - late);
  const penalty = late ? interestOf(principal, rate * overdue, late) : 0n;
  return { interest, penalty, debt: principal + interest + penalty };
}

export type Level = 'ok' | 'call' | 'liquidation';

/** B-8. */
export function levelOf(debt: bigint, value: bigint, { callLtv, liquidationLtv }: Pick<Terms, 'callLtv' | 'liquidationLtv'>): Level {
  return debt * ONE >= value * liquidationLtv ? 'liquidation' : debt * ONE >= value * callLtv ? 'call' : 'ok';
}

/** B-8: the highest price at which the debt reaches this share of the collateral's value. */
export function priceAtLtv(debt: bigint, collateral: bigint, ltv: bigint, { collateral: from, lent: to }: Scales): bigint {
  const value = (debt * ONE) / ltv;
  return ((value + 1n) * pow(from + 8) - 1n) / (collateral * pow(to));
}

/** Debt as a share of a value, in hundredths of a percent, rounded up; undefined without a value. */
export const ltvOf = (debt: bigint, value: bigint): bigint | undefined => (value > 0n ? ceil(debt * 10_000n, value) : undefined);

export interface Repayment {
  taken: bigint;
  penalty: bigint;
  interest: bigint;
  principal: bigint;
}

/** B-6: what a repayment pays, in this order. */
export function repay(amount: bigint, debt: { penalty: bigint; interest: bigint; principal: bigint }): Repayment {
  const penalty = least(amount, debt.penalty);
  const interest = least(amount - penalty, debt.interest);
  const principal = least(amount - penalty - interest, debt.principal);
  return { taken: penalty + interest + principal, penalty, interest, principal };
}
