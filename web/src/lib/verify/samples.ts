import type { Genesis, Quote } from './entry';
import { readPublic } from './entry';
import type { Entry } from './log';
import { must } from './fault';
import type { Rule } from './rule';

/** The price of an index from raw quotes, and its samples (`docs/rules.md` 1, X-1 to X-8). Whole numbers only. */

const QUORUM = 3;
const STALE_MS = 5_000;
const MAX_PRICE = 10_000_000_000_000_000n;
const ONE = 100_000_000n;
const DEVIATION = 2_000_000n;
const JUMP = 5_000_000n;
const AGREEMENT = 1_000_000n;
const CANDIDATES = 3;
const RESET_MS = 60_000;
export const FRESH_MS = 3_000;

/** What a rule states about the index. */
export type IndexRule = Pick<Rule, 'symbol' | 'tick' | 'names'>;

export type Dropped = 'stale' | 'deviation' | 'nonpositive';
export interface Use {
  quote: Quote;
  dropped: Dropped | null;
}

export interface Sample {
  seq: number;
  /** When it became known. */
  atMs: number;
  /** Its own time, from which it ages; for a computed one, that of its older leg. */
  timeMs: number;
  price: bigint;
  uses: Use[];
  sandbox: boolean;
}

/** young enough to be used at an instant. */
export const isFresh = ({ timeMs }: Pick<Sample, 'timeMs'>, instantMs: number) => instantMs - timeMs <= FRESH_MS;

/** the latest sample known at an instant, if it was fresh then. */
export function usableAt<S extends Pick<Sample, 'atMs' | 'timeMs'>>(samples: readonly S[], instantMs: number): S | null {
  const known = samples.findLast(({ atMs }) => atMs <= instantMs);
  return known && isFresh(known, instantMs) ? known : null;
}

const inBounds = (price: bigint) => price > 0n && price < MAX_PRICE;
const distance = (a: bigint, b: bigint) => (a > b ? a - b : b - a);
/** Whether two values differ by at most a share of the second. Both may be given doubled. */
const isNear = (a: bigint, b: bigint, share: bigint) => distance(a, b) * ONE <= b * share;

