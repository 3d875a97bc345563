import type { Terms as Figures, Tier } from '../contracts';
import { must } from './fault';
import { equal, fields, items, text, whole, type Fields } from './json';
import { fixed, trimmed, units } from './rule';

/** The terms of a contract as in a receipt (`ContractRules` on the wire). */

export interface Terms extends Figures {
  /** One lot, base atoms. */
  lot: bigint;
}

const ONE = 100_000_000n;

/** A decimal of the rules in units of 10^-scale. */
function figure(value: unknown, scale: number): bigint {
  const digits = text(value, 'rules');
  must(/^\d{1,18}(\.\d+)?$/.test(digits) && (digits.split('.')[1]?.length ?? 0) <= scale, 'terms');
  return units(digits, scale);
}

/** The deductions that join the tiers (4.1). */
function deductionsOf(tiers: readonly Omit<Tier, 'deduction'>[]): Tier[] {
  let deduction = 0n;
  return tiers.map((tier, at) => {
    const before = tiers[at - 1];
    if (before) deduction += (before.bound * (tier.maintenance - before.maintenance)) / ONE;
    return { ...tier, deduction };
  });
}

const ROWS = 50;
const MAX_AMOUNT = 10n ** 18n;
const MAX_PRICE = 10n ** 16n;

/** Whether an engine admits these terms (`Terms::fault`). */
function arePossible({ lotTick, multiples, tiers, maxLots, capTimes, fee, spread, liquidationFee, overnight }: Terms, tick: bigint): boolean {
  const most = maxLots * lotTick;
  const rows = [multiples, tiers].every(({ length }) => length > 0 && length <= ROWS);
  const rising = multiples.every((multiple, at) => multiple > (multiples[at - 1] ?? 0));
  const shares = [fee, spread, liquidationFee, overnight].every((rate) => rate < ONE);
  const follow = tiers.every(({ bound, maxMultiple, maintenance }, at) => {
    const before = tiers[at - 1] ?? { bound: 0n, maxMultiple, maintenance };
    const away = maintenance + liquidationFee + 2n * spread;
    return bound > before.bound && bound < MAX_AMOUNT && maxMultiple > 0 && maxMultiple <= before.maxMultiple && maintenance >= before.maintenance && away * BigInt(maxMultiple) < ONE;
  });
  return rows && rising && shares && follow && most > 0n && most < 2n ** 64n && most * (MAX_PRICE / tick) <= 10n ** 30n && capTimes > 0n;
}

export function readTerms(value: unknown, baseScale: number, quoteScale: number, tick: bigint): Terms {
  const rules = fields(value, 'rules');
  const lot = figure(rules.lot, baseScale);
  const tiers = items(rules.tiers, 'rules').map((one) => {
    const tier = fields(one, 'rules');
    return { bound: figure(tier.bound, quoteScale), maxMultiple: whole(tier.max_multiple, 'rules'), maintenance: figure(tier.mmr, 6) };
  });
  // One lot at one tick must be a whole number of quote atoms (U-1).
  const [atoms, by] = [lot * tick * 10n ** BigInt(quoteScale), 10n ** BigInt(baseScale + 8)];
  must(lot > 0n && atoms % by === 0n && atoms > 0n && figure(rules.tick, 8) === tick, 'terms');
  const terms = {
    lot,
    lotTick: atoms / by,
    multiples: items(rules.multiples, 'rules').map((multiple) => whole(multiple, 'rules')),
    fee: figure(rules.fee, 6),
    spread: figure(rules.spread, 6),
    liquidationFee: figure(rules.liq_fee, 6),
    overnight: figure(rules.overnight, 6),
    capTimes: BigInt(whole(rules.cap_roi, 'rules')),
    maxLots: BigInt(whole(rules.max_lots, 'rules')),
    tiers: deductionsOf(tiers),
  };
  must(arePossible(terms, tick), 'terms');
  return terms;
}

/** The wire form of these terms. */
export const rulesOf = (terms: Terms, market: number, tick: bigint, baseScale: number, quoteScale: number): Fields => ({
  match_id: market,
  lot: fixed(terms.lot, baseScale),
  tick: trimmed(tick, 8),
  multiples: terms.multiples,
  fee: trimmed(terms.fee, 6),
  spread: trimmed(terms.spread, 6),
  liq_fee: trimmed(terms.liquidationFee, 6),
  overnight: trimmed(terms.overnight, 6),
  cap_roi: parseInt(terms.capTimes.toString(), 10),
  max_lots: parseInt(terms.maxLots.toString(), 10),
  tiers: terms.tiers.map(({ bound, maxMultiple, maintenance, deduction }) => ({
    bound: fixed(bound, quoteScale),
    max_multiple: maxMultiple,
    mmr: trimmed(maintenance, 6),
    deduction: fixed(deduction, quoteScale),
  })),
});

const TIERS = [
  { bound: '50000.000000', max_multiple: 50, mmr: '0.5', deduction: '0.000000' },
  { bound: '250000.000000', max_multiple: 25, mmr: '1', deduction: '250.000000' },
  { bound: '1000000.000000', max_multiple: 10, mmr: '2', deduction: '2750.000000' },
];
const STANDARD = { tick: '0.01', multiples: [1, 2, 5, 10, 20, 25, 50], fee: '0.05', spread: '0.01', liq_fee: '0.3', overnight: '0.03', cap_roi: 10, max_lots: 100_000, tiers: TIERS };

/** Whether these are the terms of every new venue (`Terms::standard`). */
export const isStandard = (rules: unknown): boolean => equal(rules, { ...STANDARD, match_id: 1, lot: '0.00100000' }) || equal(rules, { ...STANDARD, match_id: 2, lot: '0.01000000' });
