/** The arithmetic of subscriptions in whole units (N-3 to N-7). */

const E8 = 100_000_000n;
const up = (n: bigint, d: bigint) => (n + d - 1n) / d;
const pow = (scale: number) => 10n ** BigInt(scale);
/** Decimals of USDT and of a price. */
const VALUE = 6;
const PRICE = 8;

export interface Issue {
  /** Units of the token. */
  supply: bigint;
  /** Hundred-millionths of a USDT for a whole token. */
  price: bigint;
  /** Decimals of the token. */
  scale: number;
}

export interface Share {
  /** The tokens that the payment asks for. */
  wanted: bigint;
  tokens: bigint;
  /** USDT. */
  cost: bigint;
  /** The part of the payment that is charged, in its own coin. */
  charge: bigint;
  refund: bigint;
}

/** N-3: tokens that a value in USDT asks for. */
export const wantedFor = ({ price, scale }: Issue, value: bigint) => (value * pow(scale + PRICE - VALUE)) / price;

/** Value of tokens at a price, in USDT. */
export const worthAt = ({ scale }: Issue, tokens: bigint, price: bigint) => (tokens * price * pow(VALUE)) / pow(scale + PRICE);

/** N-3, N-4: the allotment of a payment at this total demand. */
export function shareOf(issue: Issue, paid: bigint, value: bigint, all: bigint): Share {
  const { supply, price, scale } = issue;
  const wanted = wantedFor(issue, value);
  const tokens = all <= supply ? wanted : (supply * wanted) / all;
  const cost = up(tokens * price * pow(VALUE), pow(scale + PRICE));
  const charge = value === 0n ? 0n : up(paid * cost, value);
  return { wanted, tokens, cost, charge, refund: paid - charge };
}

export interface Tranche {
  /** Days after the launch. */
  day: number;
  /** Hundred-millionths of the whole, including earlier tranches. */
  share: bigint;
}

/** N-6: released this many days after the launch; the last tranche releases everything. */
export function releasedAfter(tokens: bigint, schedule: readonly Tranche[], days: number): bigint {
  const reached = schedule.filter(({ day }) => day <= days);
  const last = reached.at(-1);
  return !last ? 0n : reached.length === schedule.length ? tokens : (tokens * last.share) / E8;
}
