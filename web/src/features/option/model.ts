import { abs, add, amount, cmp, div, isZero, mul, part, rescale, sub, trim, type Amount, type Parsed } from '../../lib/money';
import type { ProductContext } from '../../lib/productContext';
import type { OptionCoin, OptionDuration, OptionOrder, SelfLimits } from '../../generated/api';

/** Cost, payout and result of an option, by its rules (ids in brackets). Pure. */

/** 1 up, 2 down, 0 even, as on the wire. */
export type Direction = 0 | 1 | 2;
export const DIRECTIONS: readonly Direction[] = [1, 0, 2];
/** The names of the directions in texts and colours. */
export const SIDE = { 1: 'up', 2: 'down', 0: 'even' } as const;

export interface Quote {
  stake: Amount;
  profit: Amount;
  fee: Amount;
  /** Stake and fee: paid now, and lost by a wrong call. */
  cost: Amount;
  /** Profit after the fee. */
  gain: Amount;
  /** Stake and profit. */
  payout: Amount;
  /** Percent of calls that must be right to break even, one decimal, rounded up; even ends are left out. */
  breakEven: Amount;
  /** The average loss per call if one of two is right. */
  coinToss: Amount;
}

const HUNDRED = amount('100');
/** A rate of the wire in percent, as a fraction; rates have eight decimals (0.1). */
const rate = (percent: string) => div(amount(percent), HUNDRED, 8);

/** O-3, O-6 to O-8: a stake with its payout rate and fee, both in percent. */
export function quote(stake: Amount, payoutRate: string, feeRate: string): Quote {
  const profit = mul(stake, rate(payoutRate), stake.scale, 'down');
  const fee = mul(stake, rate(feeRate), stake.scale, 'up');
  const cost = add(stake, fee);
  const gain = sub(profit, fee);
  const payout = add(stake, profit);
  return { stake, profit, fee, cost, gain, payout, breakEven: div(mul(cost, HUNDRED), payout, 1, 'up'), coinToss: part(sub(cost, gain), 50, 'up') };
}

/** O-5: half the width of the even band at an open price, exact, as the engine compares it. */
export const band = (open: Amount, tolerance: string): Amount => mul(open, rate(tolerance), 8, 'down');

/** O-5: the result at this price. */
export function outcome(open: Amount, end: Amount, tolerance: string): Direction {
  const difference = sub(end, open);
  if (cmp(abs(difference), band(open, tolerance)) <= 0) return 0;
  return difference.units > 0n ? 1 : 2;
}

/** O-6 to O-8: the net result of a running option if it ended at this price. */
export function netAt(option: Pick<OptionOrder, 'type' | 'number' | 'fee' | 'profit' | 'open_price' | 'tolerance' | 'tie_rule'>, price: Amount): Amount {
  const [stake, fee, profit] = [amount(option.number), amount(option.fee), amount(option.profit)];
  const end = outcome(amount(option.open_price), price, option.tolerance);
  const paid = end === option.type ? add(stake, profit) : end === 0 && option.tie_rule === 'refund' ? stake : undefined;
  const cost = add(stake, fee);
  return paid ? sub(paid, cost) : sub(rescale(amount('0'), cost.scale), cost);
}

export interface Record {
  right: number;
  /** Decided ones: even ends that returned the stake, and refunds, are neither right nor wrong. */
  count: number;
  net: Amount;
  /** The newest decided ones, oldest first. */
  marks: readonly boolean[];
  /** Percent of right calls, rounded down; undefined before the first. */
  rate: Amount | undefined;
}
const MARKS = 20;

/** The member's record over ended options, newest first. */
export function recordOf(rows: readonly OptionOrder[]): Record {
  const decided = rows.filter(({ result }) => result === 'won' || result === 'lost');
  const right = decided.filter(({ result }) => result === 'won').length;
  const net = rows.reduce((sum, row) => add(sum, amount(row.fact_profits ?? '0')), amount('0'));
  return {
    right,
    count: decided.length,
    net,
    marks: decided.slice(0, MARKS).map(({ result }) => result === 'won').toReversed(),
    rate: decided.length ? div(amount(String(right * 100)), amount(String(decided.length)), 1) : undefined,
  };
}

/** Limits of a stake in a coin. */
export function bounds(duration: OptionDuration, coin: number, direction: Direction): { min: Amount; max: Amount } | undefined {
  const limit = duration.limits.find(({ currency_id }) => currency_id === coin);
  return limit && { min: amount(limit.min), max: amount(direction === 0 ? limit.even_max : limit.max) };
}

/** Payout of a direction in percent of the stake. */
export const payoutRate = (duration: OptionDuration, direction: Direction) => (direction === 0 ? duration.even_profit_ratio : duration.profit_ratio);

/** The lowest and the highest payout of a direction. */
export function payoutRange(durations: readonly OptionDuration[], direction: Direction): { low: Amount; high: Amount } | undefined {
  const all = durations.map((duration) => trim(amount(payoutRate(duration, direction)))).toSorted(cmp);
  const [low, high] = [all[0], all.at(-1)];
  return low && high && { low, high };
}

