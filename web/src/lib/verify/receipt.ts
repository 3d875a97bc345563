import { toHex } from './bytes';
import { checkContract } from './contract';
import { sha256 } from './crypto';
import { readBuyer, readPublic, type Bet, type Genesis, type Purchase } from './entry';
import { all, checkedProof, checkHashes, claimsAre, holding, isLongAfter, readHashes, seqIn, type Checked, type Proof, type Unshown } from './evidence';
import { Fault, must } from './fault';
import { equal, fields, inner, text, whole, type Fields } from './json';
import { opened, same, type Entry } from './log';
import { amountsOf, bandOf, outcomeOf, promiseOf, settle, type Amounts, type Result } from './option';
import { fixed, readRule, trimmed, type Rule } from './rule';
import { FRESH_MS, isFresh, samplesOf, usableAt, type Sample } from './samples';
import { OPTIONS } from '../wire';

/**
 * Checks the receipt of an option with nothing but the receipt: it recomputes the head, the entries, the rule, both samples, the outcome
 * and the payout (`docs/verify.md`). `meridian verify --receipt` does the same, and shared cases require the same answer of both.
 */

const BET_NUMBER: Record<Bet, number> = { up: 1, down: 2, flat: 0 };

/** The parts of a receipt whose form is fixed. */
function readClaims(receipt: Fields) {
  const rule = fields(receipt.rule, 'rule');
  return {
    order: fields(receipt.order, 'order'),
    rule: { name: text(rule.name, 'rule'), version: whole(rule.version, 'rule'), hash: text(rule.hash, 'rule'), text: text(rule.text, 'rule') },
    buySeq: whole(receipt.buy_seq, 'buy_seq'),
    settleSeq: receipt.settle_seq === null ? null : whole(receipt.settle_seq, 'settle_seq'),
    hashes: readHashes(receipt.entry_hashes),
    receipt,
  };
}
type Claims = ReturnType<typeof readClaims>;

/** The purchase, from its entry and its rule. */
interface Bought {
  entry: Entry;
  purchase: Purchase;
  rule: Rule;
  genesis: Genesis;
  asset: Genesis['assets'][number];
  amounts: Amounts;
  deliveryMs: number;
}

async function bought(claims: Claims, proof: Proof, genesis: Genesis, unshown: Unshown[]): Promise<Bought> {
  const { order, buySeq } = claims;
  const entry = all(proof).find(({ seq }) => seq === buySeq);
  must(entry !== undefined, 'proof');
  const said = readPublic(entry);
  must(said.kind === 'bought', 'purchase');
  const sealed = await opened(entry);
  if (!sealed) unshown.push('owner');
  else must(readBuyer(sealed) === order.user_id, 'purchase');
  claimsAre(order, { id: buySeq, seq: buySeq }, 'purchase');
  checkHashes(proof, claims.hashes);
  const digest = await sha256(new TextEncoder().encode(claims.rule.text));
  const { name, version, hash } = claims.rule;
  must(same(digest, said.purchase.rule) && toHex(digest) === hash && name === 'option' && version === 1, 'rule');
  const rule = readRule(claims.rule.text);
  const asset = genesis.assets.find(({ id }) => id === said.purchase.asset);
  const listed = genesis.markets.some(({ id, symbol }) => id === said.purchase.market && symbol === rule.symbol);
  must(asset !== undefined && listed, 'terms');
  const { stake, bet, seconds } = said.purchase;
  must(seconds === rule.seconds, 'terms');
  const profitRate = bet === 'flat' ? rule.profitFlat : rule.profit;
  const deliveryMs = entry.timeMs + seconds * 1_000;
  const amounts = amountsOf(stake, profitRate, rule.fee);
  const terms: Bought = { entry, purchase: said.purchase, rule, genesis, asset, amounts, deliveryMs };
  const amount = (atoms: bigint) => fixed(atoms, asset.scale);
  const expected = {
    match_id: said.purchase.market,
    symbol_name: rule.symbol,
    currency_id: asset.id,
    currency_name: asset.code,
    type: BET_NUMBER[bet],
    even: bet === 'flat' ? 1 : 0,
    seconds,
    number: amount(stake),
    fee: amount(amounts.fee),
    profit: amount(amounts.profit),
    profit_ratio: trimmed(profitRate, 6),
    tolerance: trimmed(rule.tolerance, 6),
    tie_rule: rule.tie,
    created_at_ms: entry.timeMs,
    delivery_time_ms: deliveryMs,
  };
  claimsAre(order, expected, 'terms');
  return terms;
}

