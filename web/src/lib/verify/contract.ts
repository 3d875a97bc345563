import { closeAt, closingPrice, fillsAt, holdOf, liquidationPrice, openAt, openingPrice, type Opening } from '../contracts';
import { toHex } from './bytes';
import { checkOwner, decimal, knownBefore, madeAt, readAsked, shownAmount, shownSigned, shownTicks, ticksOf, type Asked, type Claims } from './contractOrder';
import { openingRefusal, sizeRefusal, triggerAt, type Stops } from './contractRules';
import { checkStops, type SettableSpan } from './contractStops';
import { readPublic } from './entry';
import { all, checkedProof, claimsAre, isLongAfter, seqIn, type Checked } from './evidence';
import { must } from './fault';
import { fields, isWhole, items, text, whole, type Fields } from './json';
import type { Entry } from './log';
import { isFresh, type Sample } from './samples';

/**
 * Checks the receipt of a contract with nothing but the receipt: the head, the entries, the terms, both samples, the prices of opening and
 * closing, result, fees and the returned amount (`docs/verify.md`). `crates/server/src/verify/contract.rs` does the same.
 */

const DAY_MS = 86_400_000;
const WAITING_MS = 30 * DAY_MS;

const NO_STOPS: Stops = { takeProfit: null, stopLoss: null };
/** The stops of the order. */
function stopsOf({ order, index }: Asked): Stops {
  const ticks = (price: bigint | null) => (price === null ? null : price / index.tick);
  return { takeProfit: ticks(order.takeProfit), stopLoss: ticks(order.stopLoss) };
}

/** The sample of the opening and the figures of the position; null for an order that never opened. */
function opening(asked: Asked): { sample: Sample; figures: Opening } | null {
  const { claims, order, terms, entry } = asked;
  const { position, receipt } = claims;
  const openedMs = position.transaction_time_ms;
  if (!isWhole(openedMs)) {
    must((receipt.open_sample ?? null) === null, 'open_sample');
    return null;
  }
  // An order that waited is filled by a later sample, which may be of the same millisecond.
  const atOnce = (seqIn(receipt.open_sample) ?? 0) < entry.seq;
  must(atOnce ? openedMs === entry.timeMs : order.limit !== null && openedMs < entry.timeMs + WAITING_MS, 'open_sample');
  const sample = atOnce ? knownBefore(asked, receipt.open_sample, 'open_sample', entry) : madeAt(asked, receipt.open_sample, 'open_sample', entry.seq, openedMs);
  const mark = ticksOf(asked, sample.price, 'open_sample');
  const executed = openingPrice(order.side, mark, terms.spread);
  const limit = order.limit === null ? null : order.limit / asked.index.tick;
  must(limit === null || fillsAt(order.side, limit, executed), 'open_sample');
  // A short whose owner cannot pay the margin at the better price, or that no tier admits there, fills at its limit (4.7).
  const atLimit = limit !== null && !atOnce && order.side === 'short' && position.price === shownTicks(asked, limit);
  const price = atLimit ? limit : executed;
  const figures = openAt(terms, order.side, order.lots, BigInt(order.multiple), price);
  // The stops of an order that waited were checked when it was placed.
  const refused = sizeRefusal(terms, order.lots, order.multiple) ?? openingRefusal(figures, order.multiple, mark, atOnce ? stopsOf(asked) : NO_STOPS);
  must(figures !== undefined && refused === null, 'terms');
  claimsAre(position, { origin_price: shownTicks(asked, mark), price: shownTicks(asked, price) }, 'open_sample');
  const reached = figures.capPrice > 0n ? figures.capPrice : 0n;
  claimsAre(position, { origin_caution_money: shownAmount(asked, figures.margin), trade_fee: shownAmount(asked, figures.fee), cap_price: shownTicks(asked, reached) }, 'terms');
  return { sample, figures };
}

