import { amount, cmp, div, mul, rescale, sub, type Amount } from '../../lib/money';

/** A worked example of a new coin, computed by its rules (ids in brackets). USDT has scale 6. */

const USDT = 6;
const usdt = (text: string) => rescale(amount(text), USDT);

/** N-3, N-4: a payment in USDT for a coin of scale 8 with this supply and demand (`wanted`). */
export function coinShare(paid: string, price: string, supply: string, wanted: string): { coins: Amount; cost: Amount; refund: Amount } {
  const own = div(usdt(paid), amount(price), 8);
  const coins = cmp(amount(wanted), amount(supply)) <= 0 ? own : div(mul(amount(supply), own), amount(wanted), 8);
  const cost = mul(coins, amount(price), USDT, 'up');
  return { coins, cost, refund: sub(usdt(paid), cost) };
}
