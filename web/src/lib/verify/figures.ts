import { add, amount, cmp, make, mul, rescale, zero, type Amount } from '../money';
import { readPublic } from './entry';
import { must } from './fault';
import type { Entry } from './log';

/** Public figures, added up from their parts. Only the whole log shows that no part was left out. */

/** A day of the log. The check states the constants of the log itself, beside those of the screens. */
const DAY = 86_400_000;
/** Decimals of a price in the log. */
const PRICE_SCALE = 8;

export interface Promised {
  /** Sequence of the entry that bought it. */
  seq: number;
  plan_id: number;
  currency_id: number;
  amount: string;
  /** Number of days that earn, and the yield of a day in percent. */
  day: number;
  day_percent: string;
  interest: string;
  bought_ms: number;
  end_at_ms: number;
}

export interface Treasury {
  currency_id: number;
  balance: string;
  reserve: string;
  open_orders: number;
}

/** `percent` of an amount, at its own scale, rounded down. */
const share = (of: Amount, percent: Amount): Amount => {
  const whole = mul(of, percent);
  return rescale(make(whole.units, whole.scale + 2), of.scale);
};

const isSame = (a: Amount, b: Amount) => cmp(a, b) === 0;
const rising = (numbers: readonly number[]) => numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? number));

/**
 * P-1, P-2, P-4: every promise follows from its terms. Together they are what the treasury has set aside, and it has at least that (I-6).
 */
export function checkPromises(promises: readonly Promised[], treasury: readonly Treasury[]): void {
  must(rising(promises.map(({ seq }) => seq)), 'sum');
  for (const { amount: principal, day, day_percent, interest, bought_ms, end_at_ms } of promises) {
    const earned = share(amount(principal), mul(amount(day_percent), make(BigInt(day), 0)));
    const end = (Math.floor(bought_ms / DAY) + day + 1) * DAY;
    must(isSame(earned, amount(interest)) && end === end_at_ms, 'part');
  }
  const coins = new Set([...promises, ...treasury].map(({ currency_id }) => currency_id));
  for (const coin of coins) {
    const of = promises.filter(({ currency_id }) => currency_id === coin);
    const has = treasury.find(({ currency_id }) => currency_id === coin);
    must(has !== undefined && has.open_orders === of.length, 'sum');
    const sum = of.map(({ interest }) => amount(interest)).reduce(add, zero());
    must(isSame(sum, amount(has.reserve)) && cmp(sum, amount(has.balance)) <= 0, 'sum');
  }
}

/** The public entry of a purchase has the same terms as the promise. */
export function checkPurchase({ plan_id, amount: principal, bought_ms, seq }: Promised, entry: Entry): void {
  const said = readPublic(entry);
  const is = entry.seq === seq && entry.timeMs === bought_ms && said.kind === 'locked' && said.plan === plan_id && said.principal === amount(principal).units;
  must(is, 'purchase');
}

export interface Committed {
  /** Sequence of the entry that made it. */
  seq: number;
  currency_id: number;
  amount: string;
  /** In the coin of the price, fixed when it was made. */
  value: string;
  created_at_ms: number;
}

/** N-1: the commitments up to an entry add up to what the offering shows after it. Those in the coin of the price count as they are. */
export function checkCommitments(commitments: readonly Committed[], coin: number, shown: string, at: number): void {
  must(rising(commitments.map(({ seq }) => seq)), 'sum');
  for (const { currency_id, amount: paid, value } of commitments) must(currency_id !== coin || isSame(amount(paid), amount(value)), 'part');
  const sum = commitments.filter(({ seq }) => seq <= at).map(({ value }) => amount(value)).reduce(add, zero());
  must(isSame(sum, amount(shown)), 'sum');
}

/** The public entry of a commitment matches the commitment. */
export function checkCommitment(offering: number, { seq, currency_id, amount: paid, created_at_ms }: Committed, entry: Entry): void {
  const said = readPublic(entry);
  const is = entry.seq === seq && entry.timeMs === created_at_ms && said.kind === 'committed' && said.offering === offering && said.asset === currency_id && said.amount === amount(paid).units;
  must(is, 'purchase');
}