/** Rounded half to even. */
function halfEven(numerator: bigint, denominator: bigint): bigint {
  const [quotient, rest] = [numerator / denominator, numerator % denominator];
  const twice = rest * 2n;
  return twice > denominator || (twice === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

const onTick = (numerator: bigint, denominator: bigint, tick: bigint) => halfEven(numerator, denominator * tick) * tick;

function doubledMedian(uses: readonly Use[]): bigint | null {
  const prices = uses.filter(({ dropped }) => !dropped).map(({ quote }) => quote.price);
  if (prices.length < QUORUM) return null;
  prices.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const [upper = 0n, lower = 0n] = [prices[prices.length >> 1], prices[(prices.length - 1) >> 1]];
  return upper + lower;
}

/** the price, or null without a quorum, and how each quote was used. */
export function indexPrice(quotes: readonly Quote[], tick: bigint): { price: bigint | null; uses: Use[] } {
  const uses = quotes.map((quote): Use => ({ quote, dropped: !inBounds(quote.price) ? 'nonpositive' : quote.ageMs > STALE_MS ? 'stale' : null }));
  const median = doubledMedian(uses);
  if (median === null) return { price: null, uses };
  for (const use of uses) if (!use.dropped && !isNear(2n * use.quote.price, median, DEVIATION)) use.dropped = 'deviation';
  const kept = doubledMedian(uses);
  const price = kept === null ? null : onTick(kept, 2n, tick);
  return { price: price !== null && inBounds(price) ? price : null, uses };
}

/** holds back a step of over 5 % until three candidates agree. */
export class Filter {
  last: { timeMs: number; price: bigint } | null = null;
  private candidate: bigint | null = null;
  private agreeing = 0;

  accept(timeMs: number, price: bigint): void {
    this.last = { timeMs, price };
    this.candidate = null;
    this.agreeing = 0;
  }

  offer(timeMs: number, price: bigint): boolean {
    const calm = !this.last || timeMs - this.last.timeMs > RESET_MS || isNear(price, this.last.price, JUMP);
    if (!calm) {
      this.agreeing = this.candidate !== null && isNear(price, this.candidate, AGREEMENT) ? this.agreeing + 1 : 1;
      this.candidate = price;
    }
    const accepted = calm || this.agreeing >= CANDIDATES;
    if (accepted) this.accept(timeMs, price);
    return accepted;
  }
}

interface Index {
  market: number;
  tick: bigint;
  /** Number of its sources; null for a computed one. */
  sources: number;
  legs: [number, number] | null;
  filter: Filter;
  feed: 'sources' | 'sandbox';
}

/** The indices of the first entry, with the rule's index in place of its own. A pair that was listed later has none. */
function indicesOf(genesis: Genesis, market: number, rule: IndexRule): Index[] {
  const symbol = genesis.markets.find(({ id }) => id === market)?.symbol;
  must(symbol === rule.symbol && genesis.indices.some((index) => index.market === market), 'terms');
  const named = new Map<number, number>();
  for (const source of rule.names) {
    if (typeof source === 'string') {
      named.set(market, rule.names.length);
    } else {
      const leg = genesis.markets.find((listed) => listed.symbol === source.symbol)?.id;
      must(leg !== undefined && genesis.indices.some((index) => index.market === leg), 'terms');
      named.set(leg, source.names.length);
    }
  }
  return genesis.indices.map(({ market: of, tick, origin }) => {
    const listed = 'names' in origin ? origin.names.length : 0;
    const legs: [number, number] | null = 'names' in origin || named.has(of) ? null : [origin.numerator, origin.denominator];
    return { market: of, tick: of === market ? rule.tick : tick, sources: named.get(of) ?? listed, legs, filter: new Filter(), feed: 'sources' };
  });
}

/** Lists as many sources of a pair, or of its legs, as these entries quote: operators may have added some. Whether they did. */
export function addQuoted({ indices }: Genesis, market: number, entries: readonly Entry[]): boolean {
  const originOf = (of: number) => indices.find((index) => index.market === of)?.origin;
  const own = originOf(market);
  const legs = own && 'numerator' in own ? [own.numerator, own.denominator] : [market];
  let added = false;
  for (const said of entries.map(readPublic)) {
    for (const { market: of, quotes } of said.kind === 'quotes' ? said.markets : []) {
      const origin = originOf(of);
      if (!origin || !('names' in origin) || !legs.includes(of)) continue;
      while (quotes.some(({ source }) => source >= origin.names.length)) added = origin.names.push('') > 0;
    }
  }
  return added;
}

/** The first quote of each listed source. */
const onceEach = (quotes: readonly Quote[], sources: number) =>
  quotes.filter(({ source }, at) => source < sources && quotes.findIndex((other) => other.source === source) === at);

/** The samples of a pair that these entries make, in order. */
export function samplesOf(genesis: Genesis, market: number, rule: IndexRule, entries: readonly Entry[]): Sample[] {
  const indices = indicesOf(genesis, market, rule);
  const all: Sample[] = [];
  for (const entry of entries) {
    const said = readPublic(entry);
    const at = { seq: entry.seq, atMs: entry.timeMs, timeMs: entry.timeMs };
    const sampled: number[] = [];
    const made = (of: number, price: bigint, uses: Use[], sandbox: boolean) => {
      sampled.push(of);
      if (of === market) all.push({ ...at, price, uses, sandbox });
    };
    const own = (of: number) => indices.find((index) => index.market === of && !index.legs);
    if (said.kind === 'quotes') {
      const seen = new Set<number>();
      for (const { market: of, quotes } of said.markets) {
        const index = own(of);
        if (!index || seen.has(of) || index.feed !== 'sources') continue;
        seen.add(of);
        const { price, uses } = indexPrice(onceEach(quotes, index.sources), index.tick);
        if (price !== null && index.filter.offer(entry.timeMs, price)) made(of, price, uses, false);
      }
    } else if (said.kind === 'price' && genesis.sandbox) {
      const index = own(said.market);
      if (index && inBounds(said.price) && said.price % index.tick === 0n) {
        index.feed = 'sandbox';
        index.filter.accept(entry.timeMs, said.price);
        made(said.market, said.price, [], true);
      }
    } else if (said.kind === 'feed' && genesis.sandbox) {
      const index = own(said.market);
      if (index) index.feed = said.halted ? 'sandbox' : 'sources';
    }
    // a computed sample follows its legs and is as old as the older one.
    for (const index of indices) {
      if (!index.legs?.some((leg) => sampled.includes(leg))) continue;
      const [above, below] = index.legs.map((leg) => indices.find((other) => other.market === leg)?.filter.last);
      if (!above || !below) continue;
      const timeMs = Math.min(above.timeMs, below.timeMs);
      const price = !isFresh({ timeMs }, entry.timeMs) ? 0n : onTick(above.price * ONE, below.price, index.tick);
      if (!inBounds(price)) continue;
      index.filter.accept(timeMs, price);
      if (index.market === market) all.push({ ...at, timeMs, price, uses: [], sandbox: false });
    }
  }
  return all;
}
