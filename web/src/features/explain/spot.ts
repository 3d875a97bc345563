import { add, amount, cmp, div, min, mul, part, rescale, sub, type Amount } from '../../lib/money';

/** Worked examples of products that are settled on the spot account, computed by their rules (ids in brackets). USDT has scale 6, BTC 8. */

const USDT = 6;
const BTC = 8;
const HUNDRED = amount('100');
const usdt = (text: string) => rescale(amount(text), USDT);
const times = (n: number) => amount(String(n));

export interface Loan {
  amount: string;
  /** BTC. */
  collateral: string;
  days: number;
  /** Percent of the loan for each day that has begun. */
  rate: string;
}

/** B-4, B-5: what is owed once so many days have begun; a day after the last costs three times as much. */
export function loanDebt(loan: Loan, begun: number): Amount {
  const late = Math.max(0, begun - loan.days);
  const charge = (days: number) => div(mul(mul(usdt(loan.amount), amount(loan.rate)), times(days)), HUNDRED, USDT, 'up');
  return add(usdt(loan.amount), add(charge(begun - late), charge(late * 3)));
}

/** B-8: the highest index, in cents, at which the collateral is sold. */
export const salePrice = (loan: Loan, debt: Amount) => div(mul(debt, HUNDRED), mul(amount(loan.collateral), amount('83')), 2);

/** B-9: what of the collateral a sale takes for the debt and its fee of 2 %, and what comes back. */
export function loanSale(loan: Loan, debt: Amount, index: string): { sold: Amount; back: Amount } {
  const all = rescale(amount(loan.collateral), BTC);
  const sold = min(all, div(add(debt, part(debt, 2, 'up')), amount(index), BTC, 'up'));
  return { sold, back: sub(all, sold) };
}

/** N-3, N-4: a payment in USDT for a coin of scale 8, of which `supply` are there and `wanted` asked for. */
export function coinShare(paid: string, price: string, supply: string, wanted: string): { coins: Amount; cost: Amount; refund: Amount } {
  const own = div(usdt(paid), amount(price), 8);
  const coins = cmp(amount(wanted), amount(supply)) <= 0 ? own : div(mul(amount(supply), own), amount(wanted), 8);
  const cost = mul(coins, amount(price), USDT, 'up');
  return { coins, cost, refund: sub(usdt(paid), cost) };
}

export interface Conversion {
  gross: Amount;
  fee: Amount;
  net: Amount;
  /** USDT that the received coins are worth at an index. */
  worthAt: (index: string) => Amount;
}

/** F-2: USDT into BTC, with a spread and a fee of 0.10 % each. */
export function conversion(paid: string, index: string): Conversion {
  const gross = div(mul(usdt(paid), amount('0.999')), amount(index), BTC);
  const fee = mul(gross, amount('0.001'), BTC, 'up');
  const net = sub(gross, fee);
  return { gross, fee, net, worthAt: (then) => mul(net, amount(then), USDT) };
}

/** G-2: rebates of a day on the fees of friends (20 %) and of those they invited (5 %). */
export function rebates(fees: string, further: string): { direct: Amount; second: Amount; total: Amount } {
  const [direct, second] = [part(usdt(fees), 20), part(usdt(further), 5)];
  return { direct, second, total: add(direct, second) };
}