/** N-1: a payment in another coin is valued at that coin's latest price. */
export function checkWorth({ amount: paid, value }: Committed, price: string): void {
  const counted = amount(value);
  must(isSame(mul(amount(paid), amount(price), counted.scale), counted), 'part');
}

const MINUTE = 60_000;
/** Minutes of a rolling day. */
const MINUTES = 1_440;

export interface Minute {
  start_ms: number;
  volume: string;
  quote_volume: string;
  count: number;
}

/** A pair's displayed figures of the last 24 hours. */
export interface Day {
  from_ms: number;
  volume: string;
  quote_volume: string;
  count: number;
}

export interface Traded {
  id: number;
  seq: number;
  ts: number;
  direction: 'buy' | 'sell';
  price: string;
  amount: string;
}

const total = (amounts: readonly string[]) => amounts.map(amount).reduce(add, zero());

/** M-7: the minutes of the last 24 hours add up to the displayed figures. */
export function checkVolume(minutes: readonly Minute[], day: Day): void {
  const starts = minutes.map(({ start_ms }) => start_ms);
  must(rising(starts) && starts.every((start) => start % MINUTE === 0 && start >= day.from_ms && start < day.from_ms + MINUTES * MINUTE), 'sum');
  for (const side of ['volume', 'quote_volume'] as const) must(isSame(total(minutes.map((minute) => minute[side])), amount(day[side])), 'sum', side);
  must(minutes.reduce((sum, { count }) => sum + count, 0) === day.count, 'sum');
}

/** Figures shown between two reads of the same last 24 hours lie between the two. Returns whether both were of the same day. */
export function checkShown(shown: Pick<Day, 'volume' | 'quote_volume'>, before: Day, after: Day): boolean {
  if (before.from_ms !== after.from_ms) return false;
  for (const side of ['volume', 'quote_volume'] as const) {
    const value = amount(shown[side]);
    must(cmp(amount(before[side]), value) <= 0 && cmp(value, amount(after[side])) <= 0, 'sum', side);
  }
  return true;
}

/** Whether the minute is over, so that nothing more is traded in it. */
export const isOver = ({ start_ms }: Minute, { from_ms }: Day) => start_ms < from_ms + (MINUTES - 1) * MINUTE;

/** The trades of a minute, newest first, add up to its volume and value. */
export function checkTrades(minute: Minute, trades: readonly Traded[]): void {
  must(rising(trades.map(({ id }) => -id)), 'sum');
  must(trades.every(({ ts }) => ts >= minute.start_ms && ts < minute.start_ms + MINUTE) && trades.length === minute.count, 'sum');
  must(isSame(total(trades.map((trade) => trade.amount)), amount(minute.volume)), 'sum');
  const value = trades.map((trade) => mul(amount(trade.amount), amount(trade.price))).reduce(add, zero());
  must(isSame(value, amount(minute.quote_volume)), 'sum');
}

/**
 * The entry of a trade is the taker's order at that instant, its move, or a price that triggered stops. Pair and side of a move are those of
 * the order that it names, so only its price is compared.
 */
export function checkTraded(market: number, { seq, ts, direction, price }: Traded, entry: Entry): void {
  const said = readPublic(entry);
  const late = entry.timeMs - ts;
  let is = late >= 0 && late < MINUTE;
  if (late === 0 && said.kind === 'ordered') is = said.market === market && said.side === direction;
  if (late === 0 && said.kind === 'moved') {
    const better = cmp(make(said.price, PRICE_SCALE), amount(price));
    is = said.order < BigInt(seq) && (direction === 'buy' ? better >= 0 : better <= 0);
  }
  must(entry.seq === seq && is, 'part');
}

export interface Movements {
  id: number;
  /** UTC day of the entries. */
  day: string;
  account: string;
  currency_id: number;
  received: string;
  paid: string;
  /** The last entry counted. */
  seq: number;
}

/** The balance of a house account in one coin. */
export interface Balance {
  account: string;
  currency_id: number;
  balance: string;
}

