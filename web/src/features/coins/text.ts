import type { Offering } from '../../generated/api';
import type { CommitmentState } from '../../lib/commitment';
import { locale, t } from '../../lib/i18n';
import { amount, format, formatPercent, trim, type Amount } from '../../lib/money';
import { formatter, serverNow } from '../../lib/time';
import { closedText } from '../../ui/closedText';
import { amountText } from '../../ui/Figures';
import type { Tone } from '../../ui/Status';
import { freeAt, lockOf, type Reason } from './model';

export const balance = (value: Amount | string, code: string) => amountText({ value, code }, locale());
/** The same where the coin is shown beside it. */
export const bare = (value: Amount | string, code: string) => amountText({ value, code, bare: true }, locale());
export const cost = (value: Amount | string, code: string) => amountText({ value, code, kind: 'cost' }, locale());
export const exactly = (value: Amount | string, code: string) => amountText({ value, code, full: true }, locale());
export const gain = (value: Amount | string, code: string) => amountText({ value, code, kind: 'result', signed: true }, locale());
/** Tokens without trailing zeros. */
export const coins = (value: Amount | string, code: string) => amountText({ value: trim(typeof value === 'string' ? amount(value) : value), code }, locale());
export const percent = (value: string | Amount) => formatPercent(typeof value === 'string' ? amount(value) : value, locale(), { min: 2, max: 2, kind: 'result', sign: 'plus' });
/** A part of all tokens: 25%. */
export const partText = (value: Amount) => formatPercent(trim(value), locale());
/** Prices of a coin in one column have the same number of decimals. */
export const barePrice = (value: Amount) => format(trim(value), locale(), { kind: 'price', min: 4 });
export const price = (value: string) => `${barePrice(amount(value))}\u00a0USDT`;

export const TONES: Record<CommitmentState, Tone> = { review: 'info', passed: 'done', refunded: 'caution', locked: 'info', released: 'done' };

/** 6 Dec. */
export const day = (ms: number) => formatter(locale(), { day: 'numeric', month: 'short' }).format(ms);
/** Releases are at 00:00 UTC, so their day is shown in UTC. */
export const utcDay = (ms: number) => formatter(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(ms);

/** How long tokens are locked, and the days on which the first and the last can be sold; they are equal if all become free at once. */
export function lockText(offering: Offering) {
  const { first, last } = lockOf(offering);
  const date = (days: number) => utcDay(freeAt(offering.online_time_ms, days));
  const [from, to] = [date(first), date(last)];
  const inParts = first < last;
  return {
    from,
    days: inParts ? t('coins.lockedParts', { first, last }) : t('coins.locked', { days: last }),
    tick: inParts ? t('coins.tickParts', { first: from, last: to }) : t('coins.tick', { date: to }),
    sell: t(inParts ? 'coins.sellPart' : 'coins.sell'),
    review: inParts ? { label: t('coins.releases'), value: `${from} \u2013 ${to}` } : { label: t('coins.lockedUntil'), value: to },
  };
}

/** 4 d 7 h, or 7 h 12 min. */
function left(ms: number): string {
  const minutes = Math.max(0, Math.ceil(ms / 60_000));
  const hours = Math.floor(minutes / 60);
  return hours >= 24 ? t('coins.days', { days: Math.floor(hours / 24), hours: hours % 24 }) : t('coins.hours', { hours, minutes: minutes % 60 });
}

export function stateText({ state, send_start_ms: start, send_end_ms: end }: Offering): string {
  const now = serverNow();
  // After its start it stays so until the issuer has delivered the coins.
  if (state === 'upcoming') return start > now ? t('coins.state.upcoming', { time: left(start - now) }) : t('coins.tab.upcoming');
  if (state === 'open') return t('coins.state.open', { time: left(end - now) });
  return t(`coins.state.${state}`);
}

/** Why nothing can be paid, in the text of the button. */
export function reasonText(reason: Reason, code: string, scale: number): string {
  switch (reason.name) {
    case 'guest':
      return t('ui.logIn');
    case 'offline':
      return t('plans.offline');
    case 'paused':
      return t('coins.paused');
    case 'country':
    case 'unknown':
    case 'frozen':
      return closedText(reason.name);
    case 'empty':
      return t('transfer.needAmount');
    case 'format':
      return t('trade.reason.format');
    case 'scale':
      return t('transfer.scale', { code, scale });
    case 'min':
      return t('plans.min', { amount: balance(trim(reason.value), 'USDT') });
    case 'cap':
      return t('coins.cap', { amount: balance(reason.value, 'USDT') });
    case 'short':
      return t('transfer.tooMuch', { more: cost(reason.value, code) });
    case 'waiting':
      return t('transfer.balanceUnknown');
    case 'stale':
      return t('trade.reason.stale');
    case 'closed':
      return t('coins.closed');
    case 'soldOut':
      return t('coins.state.sold_out');
    case 'tick':
      return t('trade.tickFirst');
  }
}
