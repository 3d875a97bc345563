import { Reader } from './bytes';
import { Fault, must } from './fault';
import type { Entry } from './log';

/** The contents of entries that decide prices and outcomes (`docs/log-bytes.md`). */

export interface Quote {
  source: number;
  price: bigint;
  ageMs: number;
}

export type Origin = { names: string[] } | { numerator: number; denominator: number };

export interface Genesis {
  sandbox: boolean;
  assets: { id: number; code: string; scale: number }[];
  markets: { id: number; symbol: string; base: number; quote: number }[];
  indices: { market: number; tick: bigint; origin: Origin }[];
}

export type Bet = 'up' | 'down' | 'flat';

export interface Purchase {
  market: number;
  bet: Bet;
  asset: number;
  seconds: number;
  stake: bigint;
  rule: Uint8Array;
}

/** An order of a contract; prices in units of 1e-8. */
export interface ContractOrder {
  market: number;
  side: 'long' | 'short';
  lots: bigint;
  multiple: number;
  limit: bigint | null;
  takeProfit: bigint | null;
  stopLoss: bigint | null;
}

export type Said =
  | { kind: 'quotes'; markets: { market: number; quotes: Quote[] }[] }
  | { kind: 'price'; market: number; price: bigint }
  | { kind: 'feed'; market: number; halted: boolean }
  | { kind: 'bought'; purchase: Purchase }
  | { kind: 'opened'; order: ContractOrder }
  | { kind: 'closed' | 'cancelled'; position: number }
  | { kind: 'stopped'; position: number; takeProfit: bigint | null; stopLoss: bigint | null }
  | { kind: 'locked'; plan: number; principal: bigint }
  | { kind: 'committed'; offering: number; asset: number; amount: bigint }
  | { kind: 'ordered'; market: number; side: 'buy' | 'sell' }
  | { kind: 'moved'; order: bigint; price: bigint }
  | { kind: 'other' };

const WALLETS = ['spot', 'futures', 'options', 'earn'] as const;
const BETS = ['up', 'down', 'flat'] as const;
const SIDES = ['long', 'short'] as const;
const ORDERS = ['buy', 'sell'] as const;
const ORDER_KINDS = ['limit', 'market', 'stop'] as const;
const TIMES_IN_FORCE = ['cancelled', 'immediate', 'fill', 'post'] as const;

/** The first entry: mode, coins, pairs and indices. The rest is not needed. */
export function readGenesis({ kind, seq, prev, bytes }: Entry): Genesis {
  must(kind === 1 && seq === 1 && prev.every((byte) => byte === 0), 'genesis');
  const from = new Reader(bytes, 'genesis');
  const sandbox = from.form(['sandbox', 'live']) === 'sandbox';
  const assets = from.list(() => {
    const [id, code, scale] = [from.short(), from.text(), from.byte()];
    from.list(() => from.form(WALLETS));
    from.long();
    return { id, code, scale };
  });
  const markets = from.list(() => {
    const [id, symbol, base, quote] = [from.short(), from.text(), from.short(), from.short()];
    // Tick and step, quantities, values, fees, and two bands.
    for (let figure = 0; figure < 12; figure++) from.long();
    return { id, symbol, base, quote };
  });
  const indices = from.list(() => {
    const [market, tick] = [from.short(), from.long()];
    const origin: Origin = from.form(['sources', 'cross']) === 'sources' ? { names: from.list(() => from.text()) } : { numerator: from.short(), denominator: from.short() };
    return { market, tick, origin };
  });
  return { sandbox, assets, markets, indices };
}

function flag(from: Reader): boolean {
  const byte = from.byte();
  must(byte < 2, 'chain');
  return byte === 1;
}

/** Every kind of entry (`crates/engine/src/codec.rs`). */
export const KNOWN = new Set([1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 32, 33, 34, 35, 36, 37, 38, 39, 48, 49, 50, 51, 52, 64, 65, 66, 80, 81, 82, 96, 112, 113, 114, 115, 128, 129, 130, 144, 145, 160, 161, 162, 163, 176, 192, 240, 241, 242, 243]);