/** A price with the decimals of the index tick. */
function shownPrice({ rule }: Bought, price: bigint): string {
  const digits = trimmed(rule.tick, 8).split('.')[1]?.length ?? 0;
  return fixed(price / 10n ** BigInt(8 - digits), digits);
}

/** A sample in the form that the receipt must show. */
function shownSample(terms: Bought, { seq, atMs, price, uses, sandbox }: Sample): Fields {
  const names = terms.rule.names;
  const sources: Fields[] = uses.map(({ quote, dropped }) => {
    const name = names[quote.source];
    const shown = { name: typeof name === 'string' ? name : '', price: fixed(quote.price, 8), age_ms: quote.ageMs, used: dropped ? 0 : 1 };
    return dropped ? { ...shown, why: dropped } : shown;
  });
  const shown = shownPrice(terms, price);
  if (sandbox) sources.push({ name: 'sandbox', price: shown, age_ms: 0, used: 1 });
  return { symbol: terms.rule.symbol, seq, time_ms: atMs, price: shown, sources };
}

/** The open sample: the last one before the purchase, fresh. */
function openSample(claims: Claims, proof: Proof, terms: Bought, unshown: Unshown[]): Sample {
  const seq = seqIn(claims.receipt.open_sample) ?? 0;
  const run = holding(proof, seq);
  must(run !== undefined, 'open_sample');
  const whole = run.entries.some((entry) => entry.seq === terms.entry.seq);
  if (!whole) unshown.push('order');
  const until = whole ? terms.entry.seq - 1 : seq;
  const before = run.entries.filter((entry) => entry.seq <= until);
  const open = samplesOf(terms.genesis, terms.purchase.market, terms.rule, before).at(-1);
  must(open !== undefined && equal(claims.receipt.open_sample, shownSample(terms, open)), 'open_sample');
  must(isFresh(open, terms.entry.timeMs), 'open_sample');
  claimsAre(claims.order, { open_price: shownPrice(terms, open.price), open_time_ms: open.timeMs }, 'open_sample');
  return open;
}

/** The delivery sample: the last one at or before the delivery instant, if it was fresh then. */
function deliverySample(claims: Claims, proof: Proof, terms: Bought, unshown: Unshown[]): Sample | null {
  const { delivery_sample: claimed, next_sample: claimedNext = null } = claims.receipt;
  const seq = seqIn(claimed);
  const run = seq === null ? proof.runs.at(-1) : holding(proof, seq);
  must(run !== undefined, 'proof');
  const reaches = run.entries.some((entry) => entry.timeMs > terms.deliveryMs);
  if (seq !== null && !reaches) unshown.push('order');
  const first = run.entries[0];
  const begins = first !== undefined && (first.timeMs < terms.deliveryMs - FRESH_MS || first.seq === 1);
  // Without a price, the entries around the delivery instant must be shown.
  must(seq !== null || (reaches && begins), 'proof');
  const samples = samplesOf(terms.genesis, terms.purchase.market, terms.rule, run.entries);
  let fresh = usableAt(samples, terms.deliveryMs);
  // A sandbox may have been told before these entries to give no price.
  const isFed = (sample: Sample) => run.entries.some((entry) => entry.seq < sample.seq && (entry.kind === 242 || entry.kind === 243));
  if (seq === null && fresh && terms.genesis.sandbox && !fresh.sandbox && !isFed(fresh)) {
    unshown.push('feed');
    fresh = null;
  }
  must(equal(claimed ?? null, fresh && shownSample(terms, fresh)), 'delivery_sample');
  const ended = { end_price: fresh && shownPrice(terms, fresh.price), end_time_ms: fresh && fresh.timeMs };
  claimsAre(claims.order, ended, 'delivery_sample');
  const next = samples.find(({ atMs }) => atMs > terms.deliveryMs);
  if (claimedNext !== null && next) must(equal(claimedNext, shownSample(terms, next)), 'delivery_sample');
  else if (claimedNext !== null && reaches) unshown.push('next');
  return fresh;
}

