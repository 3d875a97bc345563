import type { Position } from '../../generated/api';
import { locale, t } from '../../lib/i18n';
import { amount, format, formatPercent, make, trim, type Amount } from '../../lib/money';
import { closedText } from '../../ui/closedText';
import { amountText } from '../../ui/Figures';
import { priceAt } from '../../ui/positionText';
import type { Reason } from './order';
import { stopOf, takeOf } from './position';
import type { Market } from './terms';

/** Texts of the contract screens. */

export const cost = (value: Amount | string | undefined, code: string) => amountText({ value, code, kind: 'cost' }, locale());
export const balance = (value: Amount | string | undefined, code: string) => amountText({ value, code }, locale());
export const result = (value: Amount | string | undefined, code: string) => amountText({ value, code, kind: 'result', signed: true }, locale());
export const bare = (value: Amount | string | undefined, kind: 'cost' | 'balance' | 'result' = 'balance') => amountText({ value, code: 'USDT', bare: true, kind, signed: kind === 'result' }, locale());
export const rate = (percent: string) => formatPercent(trim(amount(percent), 2), locale());
export const percentOf = (value: Amount, kind: 'rate' | 'result' = 'rate') => formatPercent(value, locale(), { kind, min: 2, max: 2, ...(kind === 'result' && { sign: 'plus' }) });

const whole = (count: number) => format(make(BigInt(count), 0), locale());

/** Reasons that the server refuses in the same words. */
const REFUSED = {
  lots: 'E_LOTS',
  lotsMax: 'E_LOTS_MAX',
  multiple: 'E_LEVERAGE',
  ownLoss: 'E_SELF_LIMIT',
  tick: 'E_TICK',
  openLimit: 'E_OPEN_LIMIT',
  tier: 'E_TIER',
  liquidated: 'E_LIQ_AT_OPEN',
  stopSide: 'E_SL',
  profitSide: 'E_TP',
} as const;

/** Why an order cannot be sent. */
export function reasonText({ name, low, high, count }: Reason, { symbol, quote, tick }: Market): string {
  const max = count !== undefined ? whole(count) : name === 'tier' ? balance(high, quote.code) : high ? format(high, locale()) : '';
  switch (name) {
    case 'guest':
    case 'offline':
      return t(`trade.reason.${name}`);
    case 'paused':
      return t('trade.reason.paused', { pair: symbol });
    case 'country':
    case 'unknown':
    case 'frozen':
      return closedText(name);
    case 'insufficient':
      return t('contracts.reason.insufficient', { amount: cost(high, quote.code) });
    case 'lots':
    case 'lotsMax':
    case 'multiple':
    case 'ownLoss':
    case 'tick':
    case 'openLimit':
    case 'tier':
    case 'liquidated':
    case 'stopSide':
    case 'profitSide':
      return t(`errors.${REFUSED[name]}`, { max, tick: priceAt(tick), low: priceAt(low), high: priceAt(high) });
    default:
      return t(`contracts.reason.${name}`, { max });
  }
}

/** "TP 70,500.00, SL none" for a row. */
export const triggersText = (position: Position) => t('contracts.triggers', { profit: takeOf(position) ? priceAt(takeOf(position)) : t('contracts.none'), stop: stopOf(position) ? priceAt(stopOf(position)) : t('contracts.none') });
