import * as money from '../../lib/money';
import { stamp } from '../../lib/time';
import { ACCOUNT_NUMBER, isAccount } from '../../lib/wire';
import { accountName, type Fields, type Json } from '../api';

/** Texts of values from the wire, never rounded; for reading only. */

export const isMap = (value: Json | undefined): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const SHORT: Record<string, string> = { id: 'ID', tx: 'transaction', btc: 'BTC', eth: 'ETH', usdt: 'USDT', usdc: 'USDC', usd: 'USD', iban: 'IBAN', swift: 'SWIFT', uid: 'UID', ms: '', kyc: 'identity' };
/** Names of the wire that need other words than their own. */
const NAMED: Record<string, string> = {
  effective_ms: 'Takes effect',
  unmark_until_ms: 'The mark can be taken back until',
  dispute: 'Contradicted by the chain',
  to_address: 'To the address of the withdrawal',
  linked_member: 'Same person as member',
  mail: 'The link goes to',
  match_id: 'Pair number',
  offering_id: 'Number of the offering',
  url: 'Address, https',
  currency_id: 'Coin number',
  currency_name: 'Coin',
  collateral_currency_id: 'Coin number of the collateral',
  collateral_currency_name: 'Coin of the collateral',
  ltv: 'Loan to value, %',
  owner_coin_and_network: 'Owner, coin and network',
  country_of_sign_up: 'Country of sign-up',
  card_id: 'ID number',
  deposit_on: 'Deposits open',
  withdraw_on: 'Withdrawals open',
  deposit_min: 'Smallest deposit',
  withdraw_min: 'Smallest withdrawal',
  deposit_max: 'Largest deposit',
  withdraw_fee: 'Fee of a withdrawal (bank: %)',
  withdraw_fee_min: 'Smallest fee of a withdrawal',
  maker_fee: 'Maker fee, %',
  taker_fee: 'Taker fee, %',
  min_qty: 'Smallest order',
  max_qty: 'Largest order',
  min_notional: 'Smallest order value',
  max_notional: 'Largest order value',
  band_buy: 'Buy orders, from and to, % of the price',
  band_sell: 'Sell orders, from and to, % of the price',
  base: 'Traded coin',
  quote: 'Priced in',
  scale: 'Decimals',
  faucet_max: 'Paper money at once, at most',
  tick: 'Price step',
  step: 'Quantity step',
  index_tick: 'Step of the index',
  day: 'Days',
  day_percent: 'Yield of a day, %',
  damage_rate: 'Damages for each day left, %',
  save_min: 'Smallest amount',
  save_max: 'Largest amount',
  agreement_version: 'Version of the agreement',
  interest_rate: 'Interest of a day, %',
  min_amount: 'Smallest loan',
  max_amount: 'Largest loan',
  start_ltv: 'Loan to value at the start, at most, %',
  call_ltv: 'Loan to value of the margin call, %',
  liquidation_ltv: 'Loan to value of the liquidation, %',
  liquidation_fee: 'Fee of a liquidation, %',
  liq_fee: 'Fee of a liquidation, %',
  start_at_ms: 'Paid out',
  due_at_ms: 'Due',
  due_if_paid_out_now_ms: 'Due, if it is paid out now',
  sold_from_ms: 'Collateral sold from',
  total_return: 'Still to be repaid by the due date',
  overdue_multiplier: 'Interest when overdue, times',
  grace_days: 'Days of grace',
  live_loans: 'Open loans of a member, at most',
  one_approves_up_to: 'One person approves up to, USDT',
  profit_ratio: 'Yield, %',
  even_profit_ratio: 'Yield of even, %',
  tolerance: 'Band of even, %',
  tie_rule: 'Up or down, when even',
  open_options: 'Open options of a member, at most',
  multiples: 'Leverage',
  overnight: 'Overnight fee, %',
  cap_roi: 'Profit at most, times the margin',
  max_lots: 'Lots at most',
  on: 'Offered',
  sources: 'Price sources',
  supply: 'Offered coins',
  pay: 'Payment coins',
  start_ms: 'Opens, UTC',
  close_ms: 'Closes, UTC',
  launch_ms: 'Launched at the earliest, UTC',
  release: 'Released by day after the launch, %',
  min: 'Smallest',
  max: 'Largest',
  open_max: 'Open at most',
  even_max: 'Largest on even',
  bound: 'Worth up to',
  max_multiple: 'Leverage at most',
  mmr: 'Maintenance margin, %',
  user_cap: 'Largest sum of a member, USDT',
  oversub_factor: 'Accepted up to so many times the supply',
  new_currency_name: 'New coin',
  sold: 'Allotted coins',
  sub_escrow: 'Subscription escrow',
  sub_proceeds: 'Subscription proceeds',
};
/** Names with another meaning in a case than among the terms of a product. */
const IN_CASE: Record<string, string> = { live_loans: 'Open loans of this member' };
/** Names with another meaning among the terms of one kind of the catalog. */
const OF_KIND: Record<string, Record<string, string>> = {
  offering: { min: 'Smallest subscription, USDT' },
  flash: { spread: 'Spread, %', fee: 'Fee, %', min: 'Smallest conversion, USDT', max: 'Largest conversion, USDT', day_max: 'Of one member in a day at most, USDT', ttl_ms: 'A quote is held for, ms' },
};
/** `real_name` becomes "Real name". */
export function label(name: string, kind?: Json): string {
  const named = (typeof kind === 'string' ? OF_KIND[kind]?.[name] : undefined) ?? NAMED[name];
  if (named !== undefined) return named;
  const words = name.replace(/([a-z])([A-Z])/g, '$1_$2').split(/[_\s]+/).map((word) => SHORT[word.toLowerCase()] ?? word.toLowerCase());
  const text = words.filter(Boolean).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A value as text; the screen formats times. */
export function shown(value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return '—';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length ? value.map(shown).join(', ') : '—';
  if (isMap(value)) return Object.entries(value).map(([name, part]) => `${label(name)} ${shown(part)}`).join(' · ');
  return String(value);
}

/** A figure with all its decimals and grouped thousands. */
export function exact(text: string): string {
  const figure = money.amount(text);
  return money.format(figure, 'en', { min: figure.scale });
}
/** The decimals of a text with grouped thousands. */
export const grouped = (text: string): string => text.replace(/(?<![\w.,])\d{4,}\.\d+(?![\w.])/g, exact);

/** A 0 or 1 that means no or yes. */
export const isFlag = (name: string, value: Json | undefined): boolean => /(^|_)(on|active|watched)$/.test(name) && (value === 0 || value === 1);

/** Name of an account for the wire's word. */
export const accountWord = (word: Json): string => (typeof word === 'string' && isAccount(word) ? accountName(ACCOUNT_NUMBER[word]) : shown(word));

/** Instants among the terms of a new coin, shown in UTC: members live in many zones, and the coin opens for all of them at once. */
export const isInstant = (name: string): boolean => ['start_ms', 'close_ms', 'launch_ms'].includes(name);
/** An instant as two operators sign it, to the second, or to the millisecond if it is not a whole second. */
const utcText = (ms: number): string => `${new Date(ms).toISOString().replace('T', ' ').replace(/(\.000)?Z$/, '')} UTC`;
/** An instant in the form of a date and time field, in UTC and to the minute; empty if none is chosen. */
export const utcMinute = (ms: number): string => (ms > 0 ? new Date(ms).toISOString().slice(0, 16) : '');
/** The field as an instant; an unchanged field keeps its seconds. */
export function instantOf(text: string, before: number): number | undefined {
  if (text === utcMinute(before)) return before;
  const at = Date.parse(`${text}Z`);
  return at > 0 ? at : undefined;
}

/** The same values with coins shown by their code, in the lists among them too. */
export function withCoins(values: Fields, codeOf: (id: number) => string): Fields {
  const within = (value: Json): Json => (Array.isArray(value) ? value.map(within) : isMap(value) ? withCoins(value, codeOf) : value);
  const isNumber = (name: string, value: Json): value is number => name === 'currency_id' && values.currency_name === undefined && typeof value === 'number' && value > 0;
  return Object.fromEntries(Object.entries(values).map(([name, value]): [string, Json] => (isNumber(name, value) ? ['currency_name', codeOf(value)] : [name, within(value)])));
}

/** What becomes of the stake of an option on up or down whose price ends even. */
export const TIE_RULES: Readonly<Record<string, string>> = { refund: 'stake is paid back', lose: 'stake is lost' };
/** Words of the wire that are written with capitals or underscores. */
const WORDS: readonly string[] = ['state', 'end'];

/**
 * The value of a named field: a flag is yes or no, no instant means the earliest, and an instant is shown readably beside what is signed.
 */
export function told(name: string, value: Json | undefined): string {
  if (name === 'accounts' && Array.isArray(value)) return value.map(accountWord).join(', ');
  if (name === 'effective_ms' && value === 0) return 'as soon as it is confirmed';
  if (isFlag(name, value)) return value === 1 ? 'yes' : 'no';
  if (name === 'tie_rule') return TIE_RULES[shown(value)] ?? shown(value);
  if (WORDS.includes(name) && typeof value === 'string') return label(value).toLowerCase();
  if (isInstant(name) && typeof value === 'number') return value > 0 ? utcText(value) : shown(null);
  return isTime(name, value) ? `${value} (${stamp(value, 'en')})` : shown(value);
}

/** Whether a field is a time in milliseconds. */
export const isTime = (name: string, value: Json | undefined): value is number => /(^|_)ms$/.test(name) && typeof value === 'number' && value > 1e12;
/** Fields in the order sent, without the wire's text form of a time that also comes in milliseconds. */
export const entries = (fields: Fields): [string, Json][] => Object.entries(fields).filter(([name]) => fields[`${name}_ms`] === undefined);

/** The number of a coin is redundant beside its code. */
const isNumbered = (fields: Fields, name: string): boolean => /(^|_)currency_id$/.test(name) && typeof fields[name.replace(/id$/, 'name')] === 'string';

/**
 * Every value on a line of its own, with maps expanded, so that nothing that is signed hides inside another value. Threads, earlier
 * attempts and other loans are shown separately.
 */
export function flat(fields: Fields, before = ''): [name: string, value: Json][] {
  return entries(fields).flatMap(([name, value]): [string, Json][] => {
    if (isNumbered(fields, name) || (before === '' && ['messages', 'past', 'past_loans'].includes(name))) return [];
    if (isMap(value)) return flat(value, `${before}${name}.`);
    if (Array.isArray(value) && value.length > 0 && value.every(isMap)) return value.flatMap((one, n) => flat(one, `${before}${name}.${n + 1}.`));
    return [[before + name, value]];
  });
}
/** Last part of a flattened name. */
export const leaf = (name: string): string => name.split('.').at(-1) ?? name;
/** The label of a field in a case: `destination.bank_account` is "Destination, bank account". */
export const path = (name: string): string =>
  name
    .split('.')
    .map((part, n) => IN_CASE[part] ?? (n === 0 ? label(part) : label(part).replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())))
    .join(', ');

