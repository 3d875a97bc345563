import { readBuyer, readPublic, type ContractOrder, type Genesis } from './entry';
import { all, checkHashes, claimsAre, holding, readHashes, seqIn, type Proof, type Unshown } from './evidence';
import { must, type Reason } from './fault';
import { equal, type Fields } from './json';
import { opened, type Entry } from './log';
import { isStandard, readTerms, rulesOf, type Terms } from './contractTerms';
import { fixed, trimmed, units } from './rule';
import { addQuoted, isFresh, samplesOf, type IndexRule, type Sample } from './samples';

/** The order in the entry of a contract, its terms, and the samples that its prices were made of. */

export interface Claims {
  position: Fields;
  userId: number;
  receipt: Fields;
  openSeq: number;
  endSeq: number | null;
  /** The later entries that set the stops, oldest first; receipts of earlier releases do not have them. */
  stopSeqs: readonly number[] | null;
}

/** The order in its entry, and the terms that the receipt names. */
export interface Asked {
  claims: Claims;
  proof: Proof;
  genesis: Genesis;
  unshown: Unshown[];
  entry: Entry;
  order: ContractOrder;
  terms: Terms;
  index: IndexRule;
  base: Genesis['assets'][number];
  quote: Genesis['assets'][number];
}

/** A price in ticks, with the decimals of the tick. */
export function shownPrice({ index }: Asked, price: bigint): string {
  const digits = trimmed(index.tick, 8).split('.')[1]?.length ?? 0;
  return fixed(price / 10n ** BigInt(8 - digits), digits);
}
export const shownTicks = (asked: Asked, ticks: bigint) => shownPrice(asked, ticks * asked.index.tick);
export const shownAmount = ({ quote }: Asked, atoms: bigint) => fixed(atoms, quote.scale);
export const shownSigned = (asked: Asked, atoms: bigint) => (atoms < 0n ? `-${shownAmount(asked, -atoms)}` : shownAmount(asked, atoms));

/** A decimal of the receipt in units of 10^-scale; null if it is not such a decimal. */
export function decimal(value: unknown, scale: number): bigint | null {
  if (typeof value !== 'string') return null;
  const digits = /^\d{1,20}(?:\.(\d+))?$/.exec(value);
  return digits && (digits[1]?.length ?? 0) <= scale ? units(value, scale) : null;
}

/** The index of a pair in the first entry. */
function indexOf(genesis: Genesis, market: number): IndexRule | undefined {
  const named = (id: number) => {
    const symbol = genesis.markets.find((listed) => listed.id === id)?.symbol;
    const index = genesis.indices.find((one) => one.market === id);
    return symbol !== undefined && index ? { symbol, ...index } : undefined;
  };
  const own = named(market);
  if (!own) return undefined;
  if ('names' in own.origin) return { symbol: own.symbol, tick: own.tick, names: own.origin.names };
  const [above, below] = [named(own.origin.numerator), named(own.origin.denominator)];
  if (!above || !below || !('names' in above.origin) || !('names' in below.origin)) return undefined;
  return { symbol: own.symbol, tick: own.tick, names: [{ symbol: above.symbol, names: above.origin.names }, { symbol: below.symbol, names: below.origin.names }] };
}

/** An entry must be by the owner, if its sealed part is shown. */
export async function checkOwner({ claims, unshown }: Pick<Asked, 'claims' | 'unshown'>, entry: Entry, reason: Reason): Promise<void> {
  const sealed = await opened(entry);
  if (sealed) must(readBuyer(sealed) === claims.userId, reason);
  else if (!unshown.includes('owner')) unshown.push('owner');
}

