import type { Coin, ContractRules } from '../../generated/api';
import { amount, make, mul, rescale, type Amount } from '../../lib/money';
import type { Terms } from '../../lib/contracts';

/** Converts between the wire's decimals and the whole ticks and atoms of the computation. */

/** Hundred-millionths of a percent figure: "0.05" is 50,000. */
export const rate = (percent: string) => rescale(amount(percent), 6).units;

export function termsOf(rules: ContractRules, quoteScale: number): Terms {
  return {
    lotTick: rescale(mul(amount(rules.lot), amount(rules.tick)), quoteScale).units,
    multiples: rules.multiples,
    fee: rate(rules.fee),
    spread: rate(rules.spread),
    liquidationFee: rate(rules.liq_fee),
    overnight: rate(rules.overnight),
    capTimes: BigInt(rules.cap_roi),
    maxLots: BigInt(rules.max_lots),
    tiers: rules.tiers.map((tier) => ({
      bound: rescale(amount(tier.bound), quoteScale).units,
      maxMultiple: tier.max_multiple,
      maintenance: rate(tier.mmr),
      deduction: rescale(amount(tier.deduction), quoteScale).units,
    })),
  };
}

/** What a pair's contracts are traded under. */
export interface Market {
  symbol: string;
  rules: ContractRules;
  terms: Terms;
  tick: Amount;
  base: Coin;
  quote: Coin;
  /** The index, ticks; undefined while unknown. */
  mark: bigint | undefined;
}

/** A price in whole ticks; undefined between two ticks. */
export function ticksOf(price: Amount, tick: Amount): bigint | undefined {
  const scale = Math.max(price.scale, tick.scale);
  const [units, step] = [rescale(price, scale).units, rescale(tick, scale).units];
  return units % step === 0n ? units / step : undefined;
}
/** The tick at or below a price from the server, which may be finer. */
export function ticksDown(price: Amount, tick: Amount): bigint {
  const scale = Math.max(price.scale, tick.scale);
  return rescale(price, scale).units / rescale(tick, scale).units;
}
export const priceOf = (ticks: bigint, tick: Amount): Amount => make(ticks * tick.units, tick.scale);
export const moneyOf = (atoms: bigint, { scale }: Coin): Amount => make(atoms, scale);

/** A market with the displayed rules. */
export const under = (market: Market, rules: ContractRules): Market => ({ ...market, rules, terms: termsOf(rules, market.quote.scale) });

export function marketOf(rules: ContractRules, symbol: string, base: Coin, quote: Coin, index: string | null | undefined): Market {
  const tick = amount(rules.tick);
  return { symbol, rules, terms: termsOf(rules, quote.scale), tick, base, quote, mark: index ? ticksDown(amount(index), tick) : undefined };
}