/** Amounts in a case. What a member or a bank wrote is never grouped, even if it looks like a figure. */
const AMOUNTS: readonly string[] = ['amount', 'fee', 'received', 'payout_usd', 'value_usdt', 'claimed', 'credited', 'interest', 'collateral', 'collateral_value', 'debt', 'total_return'];
/** A value of a case as text, with grouped thousands if it is an amount. */
export const inCase = (name: string, value: Json): string => (AMOUNTS.includes(leaf(name)) ? grouped(shown(value)) : told(leaf(name), value));

const DESTINATIONS: readonly string[] = ['address', 'destination', 'iban', 'bank_account', 'swift_code', 'card_id'];
/** Destinations of money, and numbers to compare. A postal address stays as words. */
export const isDestination = (name: string, value: Json | undefined): value is string => typeof value === 'string' && value.length >= 8 && !/\s/.test(value) && DESTINATIONS.includes(leaf(name));
/** Groups of four, for reading aloud and comparing by eye. */
export const groups = (text: string): string[] => text.match(/.{1,4}/gu) ?? [];

export interface Change {
  name: string;
  before: string | null;
  after: string;
  same: boolean;
}
/** The changes of a proposal line by line, including unchanged values. */
export function changes(values: Fields, before: Fields | null): Change[] {
  const old = new Map(before ? entries(before) : []);
  const lines = entries(values).map(([name, value]): Change => {
    const was = old.get(name);
    old.delete(name);
    return { name, before: before ? told(name, was) : null, after: told(name, value), same: before !== null && JSON.stringify(was) === JSON.stringify(value) };
  });
  // Fields that the new values omit are removed, which must be visible too.
  return before ? [...lines, ...[...old].map(([name, was]): Change => ({ name, before: told(name, was), after: shown(undefined), same: was === null || was === '' }))] : lines;
}