export async function readAsked(claims: Claims, proof: Proof, genesis: Genesis): Promise<Asked> {
  const unshown: Unshown[] = [];
  const { position, receipt, openSeq } = claims;
  const entry = all(proof).find(({ seq }) => seq === openSeq);
  must(entry !== undefined, 'proof');
  const said = readPublic(entry);
  must(said.kind === 'opened', 'purchase');
  await checkOwner({ claims, unshown }, entry, 'purchase');
  claimsAre(position, { id: openSeq }, 'purchase');
  checkHashes(proof, readHashes(receipt.entry_hashes));
  const market = genesis.markets.find(({ id }) => id === said.order.market);
  const base = genesis.assets.find(({ id }) => id === market?.base);
  const quote = genesis.assets.find(({ id }) => id === market?.quote);
  // More sources than in the first entry are in the log, signed by two operators.
  if (addQuoted(genesis, said.order.market, all(proof))) unshown.push('terms');
  const index = indexOf(genesis, said.order.market);
  must(market !== undefined && base !== undefined && quote !== undefined && index !== undefined, 'terms');
  const terms = readTerms(receipt.rules, base.scale, quote.scale, index.tick);
  must(equal(receipt.rules, rulesOf(terms, market.id, index.tick, base.scale, quote.scale)), 'terms');
  // The standard terms of every new venue. Other terms are in the log, signed by two operators.
  if (!isStandard(receipt.rules) && !unshown.includes('terms')) unshown.push('terms');
  const asked: Asked = { claims, proof, genesis, unshown, entry, order: said.order, terms, index, base, quote };
  const { order } = asked;
  const expected = {
    type: order.side === 'long' ? 1 : 2,
    match_id: market.id,
    symbol: market.symbol,
    currency_id: base.id,
    share: parseInt(order.lots.toString(), 10),
    number: fixed(order.lots * terms.lot, base.scale),
    multiple: order.multiple,
    target_price: order.limit === null ? null : shownPrice(asked, order.limit),
    overnight: trimmed(terms.overnight, 6),
    create_time_ms: entry.timeMs,
  };
  claimsAre(position, expected, 'terms');
  return asked;
}

/** A claimed sample must be one that the log gives. Names of sources are not compared, because operators may have changed the list. */
function isSample(asked: Asked, claimed: unknown, { seq, atMs, price, uses, sandbox }: Sample): boolean {
  const shown = shownPrice(asked, price);
  const sources: Fields[] = uses.map(({ quote, dropped }) => {
    const source = { name: null, price: fixed(quote.price, 8), age_ms: quote.ageMs, used: dropped ? 0 : 1 };
    return dropped ? { ...source, why: dropped } : source;
  });
  if (sandbox) sources.push({ name: 'sandbox', price: shown, age_ms: 0, used: 1 });
  if (typeof claimed !== 'object' || claimed === null || !('sources' in claimed) || !Array.isArray(claimed.sources)) return false;
  const nameless = claimed.sources.map((source: Fields) => (source.name === 'sandbox' ? source : { ...source, name: null }));
  return equal({ ...claimed, sources: nameless }, { symbol: asked.index.symbol, seq, time_ms: atMs, price: shown, sources });
}

const samplesUpTo = (asked: Asked, seq: number, until: number) =>
  samplesOf(
    asked.genesis,
    asked.order.market,
    asked.index,
    (holding(asked.proof, seq)?.entries ?? []).filter((entry) => entry.seq <= until),
  );

/** The sample that an entry used: the last one before it, fresh at its instant. */
export function knownBefore(asked: Asked, claimed: unknown, reason: Reason, taker: Entry): Sample {
  const seq = seqIn(claimed) ?? 0;
  const run = holding(asked.proof, seq);
  must(run !== undefined, reason);
  const isWhole = run.entries.some((entry) => entry.seq === taker.seq);
  if (!isWhole) asked.unshown.push('order');
  const made = samplesUpTo(asked, seq, isWhole ? taker.seq - 1 : seq).at(-1);
  must(made !== undefined && isSample(asked, claimed, made), reason);
  must(made.seq < taker.seq && isFresh(made, taker.timeMs), reason);
  return made;
}

/** The sample of an instant at which something happened automatically, which came after an entry. */
export function madeAt(asked: Asked, claimed: unknown, reason: Reason, after: number, atMs: unknown): Sample {
  const seq = seqIn(claimed) ?? 0;
  const made = samplesUpTo(asked, seq, seq).at(-1);
  must(made !== undefined && made.seq === seq && isSample(asked, claimed, made), reason);
  must(made.seq > after && (atMs === undefined || made.atMs === atMs), reason);
  return made;
}

export function ticksOf({ index }: Asked, price: bigint, reason: Reason): bigint {
  must(price % index.tick === 0n, reason);
  return price / index.tick;
}