/** The content of an entry. This app cannot check a kind of a later release. */
export function readPublic({ kind, version, bytes, seq }: Entry): Said {
  if (!KNOWN.has(kind) || (version !== 1 && !(kind === 1 && version === 2))) throw new Fault('chain', `entry ${seq} is of an unknown kind`);
  const from = new Reader(bytes, 'chain');
  const price = () => (flag(from) ? from.long() : null);
  let said: Said = { kind: 'other' };
  if (kind === 16) {
    said = { kind: 'ordered', market: from.short(), side: from.form(ORDERS) };
    const of = from.form(ORDER_KINDS);
    const figures = { limit: 2, market: 1, stop: 3 }[of];
    for (let figure = 0; figure < figures; figure++) from.long();
    if (of !== 'market') from.form(TIMES_IN_FORCE);
  } else if (kind === 19) said = { kind: 'moved', order: from.long(), price: from.long() };
  else if (kind === 4) {
    const quote = () => ({ source: from.byte(), price: from.long(), ageMs: from.short() });
    said = { kind: 'quotes', markets: from.list(() => ({ market: from.short(), quotes: from.list(quote) })) };
  } else if (kind === 242) said = { kind: 'price', market: from.short(), price: from.long() };
  else if (kind === 243) said = { kind: 'feed', market: from.short(), halted: flag(from) };
  else if (kind === 96) {
    const purchase = { market: from.short(), bet: from.form(BETS), asset: from.short(), seconds: from.short(), stake: from.long(), rule: from.take(32) };
    said = { kind: 'bought', purchase };
  } else if (kind === 112) {
    said = { kind: 'opened', order: { market: from.short(), side: from.form(SIDES), lots: from.long(), multiple: from.short(), limit: price(), takeProfit: price(), stopLoss: price() } };
  } else if (kind === 113) said = { kind: 'closed', position: from.short() };
  else if (kind === 114) said = { kind: 'stopped', position: from.short(), takeProfit: price(), stopLoss: price() };
  else if (kind === 115) said = { kind: 'cancelled', position: from.short() };
  else if (kind === 144) {
    said = { kind: 'locked', plan: from.short(), principal: from.long() };
    // Without the agreement nothing was bought.
    must(flag(from), 'purchase');
    // The rule that the buyer was shown; under another one nothing was bought either.
    if (flag(from)) from.take(32);
  } else if (kind === 176) said = { kind: 'committed', offering: from.short(), asset: from.short(), amount: from.long() };
  else return said;
  from.end();
  return said;
}

/** The root of one coin's tree of liabilities. */
export interface CoinRoot {
  asset: number;
  cameIn: bigint;
  total: bigint;
  users: bigint;
  root: Uint8Array;
}

/** The roots of a cut, if the entry has any. */
export function readRoots({ kind, version, bytes }: Entry): { seq: number; timeMs: number; coins: CoinRoot[] } | null {
  if (kind !== 7 || version !== 1) return null;
  const from = new Reader(bytes, 'cut');
  const [seq, timeMs] = [from.short(), from.short()];
  const coins = from.list(() => ({ asset: from.short(), cameIn: from.long(), total: from.long(), users: from.long(), root: from.take(32) }));
  from.end();
  return { seq, timeMs, coins };
}

/** The buyer, from the sealed part of the purchase: the request, if there was one, as two numbers of 128 bits, and the member. */
export function readBuyer(bytes: Uint8Array): number {
  const from = new Reader(bytes, 'purchase');
  const requests = from.byte();
  must(requests < 2, 'purchase');
  if (requests) {
    for (let number = 0; number < 2; number++) {
      let byte = from.byte();
      while (byte >= 0x80) byte = from.byte();
    }
  }
  const user = from.short();
  from.end();
  return user;
}
