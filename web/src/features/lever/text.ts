import type { Position } from '../../generated/api';
import { locale, t } from '../../lib/i18n';
import { amount, format, formatPercent, make, trim, wire, type Amount } from '../../lib/money';
import { amountText, priceText } from '../../ui/Figures';
import type { Tone } from '../../ui/Status';
import type { Reason } from './order';
import { sideOf, stopOf, takeOf } from './position';
import type { Market } from './terms';

/** What the screens of contracts say. */

export const quoteOf = ({ symbol }: Pick<Position, 'symbol'>) => symbol.split('/')[1] ?? '';
export const baseOf = ({ symbol }: Pick<Position, 'symbol'>) => symbol.split('/')[0] ?? '';

/** A price with the decimals it has on the wire. */
export const priceAt = (value: string | Amount | undefined) => {
  const text = value === undefined || typeof value === 'string' ? value : wire(value);
  return priceText(text, undefined, locale());
};
export const cost = (value: Amount | string | undefined, code: string) => amountText({ value, code, kind: 'cost' }, locale());
export const balance = (value: Amount | string | undefined, code: string) => amountText({ value, code }, locale());
export const result = (value: Amount | string | undefined, code: string) => amountText({ value, code, kind: 'result', signed: true }, locale());
export const bare = (value: Amount | string | undefined, kind: 'cost' | 'balance' | 'result' = 'balance') => amountText({ value, code: 'USDT', bare: true, kind, signed: kind === 'result' }, locale());
export const rate = (percent: string) => formatPercent(trim(amount(percent), 2), locale());
export const percentOf = (value: Amount, kind: 'rate' | 'result' = 'rate') => formatPercent(value, locale(), { kind, min: 2, max: 2, ...(kind === 'result' && { sign: 'plus' }) });

export const sideText = (side: 'long' | 'short', multiple: number) => t(side === 'long' ? 'contracts.longTimes' : 'contracts.shortTimes', { multiple });
export const positionSide = (position: Position) => sideText(sideOf(position), position.multiple);
export const lotsText = (lots: bigint | number) => t('contracts.lots', { lots: parseInt(String(lots), 10) });
export const sizeText = ({ share, number, symbol }: Pick<Position, 'share' | 'number' | 'symbol'>) =>
  t('contracts.size', { lots: lotsText(share), amount: `${format(trim(amount(number)), locale())}\u00a0${symbol.split('/')[0]}` });

const whole = (count: number) => format(make(BigInt(count), 0), locale());

/** Why an order cannot be sent. */
export function reasonText(reason: Reason, market: Market): string {
  const high = reason.high && (reason.name === 'lotsMax' ? format(reason.high, locale()) : priceAt(reason.high));
  const range = { low: priceAt(reason.low), high: high ?? '' };
  const max = reason.count === undefined ? '' : whole(reason.count);
  switch (reason.name) {
    case 'guest':
      return t('trade.reason.guest');
    case 'offline':
      return t('trade.reason.offline');
    case 'paused':
      return t('trade.reason.paused', { pair: market.symbol });
    case 'country':
      return t('errors.E_COUNTRY');
    case 'unknown':
      return t('errors.E_KYC_BASIC');
    case 'frozen':
      return t('errors.E_ACCOUNT_FROZEN');
    case 'lotsEmpty':
      return t('contracts.reason.lotsEmpty');
    case 'lots':
      return t('errors.E_LOTS');
    case 'lotsMax':
      return t('errors.E_LOTS_MAX', { max: high ?? '' });
    case 'multiple':
      return t('errors.E_LEVERAGE');
    case 'ownMultiple':
      return t('contracts.reason.ownMultiple', { max });
    case 'ownPause':
      return t('contracts.reason.ownPause');
    case 'tierMultiple':
      return t('contracts.reason.tierMultiple', { max });
    case 'limitEmpty':
      return t('contracts.reason.limitEmpty');
    case 'price':
      return t('contracts.reason.price');
    case 'tick':
      return t('errors.E_TICK', { tick: priceAt(market.tick) });
    case 'stopEmpty':
      return t('contracts.reason.stopEmpty');
    case 'profitEmpty':
      return t('contracts.reason.profitEmpty');
    case 'openLimit':
      return t('errors.E_OPEN_LIMIT', { max });
    case 'stale':
      return t('contracts.reason.stale');
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
  }
}

const WHY = { USER: 'contracts.why.USER', TP: 'contracts.why.TP', SL: 'contracts.why.SL', LIQUIDATION: 'contracts.why.LIQUIDATION', PROFIT_CAP: 'contracts.why.PROFIT_CAP', ADL: 'contracts.why.ADL', RETIRED: 'contracts.why.RETIRED' } as const;
const WHY_NOT = { USER: 'contracts.whyNot.USER', EXPIRED: 'contracts.whyNot.EXPIRED', RETIRED: 'contracts.whyNot.RETIRED' } as const;

/** One sentence: why a position closed or an order never filled. */
export function whyText(position: Position): string | undefined {
  const { reason, status } = position;
  if (status === 3) return t(WHY[(reason ?? 'USER') as keyof typeof WHY] ?? 'contracts.why.USER', { price: priceAt(position.update_price) });
  if (status === 4) return t(WHY_NOT[reason as keyof typeof WHY_NOT] ?? 'contracts.whyNot.other');
  return undefined;
}

export function stateOf({ status, reason }: Position): { tone: Tone; text: string } {
  if (status === 0) return { tone: 'info', text: t('contracts.state.waiting') };
  if (status === 1) return { tone: 'info', text: t('contracts.state.open') };
  if (status === 4) return { tone: 'done', text: t('contracts.state.cancelled') };
  return reason === 'LIQUIDATION' ? { tone: 'caution', text: t('contracts.state.liquidated') } : { tone: 'done', text: t('contracts.state.closed') };
}

/** "TP 70,500.00, SL none" for a row. */
export const triggersText = (position: Position) => t('contracts.triggers', { profit: takeOf(position) ? priceAt(takeOf(position)) : t('contracts.none'), stop: stopOf(position) ? priceAt(stopOf(position)) : t('contracts.none') });
