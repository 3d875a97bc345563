import type { Address, Card, UserCenter, WithdrawInfo, WithdrawRow } from '../../generated/api';
import type { Key, Values } from '../../lib/i18n';
import { amount, cmp, max, min, mul, rescale, sign, sub, zero, type Amount, type Parsed } from '../../lib/money';
import { DAY } from '../../lib/time';

const HUNDRED_SCALE = 2;
const CENT_SCALE = 2;
const WEEK = 7 * DAY;

/** The terms of one withdrawal: of a coin on a network, or to a bank card. */
export interface Terms {
  min: Amount;
  /** Fixed fee, or the minimum fee if there is a rate. */
  fee: Amount;
  /** Fee as a fraction of the amount; zero for coins. */
  rate: Amount;
  /** US dollars for one USDT; bank cards only. */
  payout: Amount | undefined;
  open: boolean;
}

/** Percent `a` as a fraction, exactly. */
const fraction = (percent: string) => mul(amount(percent), amount('0.01'), amount(percent).scale + HUNDRED_SCALE);

/** The server's terms for this destination; undefined until a network is chosen. */
export function termsOf(info: WithdrawInfo, chain: string | undefined): Terms | undefined {
  if (info.payout_rate !== null) {
    return { min: amount(info.min_number), fee: amount(info.min_fee), rate: fraction(info.rate), payout: amount(info.payout_rate), open: true };
  }
  const network = info.networks.find((one) => one.chain === chain);
  return network && { min: amount(network.withdraw_min), fee: amount(network.withdraw_fee), rate: zero(), payout: undefined, open: network.withdraw_on === 1 };
}

export interface Outcome {
  fee: Amount;
  received: Amount;
  /** US dollars paid out, in whole cents. */
  dollars: Amount | undefined;
}

/** Cost and proceeds of a withdrawal: the fee is inside the amount and rounds up, the payout rounds down. */
export function outcome(value: Amount, { fee, rate, payout }: Terms): Outcome {
  const whole = max(rescale(fee, value.scale), mul(value, rate, value.scale, 'up'));
  const received = sub(value, whole);
  return { fee: whole, received, dollars: payout && (sign(received) > 0 ? mul(received, payout, CENT_SCALE) : zero(CENT_SCALE)) };
}

/** The most that can be requested now: the balance or what the limits leave, whichever is less. */
export const largest = (info: WithdrawInfo, available: Amount): Amount => min(available, amount(info.max_number));

/** Whether a limit leaves less than the balance when the terms were read, and this amount exceeds what it leaves. */
const overLimit = (info: WithdrawInfo, value: Amount): boolean => cmp(amount(info.max_number), amount(info.change_balance)) < 0 && cmp(value, amount(info.max_number)) > 0;

export interface Reason {
  text: Key;
  values?: Values;
  /** By how much it exceeds the balance; the screen formats the figure. */
  over?: Amount;
  /** The minimum; the screen formats the figure. */
  least?: Amount;
  /** What the day's limit leaves, USDT; the screen formats the figure. */
  left?: Amount;
}

interface Form {
  info: WithdrawInfo;
  /** The chosen address or card. */
  chosen: { usable_at_ms: number } | undefined;
  terms: Terms | undefined;
  amount: Parsed;
  code: string;
  scale: number;
  /** Undefined while unknown. */
  available: Amount | undefined;
  password: string;
  /** The code that was sent to the member; undefined if none is needed. */
  sent: string | undefined;
  /** The authenticator's digits; undefined when two-factor is off. */
  otp: string | undefined;
  now: number;
  bank: boolean;
}

/** Why a withdrawal cannot be sent yet, in order of importance. */
export function validate(form: Form): Reason[] {
  const { info, chosen, terms, code, scale, available, password, sent, otp, now, bank } = form;
  const reasons: Reason[] = [];
  if (info.day_count >= info.day_count_max) reasons.push({ text: 'withdraw.noneLeft' });
  if (info.hold_until_ms !== null && info.hold_until_ms > now) reasons.push({ text: 'withdraw.onHold' });
  if (!chosen) reasons.push({ text: bank ? 'withdraw.chooseCard' : 'withdraw.chooseAddress' });
  else if (chosen.usable_at_ms > now) reasons.push({ text: 'withdraw.tooNew' });
  if (terms && !terms.open) reasons.push({ text: 'funding.paused' });
  if (!form.amount.ok) {
    if (form.amount.reason === 'empty') reasons.push({ text: 'assets.needAmount' });
    else if (form.amount.reason === 'scale') reasons.push({ text: 'assets.scale', values: { code, scale } });
    else reasons.push({ text: 'errors.E_AMOUNT' });
  } else {
    const { value } = form.amount;
    if (sign(value) <= 0) reasons.push({ text: 'assets.needAmount' });
    else if (terms && cmp(value, terms.min) < 0) reasons.push({ text: 'funding.least', least: terms.min });
    else if (available === undefined) reasons.push({ text: 'transfer.balanceUnknown' });
    else if (cmp(value, available) > 0) reasons.push({ text: 'transfer.tooMuch', over: sub(value, available) });
    else if (overLimit(info, value)) reasons.push({ text: 'errors.E_WITHDRAW_LIMIT', left: sub(amount(info.day_value_max), amount(info.day_value)) });
    else if (terms && sign(outcome(value, terms).received) <= 0) reasons.push({ text: 'withdraw.underFee' });
  }
  if (password.length < 6) reasons.push({ text: 'withdraw.moreDigits', values: { count: 6 - password.length } });
  if (sent !== undefined && sent.length < 6) reasons.push({ text: 'errors.E_CODE' });
  if (otp !== undefined && otp.length < 6) reasons.push({ text: 'withdraw.needOtp' });
  return reasons;
}

