import type { Plan } from '../../generated/api';
import { locale, t } from '../../lib/i18n';
import { amount, columnScale, format, formatPercent, make, trim, type Amount } from '../../lib/money';
import { formatter } from '../../lib/time';
import { closedText } from '../../ui/closedText';
import { amountText, decimals } from '../../ui/Figures';
import type { Reason } from './model';

export const balance = (value: Amount | string, code: string) => amountText({ value, code }, locale());
export const cost = (value: Amount | string, code: string) => amountText({ value, code, kind: 'cost' }, locale());
export const exactly = (value: Amount | string, code: string) => amountText({ value, code, full: true }, locale());
/** Formats the amounts of one column in full and with the same number of decimals, so that they visibly add up. */
export function column(code: string, values: readonly Amount[]) {
  const scale = columnScale(values, decimals(code, values[0]?.scale ?? 0).min);
  const text = (value: Amount, sign: 'auto' | 'plus') => `${format(value, locale(), { min: scale, max: scale, sign })}\u00a0${code}`;
  return { held: (value: Amount) => text(value, 'auto'), change: (value: Amount) => text(value, 'plus') };
}
export const gain = (value: Amount, code: string) => amountText({ value, code, kind: 'result', signed: true }, locale());
export const rate = (percent: string) => formatPercent(amount(percent), locale(), { min: 2 });

export const planName = ({ currency_name: code, day: days }: Pick<Plan, 'currency_name' | 'day'>) => t('plans.name', { code, days });

/** A day of the plan, which changes at 00:00 UTC, by its UTC date: 6 Dec, UTC. */
export const utcDay = (ms: number) => formatter(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC', timeZoneName: 'short' }).format(ms);
/** Sun, 6 Dec 2026, UTC. */
export const utcDate = (ms: number) => formatter(locale(), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC', timeZoneName: 'short' }).format(ms);

/** A change of money, with its sign; `bare` if the coin is shown elsewhere. */
export const unitsText = (units: bigint, scale: number, code: string, bare = false) => amountText({ value: make(units, scale), code, kind: 'result', signed: true, bare }, locale());

/** Why a plan cannot be bought, in the text of its button. */
export function reasonText(reason: Reason, code: string, scale: number): string {
  switch (reason.name) {
    case 'guest':
      return t('ui.logIn');
    case 'offline':
      return t('plans.offline');
    case 'paused':
      return t('plans.paused');
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
      return t('plans.min', { amount: balance(trim(reason.value), code) });
    case 'max':
      return t('plans.max', { amount: balance(trim(reason.value), code) });
    case 'short':
      return t('transfer.tooMuch', { more: cost(reason.value, code) });
    case 'covered':
      return t('plans.covered', { amount: balance(reason.value, code) });
    case 'full':
      return t('plans.full');
    case 'waiting':
      return t('transfer.balanceUnknown');
    case 'agreement':
      return t('plans.tick');
  }
}
