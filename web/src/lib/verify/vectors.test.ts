import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Bet } from './entry';
import { amountsOf, bandOf, outcomeOf, settle, type Result } from './option';
import { Filter, indexPrice } from './samples';

/** The published cases of prices and options, which the engine is held to as well. */

type Given = Readonly<Partial<Record<string, string>>> & { sources?: [string, string, string][]; candidates?: [string, string][] };
type Case = { id: string; op: string; in: Given; out?: unknown; error?: string };
const read = (product: string) => (JSON.parse(readFileSync(new URL(`../../../../crates/engine/tests/vectors/${product}.json`, import.meta.url), 'utf8')) as { cases: Case[] }).cases;
const BETS: Record<string, Bet> = { UP: 'up', DOWN: 'down', FLAT: 'flat' };
const STATES: Record<Result, string> = { open: 'OPEN', won: 'WON', lost: 'LOST', push: 'PUSH', refunded: 'REFUNDED' };
const word = (bet: Bet) => Object.keys(BETS).find((name) => BETS[name] === bet);
const big = (text: string) => BigInt(text);

const OPERATIONS: Record<string, (given: Given) => unknown> = {
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
    const of = amountsOf(big(stake ?? ''), big(rate ?? ''), big(fee ?? ''));
    const cost = of.stake + of.fee;
    return { profit: String(of.profit), fee: String(of.fee), cost: String(cost), payout: String(of.stake + of.profit), reserve: String(cost + of.profit) };
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

test.each(['index', 'options'])('the cases of %s come out as published', (product) => {
  const cases = read(product).filter(({ op }) => OPERATIONS[op]);
  expect(cases.length).toBeGreaterThan(30);
  for (const { id, op, in: given, out, error } of cases) expect([id, OPERATIONS[op]?.(given)]).toEqual([id, error ?? out]);
});