/** Edited text in the form that the field had: a number stays a number, a decimal stays text. */
export function like(sample: Json | undefined, text: string): { ok: true; value: Json } | { ok: false } {
  const clean = text.trim();
  if (typeof sample === 'number') return /^-?\d{1,15}$/.test(clean) ? { ok: true, value: parseInt(clean, 10) } : { ok: false };
  if (typeof sample === 'boolean') return clean === 'true' || clean === 'false' ? { ok: true, value: clean === 'true' } : { ok: false };
  if (sample === null && clean === '') return { ok: true, value: null };
  if (typeof sample === 'object' && sample !== null) {
    try {
      return { ok: true, value: JSON.parse(clean) as Json };
    } catch {
      return { ok: false };
    }
  }
  return { ok: true, value: clean };
}
export const editable = (value: Json | undefined): string => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value === undefined || value === null ? '' : String(value));

/** Fields in which the two entries differ; they must agree in everything before they are sent. */
export const disagreeing = (first: Readonly<Record<string, string>>, second: Readonly<Record<string, string>>): string[] =>
  Object.keys(first).filter((name) => (first[name] ?? '').trim() !== (second[name] ?? '').trim());

/** An instant in the form of a date and time field: in the zone of this machine, to the minute. */
export const localMinute = (ms: number): string => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