export interface OrderContext extends ProductContext {
  verified: boolean;
  stale: boolean;
  /** Free money in the options account; undefined while unknown. */
  available: Amount | undefined;
  running: number;
  /** What the member's own limits leave today. */
  own: OwnLimits;
}
/** Members' own limits are in USDT; the server converts payments in other coins at a price of its own. */
const LIMIT_COIN = 'USDT';
export interface OwnLimits {
  /** Nothing can be bought at all. */
  paused: boolean;
  /** Stakes that can still be bought; undefined without a limit. */
  stakes?: Amount | undefined;
  /** What can still be lost, counting all that is open as lost. */
  losses?: Amount | undefined;
}

/** What is left of the member's own limits. */
export function ownLimits(limits: SelfLimits, now: number): OwnLimits {
  const left = (limit: string | null, used: string) => (limit === null ? undefined : sub(amount(limit), amount(used)));
  return { paused: (limits.pause_until_ms ?? 0) > now, stakes: left(limits.option_stake_day, limits.used.option_stake_day), losses: left(limits.loss_day, limits.used.loss_day) };
}

/** A stake coin's terms without its balance, which changes with every purchase. */
export interface StakeCoin {
  id: number;
  code: string;
  /** Percent of the stake. */
  feeRate: string;
  min: string;
  /** Options that may run at once. */
  mostRunning: number;
}
export const stakeCoin = (coin: OptionCoin): StakeCoin => ({ id: coin.id, code: coin.name, feeRate: coin.micro_trade_fee, min: coin.micro_min, mostRunning: coin.micro_holdtrade_max });

export interface Draft {
  direction: Direction;
  duration: OptionDuration | undefined;
  coin: StakeCoin;
  stake: Parsed;
}
export interface Reason {
  name: 'guest' | 'offline' | 'frozen' | 'paused' | 'country' | 'unknown' | 'duration' | 'empty' | 'format' | 'decimals' | 'identity' | 'ownLimit' | 'min' | 'max' | 'tooMany' | 'stale' | 'insufficient';
  field?: 'duration' | 'stake';
  value?: Amount;
}

function stakeReasons(draft: Draft, { available, own }: OrderContext): Reason[] {
  const { stake, duration, coin } = draft;
  const field = 'stake' as const;
  if (!stake.ok) return [{ name: stake.reason === 'scale' ? 'decimals' : stake.reason, field }];
  if (isZero(stake.value)) return [{ name: 'empty', field }];
  const limit = duration && bounds(duration, coin.id, draft.direction);
  const found: Reason[] = [];
  if (limit && cmp(stake.value, limit.min) < 0) found.push({ name: 'min', field, value: limit.min });
  if (limit && cmp(stake.value, limit.max) > 0) found.push({ name: 'max', field, value: limit.max });
  const { cost } = quote(rescale(stake.value, amount(coin.min).scale), '0', coin.feeRate);
  const breaks = (left: Amount | undefined, taken: Amount) => left !== undefined && coin.code === LIMIT_COIN && cmp(taken, left) > 0;
  if (breaks(own.stakes, stake.value) || breaks(own.losses, cost)) found.push({ name: 'ownLimit', field });
  if (available && cmp(cost, available) > 0) found.push({ name: 'insufficient', field, value: sub(cost, available) });
  return found;
}

/** Every reason against the purchase, in the engine's order (3.4); the main button shows the first. */
export function validate(draft: Draft, context: OrderContext): Reason[] {
  const stake = stakeReasons(draft, context);
  const of = (...names: Reason['name'][]) => stake.filter(({ name }) => names.includes(name));
  return [
    ...(context.loggedIn ? [] : [{ name: 'guest' } as const]),
    ...(context.online ? [] : [{ name: 'offline' } as const]),
    ...(context.open ? [] : [{ name: 'paused' } as const]),
    ...(context.forbidden ? [{ name: context.forbidden } as const] : []),
    ...(context.frozen ? [{ name: 'frozen' } as const] : []),
    ...(draft.duration ? [] : [{ name: 'duration', field: 'duration' } as const]),
    ...of('empty', 'format', 'decimals'),
    ...(context.verified ? [] : [{ name: 'identity' } as const]),
    ...(context.own.paused ? [{ name: 'ownLimit' } as const] : []),
    ...of('ownLimit'),
    ...of('min', 'max'),
    ...(context.running >= draft.coin.mostRunning ? [{ name: 'tooMany' } as const] : []),
    ...(context.stale ? [{ name: 'stale' } as const] : []),
    ...of('insufficient'),
  ];
}

/** A stake above a quarter of the account needs a box to be ticked. */
export const isLarge = (stake: Amount, available: Amount | undefined) => available !== undefined && cmp(mul(stake, amount('4')), available) > 0;
