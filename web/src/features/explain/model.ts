import { add, amount, div, make, max, mul, neg, rescale, sub, zero, type Amount } from '../../lib/money';

/** Worked examples of products that this server does not offer, computed by their rules (ids in brackets). USDT has scale 6. */

const USDT = 6;
const one = (text: string) => rescale(amount(text), USDT);

export interface PlanExit {
  /** Full days counted. */
  day: number;
  interest: Amount;
  damages: Amount;
  penalty: Amount;
  back: Amount;
  net: Amount;
}

export interface Plan {
  amount: string;
  days: number;
  /** Percent a day. */
  daily: string;
  /** Percent for each remaining day. */
  damage: string;
}

/** P-3 to P-5: what an early redemption after `day` counted days pays back; on the last day nothing is deducted. */
export function planExit(plan: Plan, day: number): PlanExit {
  const held = one(plan.amount);
  const rated = (rate: string, times: string, rounding: 'down' | 'up') => mul(held, mul(div(amount(rate), amount('100'), 8), amount(times)), USDT, rounding);
  const left = plan.days - day;
  const interest = rated(plan.daily, String(day), 'down');
  const damages = rated(plan.damage, String(left), 'up');
  const penalty = left === 0 ? zero(USDT) : rated(plan.daily, '1.5', 'up');
  const net = max(sub(sub(interest, damages), penalty), sub(interest, held));
  return { day, interest, damages, penalty, back: add(held, net), net };
}

/** First day on which an early redemption costs nothing. */
export function breakEvenDay(plan: Plan): number {
  let day = 0;
  while (planExit(plan, day).net.units < 0n) day += 1;
  return day;
}

/** Contract terms of BTC/USDT: prices in ticks of 0.01, rates in hundred-millionths, `kv` in 0.000001 USDT for a lot and a tick. */
const E8 = 100_000_000n;
const CONTRACT = { kv: 10n, spread: 10_000n, fee: 50_000n, maintenance: 500_000n, liquidationFee: 300_000n, overnight: 30_000n, capTimes: 10n };
const up = (n: bigint, d: bigint) => (n + d - 1n) / d;
const least = (a: bigint, b: bigint) => (a < b ? a : b);
const ticks = (price: string) => rescale(amount(price), 2).units;
const price = (n: bigint) => make(n, 2);
const money = (n: bigint) => make(n, USDT);

export interface ContractExample {
  entry: Amount;
  value: Amount;
  margin: Amount;
  openFee: Amount;
  overnight: Amount;
  liquidation: Amount;
  /** Margin and opening fee. */
  lose: Amount;
  /** At the profit cap, after both fees. */
  gain: Amount;
  /** Result after fees when the position is closed with the index at a price. */
  closedAt: (mark: string) => Amount;
  /** Result when the index reaches the liquidation price. */
  liquidated: Amount;
}

/** C-1 to C-12 for a long position of the first tier. */
export function longExample(markText: string, lots: bigint, multiple: bigint): ContractExample {
  const { kv, spread, fee, maintenance, liquidationFee, overnight, capTimes } = CONTRACT;
  const volume = lots * kv;
  const entry = up(ticks(markText) * (E8 + spread), E8);
  const margin = up(volume * entry, multiple);
  const openFee = up(volume * entry * fee, E8);
  const cap = least(volume * entry, (capTimes * volume * entry) / multiple);
  const liquidation = (E8 * (volume * entry - margin)) / (volume * (E8 - maintenance - liquidationFee));
  const feeAt = (n: bigint) => up(volume * n * fee, E8);
  const result = (exit: bigint) => {
    const equity = margin + least(volume * (exit - entry), cap);
    return equity <= 0n ? -margin - openFee : equity - least(feeAt(exit), equity) - margin - openFee;
  };
  const equityThen = margin + volume * (liquidation - entry);
  return {
    entry: price(entry),
    value: money(volume * entry),
    margin: money(margin),
    openFee: money(openFee),
    overnight: money(up(volume * ticks(markText) * overnight, E8)),
    liquidation: price(liquidation),
    lose: money(margin + openFee),
    gain: money(result(entry + up(cap, volume))),
    closedAt: (mark) => money(result((ticks(mark) * (E8 - spread)) / E8)),
    liquidated: neg(money(margin + openFee - (equityThen - least(up(volume * liquidation * liquidationFee, E8), equityThen)))),
  };
}