export const nameOf = ({ account, currency_id }: { account: string; currency_id: number }) => `${account} ${currency_id}`;

/**
 * L-3: what an account received less what it paid is its balance at an entry. Accounts that changed after it are not judged. Returns those
 * for which it holds.
 */
export function checkMovements(movements: readonly Movements[], balances: readonly Balance[], at: number): string[] {
  must(rising(movements.map(({ id }) => id)), 'sum');
  const names = new Set([...movements, ...balances].map(nameOf));
  return [...names].filter((name) => {
    const of = movements.filter((movement) => nameOf(movement) === name);
    if (of.some(({ seq }) => seq > at)) return false;
    const [received, paid] = (['received', 'paid'] as const).map((side) => of.map((movement) => amount(movement[side])).reduce(add, zero()));
    const has = balances.find((balance) => nameOf(balance) === name);
    must(received !== undefined && paid !== undefined && isSame(received, add(paid, has ? amount(has.balance) : zero())), 'sum', name);
    return true;
  });
}

/** The balances of house accounts and members at a cut add up to what came in and has not left. Not judged without the accounts. */
export function checkCut(pools: readonly { balance: string }[] | null, total: string, external: string): void {
  if (!pools) return;
  const house = pools.map(({ balance }) => amount(balance)).reduce(add, zero());
  must(isSame(add(add(house, amount(total)), amount(external)), zero()), 'sum');
}

/** The last entry of a movement belongs to its day. */
export function checkDay({ day, seq }: Movements, entry: Entry): void {
  must(entry.seq === seq && new Date(entry.timeMs).toISOString().startsWith(day), 'part');
}

export interface Rebates {
  /** Number of the last rebate of the day. */
  id: number;
  /** Their value when they were credited. */
  usdt: string;
}

/** G-6: the rebates of all days add up to the total of the place. */
export function checkRebates(days: readonly Rebates[], total: string): void {
  must(rising(days.map(({ id }) => id)), 'sum');
  must(isSame(days.map(({ usdt }) => amount(usdt)).reduce(add, zero()), amount(total)), 'sum');
}

/** G-6: at most ten places, each with its own rank, best first, and none without a rebate. */
export function checkPlaces(places: readonly { rank: number; total: string }[]): void {
  const totals = places.map(({ total }) => amount(total));
  const falling = totals.every((total, at) => at === 0 || cmp(total, totals[at - 1] ?? total) <= 0);
  must(places.length <= 10 && places.every(({ rank }, at) => rank === at + 1) && falling && totals.every((total) => cmp(total, zero()) > 0), 'sum');
}

export interface Part {
  name: string;
  amount: string;
  price: string | null;
  count: number;
}

/** The smallest amount that this percentage of all does not exceed. */
function percentile(parts: readonly Part[], percent: number): Amount | undefined {
  const sorted = parts.toSorted((a, b) => cmp(amount(a.amount), amount(b.amount)));
  const rank = Math.ceil((counted(parts) * percent) / 100);
  let below = 0;
  for (const part of sorted) {
    below += part.count;
    if (rank > 0 && below >= rank) return amount(part.amount);
  }
  return undefined;
}
const counted = (parts: readonly Part[]) => parts.reduce((sum, { count }) => sum + count, 0);

/** The value of a figure follows from its parts: value by their prices, minutes by their counts, or a count. */
export function checkStat({ name, value, parts }: { name: string; value: string; parts: readonly Part[] }): void {
  const claimed = amount(value);
  const is = (found: Amount | undefined) => must(found !== undefined && isSame(found, claimed), 'sum', name);
  if (name === 'withdrawal_minutes_median_30d') is(percentile(parts, 50));
  else if (name === 'withdrawal_minutes_p95_30d') is(percentile(parts, 95));
  else if (name.startsWith('withdrawals_')) is(make(BigInt(counted(parts)), 0));
  else is(parts.map(({ amount: of, price }) => (price === null ? zero() : mul(amount(of), amount(price), claimed.scale))).reduce(add, zero()));
}
