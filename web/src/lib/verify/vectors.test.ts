import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Bet } from './entry';
import { amountsOf, bandOf, outcomeOf, promiseOf, settle, type Amounts, type Result } from './option';
import { Filter, indexPrice, isFresh, usableAt } from './samples';

/** The published cases of prices and options, which also test the engine. */

type Input = Readonly<Partial<Record<string, string>>> & { sources?: [string, string, string][]; candidates?: [string, string][]; samples?: [string, string][] };
type Case = { id: string; op: string; in: Input; out?: unknown; error?: string };
const read = (product: string) => (JSON.parse(readFileSync(new URL(`../../../../crates/engine/tests/vectors/${product}.json`, import.meta.url), 'utf8')) as { cases: Case[] }).cases;
const BETS: Record<string, Bet> = { UP: 'up', DOWN: 'down', FLAT: 'flat' };
const STATES: Record<Result, string> = { open: 'OPEN', won: 'WON', lost: 'LOST', push: 'PUSH', refunded: 'REFUNDED' };
const word = (bet: Bet) => Object.keys(BETS).find((name) => BETS[name] === bet);
const big = (text: string) => BigInt(text);

const promised = (of: Amounts) => {
  const { cost, payout, reserve } = promiseOf(of);
  return { profit: String(of.profit), fee: String(of.fee), cost: String(cost), payout: String(payout), reserve: String(reserve) };
};

const OPERATIONS: Record<string, (given: Input) => unknown> = {
  index({ sources = [], tick }) {
    const quotes = sources.map(([, price, age], source) => ({ source, price: big(price), ageMs: parseInt(age, 10) }));
    const { price, uses } = indexPrice(quotes, big(tick ?? ''));
    if (price === null) return 'E_INDEX_QUORUM';
    const used = uses.filter(({ dropped }) => !dropped).map(({ quote }) => sources[quote.source]?.[0]);
    return { price: String(price), used: used.toSorted() };
  },
  jump({ candidates = [] }) {
    const filter = new Filter();
    return { accepted: candidates.filter(([at, price]) => filter.offer(parseInt(at, 10), big(price))) };
  },
  option_quote({ stake, yield_ru: rate, fee_ru: fee }) {
    return promised(amountsOf(big(stake ?? ''), big(rate ?? ''), big(fee ?? '')));
  },
  // The promise of a purchase and its movements: with the standard terms, 70 % and 900 % at a fee of 0.5 %.
  option_buy({ stake, type, avail, pool, reserved, index_age: age }) {
    if (!isFresh({ timeMs: 0 }, parseInt(age ?? '', 10))) return 'E_PRICE_STALE';
    const of = amountsOf(big(stake ?? ''), BETS[type ?? ''] === 'flat' ? 900_000_000n : 70_000_000n, 500_000n);
    const { cost, reserve } = promiseOf(of);
    const after = { pool_after: big(pool ?? '') + cost, reserved_after: big(reserved ?? '') + reserve, avail_after: big(avail ?? '') - cost };
    return { ...promised(of), ...Object.fromEntries(Object.entries(after).map(([name, value]) => [name, String(value)])) };
  },
  option_select({ samples = [], t }) {
    const known = samples.map(([at, price]) => ({ atMs: parseInt(at, 10), timeMs: parseInt(at, 10), price }));
    const usable = usableAt(known, parseInt(t ?? '', 10));
    return { sample: usable && [String(usable.atMs), usable.price] };
  },
  option_outcome({ open, delivery, tol }) {
    const band = bandOf(big(open ?? ''), big(tol ?? ''));
    return { tolerance: String(band), outcome: word(outcomeOf(big(open ?? ''), big(delivery ?? ''), band)) };
  },
  option_settle({ stake, profit, fee, type, outcome, tie }) {
    const of = { stake: big(stake ?? ''), profit: big(profit ?? ''), fee: big(fee ?? '') };
    const { result, received, kept } = settle(of, BETS[type ?? ''] ?? 'flat', BETS[outcome ?? ''] ?? null, tie === 'LOSE' ? 'lose' : 'refund');
    const release = of.stake + of.profit + of.fee;
    return { state: STATES[result], user: String(received), fee_account: String(kept), pool: String(-received - kept), pnl: String(received - of.stake - of.fee), release: String(release) };
  },
};

/**
 * Refusals of a purchase that no receipt shows: it contains neither the balances of its owner and the pool, nor what else was open, nor
 * who is verified, and its rule has one length and no limits of stakes. No entry can contain a fourth direction or a stake below 0
 * (`entry.test.ts`).
 */
const UNSHOWN = ['E_TYPE', 'E_DURATION', 'E_AMOUNT', 'E_KYC_BASIC', 'E_STAKE_MIN', 'E_STAKE_MAX', 'E_OPEN_LIMIT', 'E_INSUFFICIENT', 'E_POOL_SHORT'];

test.each([
  ['index', 0],
  ['options', 13],
])('the cases of %s come out as published', (product, unshown) => {
  const cases = read(product);
  const shown = cases.filter(({ error = '' }) => !UNSHOWN.includes(error));
  expect([shown.length > 30, cases.length - shown.length]).toEqual([true, unshown]);
  for (const { id, op, in: given, out, error } of shown) expect([id, OPERATIONS[op]?.(given)]).toEqual([id, error ?? out]);
});