/** A crypto address younger than a week needs another confirmation. */
export const isYoung = (added: number, now: number) => now - added < WEEK;

/** The initial address of a form: the requested one, else the newest that can be used. */
export function firstChoice<T extends Pick<Address | Card, 'id' | 'usable_at_ms'>>(rows: readonly T[], asked: number | undefined, now: number): T | undefined {
  return rows.find((row) => row.id === asked) ?? rows.find((row) => row.usable_at_ms <= now) ?? rows[0];
}

/** The choice of a form, and the request of the link that it answers. */
export interface Chosen {
  asked: number | undefined;
  id: number;
}

/** A choice stays while it exists: a newer address or the end of a hold does not replace it. */
export function choice<T extends Pick<Address | Card, 'id' | 'usable_at_ms'>>(rows: readonly T[], asked: number | undefined, before: Chosen | undefined, now: number): T | undefined {
  const kept = before && before.asked === asked ? rows.find((row) => row.id === before.id) : undefined;
  return kept ?? firstChoice(rows, asked, now);
}

// ---- one withdrawal ---------------------------------------------------------

export type StepState = 'done' | 'now' | 'next' | 'failed';
export interface Stage {
  title: Key;
  state: StepState;
  /** The text below it. */
  text?: Key;
}

/** Where the money is: requested, reviewed by two operators, sent, arrived. */
export function stages({ state, is_bank }: Pick<WithdrawRow, 'state' | 'is_bank'>): Stage[] {
  const sent: Key = is_bank ? 'withdraw.stage.sentBank' : 'withdraw.stage.sent';
  const requested: Stage = { title: 'withdraw.stage.requested', state: 'done' };
  // The promise for the step, until it is done.
  const sending = (now: StepState): Stage => ({ title: sent, state: now, text: is_bank ? 'withdraw.stage.sentBankText' : 'withdraw.stage.sentText' });
  const review = (now: StepState): Stage => ({ title: 'withdraw.stage.review', state: now, ...(now === 'now' && { text: 'withdraw.stage.reviewText' }) });
  switch (state) {
    case 'rejected':
      return [requested, { title: 'withdraw.stage.rejected', state: 'failed' }];
    case 'cancelled':
      return [requested, { title: 'withdraw.stage.cancelled', state: 'failed' }];
    case 'returned':
      return [requested, review('done'), { title: sent, state: 'done' }, { title: 'withdraw.stage.returned', state: 'failed' }];
    case 'under_review':
      return [requested, review('now'), sending('next'), { title: 'withdraw.stage.arrives', state: 'next' }];
    case 'passed':
      return [requested, review('done'), sending('now'), { title: 'withdraw.stage.arrives', state: 'next' }];
    case 'sent':
      return [requested, review('done'), { title: sent, state: 'done' }, { title: 'withdraw.stage.arrives', state: 'now' }];
  }
}

export const isOpen = (state: WithdrawRow['state']) => state === 'under_review' || state === 'passed';

/** Time left of the promise in hours and minutes; undefined once it has passed. */
export function timeLeft(expected: number, now: number): { hours: number; minutes: number } | undefined {
  const minutes = Math.ceil((expected - now) / 60_000);
  return minutes <= 0 ? undefined : { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}

/** Page of a transaction in the network's public explorer. */
export function explorer(chain: string, tx: string): string | undefined {
  const pages: Record<string, string> = { BTC: 'https://mempool.space/tx/', ERC20: 'https://etherscan.io/tx/', TRC20: 'https://tronscan.org/#/transaction/' };
  return /^[0-9a-zA-Z]{16,80}$/.test(tx) && pages[chain] ? pages[chain] + tx : undefined;
}

/** A member without an authenticator gets a code, unless they switched it off. */
export const asksForCode = (user: Pick<UserCenter, 'totp' | 'withdraw_code'>) => user.withdraw_code === 'on' && user.totp !== 1;
