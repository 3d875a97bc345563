import type { FlashQuote, FlashRow } from '../../generated/api';
import { locale, t } from '../../lib/i18n';
import { amount, cmp, formatPercent, rescale, sub, trim, type Amount } from '../../lib/money';
import { closedText } from '../../ui/closedText';
import { amountText } from '../../ui/Figures';
import type { CostLine } from '../../ui/Status';
import { costsOf, isFar, ratesOf, type Convertible, type Rated, type Reason } from './model';

/** Texts about conversions: the same lines in the form, the review and the receipt. */

export const costText = (value: Amount | string, code: string) => amountText({ value, code, kind: 'cost', full: true }, locale());
export const balanceText = (value: Amount | string | undefined, code: string) => amountText({ value, code, full: true }, locale());

/** Enough digits to compare, and no more. */
const rateText = (value: Amount, code: string) => amountText({ value: trim(rescale(value, cmp(value, amount('10')) < 0 ? value.scale : 2), 2), code, full: true }, locale());
export function rateTexts(quote: FlashQuote, from: Convertible, to: Convertible): [string, string] {
  const { forth, back } = ratesOf(quote, from, to);
  return [t('convert.rate', { coin: from.code, price: rateText(forth, to.code) }), t('convert.rate', { coin: to.code, price: rateText(back, from.code) })];
}

type Side = Pick<Convertible, 'code' | 'scale'>;

/** The cost of a quote, line by line. */
export function costLines(quote: Rated, from: Side, to: Side): CostLine[] {
  const { worth, spread, fee, net, cost, percent } = costsOf(quote, from, to);
  const far = isFar({ percent });
  const costs = t('convert.costValue', { amount: amountText({ value: cost, code: 'USDT', kind: 'cost' }, locale()), percent: formatPercent(percent, locale(), { min: 2 }) });
  return [
    { label: t('convert.give'), value: costText(quote.num, from.code) },
    { label: t('convert.worth'), value: balanceText(worth, to.code) },
    { label: t('convert.spread'), value: costText(spread, to.code) },
    { label: t('convert.fee'), value: costText(fee, to.code) },
    { label: t('convert.cost'), value: far ? <span className="caution">{costs}</span> : costs },
    { label: t('convert.receive'), value: balanceText(net, to.code), total: true },
  ];
}

/** The same lines for a completed conversion, at the prices of its quote; amounts on the wire have all decimals of their coin. */
export const doneLines = (row: FlashRow): CostLine[] =>
  costLines(row, { code: row.l_currency_name, scale: amount(row.num).scale }, { code: row.r_currency_name, scale: amount(row.net).scale });

export function reasonText({ name, value }: Reason, from: Convertible | undefined): string {
  const code = from?.code ?? '';
  switch (name) {
    case 'country':
    case 'unknown':
    case 'frozen':
      return closedText(name);
    case 'empty':
      return t('trade.reason.empty');
    case 'format':
      return t('trade.reason.format');
    case 'decimals':
      return t('trade.reason.decimals', { unit: code, most: from?.scale ?? 0 });
    case 'min':
      return t('convert.min', { min: value ? costText(trim(value, 2), code) : '' });
    case 'max':
      return t('convert.max', { max: balanceText(value && trim(value, 2), code) });
    case 'insufficient':
      return t('trade.reason.insufficient', { quote: code, more: value ? amountText({ value, code, kind: 'cost', bare: true, full: true }, locale()) : '' });
    case 'noPrice':
      return t('trade.reason.stale');
    default:
      return t(`convert.${name}`);
  }
}

/** The free balance afterwards. */
export const leftText = (available: Amount | undefined, given: string, code: string): string | undefined => available && balanceText(sub(available, amount(given)), code);
