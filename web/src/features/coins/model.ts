import type { Offering } from '../../generated/api';
import { amount, cmp, div, make, max, min, mul, rescale, sign, sub, zero, type Amount, type Parsed } from '../../lib/money';
import type { ProductContext } from '../../lib/productContext';
import { DAY } from '../../lib/time';
import { shareOf, wantedFor, worthAt, type Issue, type Share, type Tranche } from './formulas';

const USDT = 6;

/** The token's decimals are those of its supply on the wire. */
export const issueOf = ({ num, change_rate: price }: Pick<Offering, 'num' | 'change_rate'>): Issue => ({ supply: amount(num).units, price: rescale(amount(price), 8).units, scale: amount(num).scale });

export const scheduleOf = ({ release }: Pick<Offering, 'release'>): Tranche[] => release.map(({ day, share }) => ({ day, share: rescale(amount(share), 6).units }));

/** Value of a payment in USDT (N-1); for another coin at the present index. */
export function valueOf(paid: Amount, code: string, index: string | null | undefined): Amount | undefined {
  if (code === 'USDT') return paid;
  return index ? mul(paid, amount(index), USDT) : undefined;
}

/** The allotment of a further payment, if it were the last one. */
export function shareNow(offering: Offering, paid: Amount, value: Amount): Share & { over: boolean } {
  const issue = issueOf(offering);
  const all = wantedFor(issue, amount(offering.committed_value).units + value.units);
  const share = shareOf(issue, paid.units, value.units, all);
  return { ...share, over: all > issue.supply };
}

/** Demand and supply, in units of the token; demand can be larger. */
export function askedOf(offering: Offering): { asked: Amount; supply: Amount } {
  const supply = amount(offering.num);
  return { asked: make(wantedFor(issueOf(offering), amount(offering.committed_value).units), supply.scale), supply };
}

/** When tokens become free: at 00:00 UTC of a day after the launch. */
export const freeAt = (launch: number, day: number) => (Math.floor(launch / DAY) + day) * DAY;

/** What each release brings, in percent of all tokens; on the wire each row includes the earlier releases. */
export const partsOf = ({ release }: Pick<Offering, 'release'>): { day: number; part: Amount }[] =>
  release.map(({ day, share }, n) => ({ day, part: sub(amount(share), amount(release[n - 1]?.share ?? '0')) }));

/** The days of the first and of the last release after the launch, which are equal if all tokens become free at once. */
export const lockOf = ({ release, day }: Pick<Offering, 'release' | 'day'>): { first: number; last: number } => ({ first: release[0]?.day ?? day, last: release.at(-1)?.day ?? day });

export type AssetGroup = 'open' | 'upcoming' | 'launched' | 'cancelled';
const SHELVES: Record<Offering['state'], AssetGroup> = { upcoming: 'upcoming', open: 'open', sold_out: 'open', allocated: 'open', launched: 'launched', ended: 'launched', cancelled: 'cancelled' };
/** The tab that lists an offering. */
export const shelfOf = ({ state }: Pick<Offering, 'state'>): AssetGroup => SHELVES[state];

/** USDT that can still be paid in: up to the member's own cap, and up to the total cap (N-2). */
function roomOf(offering: Offering, before: Amount): Amount {
  const issue = issueOf(offering);
  const taken = make(worthAt(issue, issue.supply, issue.price) * BigInt(offering.oversub_factor), USDT);
  return max(zero(USDT), min(sub(amount(offering.user_cap), before), sub(taken, amount(offering.committed_value))));
}

/** The most that can be paid with a coin at the present index; undefined until it is known. */
export function mostOf(offering: Offering, code: string, index: string | null | undefined, { available, before }: Pick<OrderContext, 'available' | 'before'>): Amount | undefined {
  if (!available || !before) return undefined;
  const room = roomOf(offering, before);
  if (code === 'USDT') return min(available, room);
  return index ? min(available, div(room, amount(index), available.scale)) : undefined;
}

export interface OrderContext extends ProductContext {
  available: Amount | undefined;
  /** USDT value that the member has committed to this offering before; undefined while unknown. */
  before: Amount | undefined;
  now: number;
}

export type Reason =
  | { name: 'guest' | 'offline' | 'frozen' | 'paused' | 'country' | 'unknown' | 'empty' | 'format' | 'scale' | 'waiting' | 'stale' | 'closed' | 'soldOut' | 'tick' }
  | { name: 'min' | 'cap' | 'short'; value: Amount };

/** Why nothing can be paid now, the first reason first (N-2). */
export function validate(offering: Offering, typed: Parsed, value: Amount | undefined, ticked: boolean, context: OrderContext): Reason | undefined {
  if (!context.loggedIn) return { name: 'guest' };
  if (!context.online) return { name: 'offline' };
  if (context.forbidden) return { name: context.forbidden };
  if (!context.open) return { name: 'paused' };
  if (context.frozen) return { name: 'frozen' };
  if (offering.state === 'sold_out') return { name: 'soldOut' };
  if (offering.state !== 'open' || context.now >= offering.send_end_ms) return { name: 'closed' };
  if (!typed.ok) return { name: typed.reason };
  if (sign(typed.value) === 0) return { name: 'min', value: amount(offering.buy_num) };
  if (!value) return { name: 'stale' };
  if (cmp(value, amount(offering.buy_num)) < 0) return { name: 'min', value: amount(offering.buy_num) };
  if (!context.available || !context.before) return { name: 'waiting' };
  const room = max(zero(USDT), sub(amount(offering.user_cap), context.before));
  if (cmp(value, room) > 0) return { name: 'cap', value: room };
  if (cmp(typed.value, context.available) > 0) return { name: 'short', value: sub(typed.value, context.available) };
  return ticked ? undefined : { name: 'tick' };
}

export const tokens = (units: bigint, { scale }: Issue) => make(units, scale);

/** The address of the white paper of an offering, and the owner of that page; only `https` is opened. */
export function paperOf({ white_paper: address }: Pick<Offering, 'white_paper'>): { url: string; host: string } | undefined {
  const host = /^https:\/\/([a-z\d.-]+)(?=[/?#]|$)/i.exec(address ?? '')?.[1];
  return address !== null && host !== undefined ? { url: address, host } : undefined;
}