/** The margin less overnight fees, whose prices the receipt does not show. */
function marginOf(asked: Asked, { stake, margin, required }: Opening): bigint {
  const { position } = asked.claims;
  const paid = decimal(position.overnight_money, asked.quote.scale);
  must(paid !== null && paid <= margin, 'terms');
  const day = (ms: unknown) => (isWhole(ms) ? Math.floor(ms / DAY_MS) : null);
  const [first, last] = [day(position.transaction_time_ms), day(position.complete_time_ms)];
  const nights = last === null ? paid > 0n : first === null || last > first;
  must(paid === 0n || nights, 'terms');
  if (nights) asked.unshown.push('nights');
  const left = margin - paid;
  claimsAre(position, { caution_money: shownAmount(asked, left), liquidation_price: shownTicks(asked, liquidationPrice(stake, left, required)) }, 'terms');
  return left;
}

const ENDS = ['USER', 'TP', 'SL', 'LIQUIDATION', 'PROFIT_CAP', 'ADL', 'RETIRED'] as const;
type End = (typeof ENDS)[number];

/** The stops that the position claims to have had at its end. */
function lastStops({ claims: { position }, index }: Asked): Stops {
  const stop = (value: unknown) => (decimal(value, 8) ?? 0n) / index.tick || null;
  return { takeProfit: stop(position.target_profit_price), stopLoss: stop(position.stop_loss_price) };
}

/** How a position closed, by which sample and with which stops. */
async function closing(asked: Asked, opened: Sample, figures: Opening): Promise<{ sample: Sample | null; stops: readonly number[] | null }> {
  const { claims, terms, order } = asked;
  const { position, receipt, endSeq } = claims;
  // An order that waited was opened by its sample.
  const held: SettableSpan = { figures, after: Math.max(opened.seq, asked.entry.seq), before: endSeq };
  if (endSeq === null) {
    claimsAre(position, { status: 1, reason: null, fact_profits: null, returned: null, complete_time_ms: null }, 'outcome');
    marginOf(asked, figures);
    must((receipt.close_sample ?? null) === null, 'delivery_sample');
    return { sample: null, stops: await checkStops(asked, held) };
  }
  const margin = marginOf(asked, figures);
  const reason = ENDS.find((end) => end === position.reason);
  must(reason !== undefined, 'outcome');
  const sample = await closingSample(asked, endSeq, reason, held.after);
  must(!sample || (sample.seq >= opened.seq && sample.seq <= endSeq), 'delivery_sample');
  // A sample fixes what it triggers, and the stops with it (4.6).
  const byItself = sample !== null && reason !== 'USER' && reason !== 'ADL';
  const stops = await checkStops(asked, byItself ? { ...held, before: sample.seq } : held);
  const mark = sample && ticksOf(asked, sample.price, 'delivery_sample');
  if (mark !== null && reason !== 'USER' && reason !== 'ADL') must(triggerAt(figures, margin, lastStops(asked), mark) === reason, 'outcome');
  const claimed = decimal(position.update_price, 8);
  must(mark !== null || claimed !== null, 'outcome');
  const atMark = reason === 'LIQUIDATION' || reason === 'ADL' || mark === null;
  const price = atMark ? (mark ?? ticksOf(asked, claimed ?? 0n, 'outcome')) : closingPrice(order.side, mark, terms.spread);
  const rate = reason === 'LIQUIDATION' ? terms.liquidationFee : atMark ? 0n : terms.fee;
  const { profit, feePaid, returned } = closeAt(figures.stake, margin, figures.cap, price, rate);
  const capped = profit < figures.cap ? profit : figures.cap;
  const shown = shownSigned(asked, capped < -margin ? -margin : capped);
  const result = { status: 3, settled: 1, update_price: shownTicks(asked, price), market_value: shownAmount(asked, figures.stake.value * price), profits: shown, fact_profits: shown };
  claimsAre(position, result, 'outcome');
  claimsAre(position, { close_fee: shownAmount(asked, feePaid), returned: shownAmount(asked, returned) }, 'payout');
  return { sample, stops };
}