const PROFIT_RESULT: Record<Result, number | null> = { open: null, won: 1, lost: -1, push: 0, refunded: 0 };

function checkOpen(claims: Claims): void {
  const none = { settle_seq: null, outcome: null, result: 'open', profit_result: null, refund: false, status: 1, fact_profits: null, payout: null, complete_at_ms: null };
  claimsAre(claims.order, none, 'outcome');
  must((claims.receipt.delivery_sample ?? null) === null, 'delivery_sample');
  must(equal(claims.receipt.postings, []), 'payout');
}

function checkEnd(claims: Claims, terms: Bought, open: Sample, delivery: Sample | null): Result {
  const did = delivery && outcomeOf(open.price, delivery.price, bandOf(open.price, terms.rule.tolerance));
  const { result, received, kept } = settle(terms.amounts, terms.purchase.bet, did, terms.rule.tie);
  const signed = (value: bigint, shown: (size: bigint) => string) => (value < 0n ? `-${shown(-value)}` : shown(value));
  const difference = delivery && signed(delivery.price - open.price, (size) => shownPrice(terms, size));
  must((claims.receipt.difference ?? null) === difference, 'delivery_sample');
  const expected = {
    outcome: did && BET_NUMBER[did],
    result,
    profit_result: PROFIT_RESULT[result],
    refund: result === 'refunded',
    status: 3,
    settle_seq: claims.settleSeq,
    complete_at_ms: terms.deliveryMs + 1,
  };
  claimsAre(claims.order, expected, 'outcome');
  const amount = (atoms: bigint) => fixed(atoms, terms.asset.scale);
  claimsAre(claims.order, { payout: amount(received), fact_profits: signed(received - promiseOf(terms.amounts).cost, amount) }, 'payout');
  const lines: [string, bigint, string][] = [
    [OPTIONS, received, amount(received)],
    ['fee', kept, amount(kept)],
    ['option_pool', received + kept, `-${amount(received + kept)}`],
  ];
  const postings = lines.filter(([, atoms]) => atoms > 0n).map(([account, , value]) => ({ account, currency_id: terms.asset.id, value }));
  must(equal(claims.receipt.postings, postings), 'payout');
  return result;
}

/** Checks a receipt. `known` is the key that must have signed its head, if it is known from elsewhere. Fails with a {@link Fault}. */
export async function checkReceipt(document: unknown, known?: string): Promise<Checked> {
  const receipt = inner(document);
  if ('position' in receipt) return checkContract(receipt, known);
  const claims = readClaims(receipt);
  const { proof, genesis } = await checkedProof(receipt.proof, known);
  const { head } = proof;
  const unshown: Unshown[] = [];
  const terms = await bought(claims, proof, genesis, unshown);
  const open = openSample(claims, proof, terms, unshown);
  must(receipt.tolerance_price === trimmed(bandOf(open.price, terms.rule.tolerance), 8), 'terms');
  const samples = [open];
  let result: Result = 'open';
  if (claims.settleSeq === null) {
    must(!isLongAfter(proof, terms.deliveryMs), 'outcome');
    checkOpen(claims);
  } else {
    const delivery = deliverySample(claims, proof, terms, unshown);
    if (delivery) samples.push(delivery);
    result = checkEnd(claims, terms, open, delivery);
  }
  return { id: claims.buySeq, result, symbol: terms.rule.symbol, samples, head: { seq: head.seq, key: toHex(head.key), timeMs: head.timeMs }, entries: all(proof).length, stops: null, unshown };
}

export { Fault, type Checked };
