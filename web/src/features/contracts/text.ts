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

/** Why an order cannot be sent. */
export function reasonText(reason: Reason, market: Market): string {
  const high = reason.high && (reason.name === 'lotsMax' ? format(reason.high, locale()) : priceAt(reason.high));
  const range = { low: priceAt(reason.low), high: high ?? '' };
  const max = reason.count === undefined ? '' : whole(reason.count);
  switch (reason.name) {
    case 'guest':
    case 'offline':
      return t(`trade.reason.${reason.name}`);
    case 'paused':
      return t('trade.reason.paused', { pair: market.symbol });
    case 'country':
    case 'unknown':
    case 'frozen':
      return closedText(reason.name);
    case 'lots':
      return t('errors.E_LOTS');
    case 'lotsMax':
      return t('errors.E_LOTS_MAX', { max: high ?? '' });
    case 'multiple':
      return t('errors.E_LEVERAGE');
    case 'ownLoss':
      return t('errors.E_SELF_LIMIT');
    case 'tick':
      return t('errors.E_TICK', { tick: priceAt(market.tick) });
    case 'openLimit':
      return t('errors.E_OPEN_LIMIT', { max });
    case 'tier':
      return t('errors.E_TIER', { max: balance(reason.high, market.quote.code) });
    case 'liquidated':
      return t('errors.E_LIQ_AT_OPEN');
    case 'stopSide':
      return t('errors.E_SL', range);
    case 'profitSide':
      return t('errors.E_TP', range);
    case 'insufficient':
      return t('contracts.reason.insufficient', { amount: cost(reason.high, market.quote.code) });
    case 'ownMultiple':
    case 'tierMultiple':
      return t(`contracts.reason.${reason.name}`, { max });
    default:
      return t(`contracts.reason.${reason.name}`);
  }
}

/** "TP 70,500.00, SL none" for a row. */
export const triggersText = (position: Position) => t('contracts.triggers', { profit: takeOf(position) ? priceAt(takeOf(position)) : t('contracts.none'), stop: stopOf(position) ? priceAt(stopOf(position)) : t('contracts.none') });