async function closingSample(asked: Asked, endSeq: number, reason: End, after: number): Promise<Sample | null> {
  const { position, receipt } = asked.claims;
  switch (reason) {
    case 'USER': {
      const entry = await endedBy(asked, endSeq, 'closed', after);
      return knownBefore(asked, receipt.close_sample, 'delivery_sample', entry);
    }
    case 'RETIRED':
      // The closing price is the mean of half an hour.
      asked.unshown.push('mean');
      return null;
    case 'ADL': {
      asked.unshown.push('pool');
      const made = madeAt(asked, receipt.close_sample, 'delivery_sample', after, undefined);
      const endedMs = position.complete_time_ms;
      must(isWhole(endedMs) && made.atMs <= endedMs && isFresh(made, endedMs), 'delivery_sample');
      return made;
    }
    default:
      return madeAt(asked, receipt.close_sample, 'delivery_sample', after, position.complete_time_ms);
  }
}

/** The entry with which the owner ended it. */
async function endedBy(asked: Asked, endSeq: number, how: 'closed' | 'cancelled', after: number): Promise<Entry> {
  const { claims, proof, entry: first } = asked;
  const entry = all(proof).find(({ seq }) => seq === endSeq);
  must(entry !== undefined, 'proof');
  const said = readPublic(entry);
  must(said.kind === how && said.position === first.seq && endSeq > after && claims.position.complete_time_ms === entry.timeMs, 'outcome');
  await checkOwner(asked, entry, 'outcome');
  return entry;
}

/** An order that waits, or ended before it was filled: its hold was returned. */
async function neverOpened(asked: Asked): Promise<readonly number[] | null> {
  const { order, terms, claims, proof, entry } = asked;
  const { position, receipt, endSeq } = claims;
  must(order.limit !== null, 'terms');
  const limit = ticksOf(asked, order.limit, 'terms');
  const hold = shownAmount(asked, holdOf(order.lots * terms.lotTick, limit, BigInt(order.multiple), terms.fee));
  must((receipt.close_sample ?? null) === null, 'delivery_sample');
  const stops = await checkStops(asked, null);
  const expiresMs = entry.timeMs + WAITING_MS;
  if (endSeq === null) {
    must(!isLongAfter(proof, expiresMs), 'outcome');
    claimsAre(position, { status: 0, reason: null, returned: null, fact_profits: null, complete_time_ms: null }, 'outcome');
    claimsAre(position, { caution_money: hold }, 'payout');
    return stops;
  }
  claimsAre(position, { status: 4, fact_profits: null }, 'outcome');
  if (position.reason === 'USER') await endedBy(asked, endSeq, 'cancelled', entry.seq);
  else if (position.reason === 'EXPIRED') claimsAre(position, { complete_time_ms: expiresMs }, 'outcome');
  // The reason why it could not open depends on the state of its owner and of the pool.
  else if (position.reason === 'REFUSED' || position.reason === 'RETIRED') asked.unshown.push('pool');
  else must(false, 'outcome');
  claimsAre(position, { returned: hold }, 'payout');
  return stops;
}

/** Checks the receipt of a contract. */
export async function checkContract(receipt: Fields, known: string | undefined): Promise<Checked> {
  const claims: Claims = {
    position: fields(receipt.position, 'position'),
    userId: whole(receipt.user_id, 'user_id'),
    receipt,
    openSeq: whole(receipt.open_seq, 'open_seq'),
    endSeq: receipt.end_seq === null ? null : whole(receipt.end_seq, 'end_seq'),
    stopSeqs: (receipt.stop_seqs ?? null) === null ? null : items(receipt.stop_seqs, 'stop_seqs').map((seq) => whole(seq, 'stop_seqs')),
  };
  items(receipt.entry_hashes, 'entry_hashes');
  const { proof, genesis } = await checkedProof(receipt.proof, known);
  const asked = await readAsked(claims, proof, genesis);
  const { position } = claims;
  const open = opening(asked);
  const { sample: close, stops } = open ? await closing(asked, open.sample, open.figures) : { sample: null, stops: await neverOpened(asked) };
  const samples = [open?.sample, close].filter((sample): sample is Sample => Boolean(sample));
  const result = typeof position.reason === 'string' ? position.reason : open ? 'open' : 'waiting';
  const { head } = proof;
  return { id: claims.openSeq, result, symbol: text(position.symbol, 'symbol'), samples, head: { seq: head.seq, key: toHex(head.key), timeMs: head.timeMs }, entries: all(proof).length, stops, unshown: asked.unshown };
}
