import type { Loan, LoanProduct } from '../../generated/api';
import { locale, t } from '../../lib/i18n';
import { amount, formatPercent, rescale, trim, wire, type Amount } from '../../lib/money';
import { date, dateTime } from '../../lib/time';
import { closedText } from '../../ui/closedText';
import { amountText, priceText, UNKNOWN } from '../../ui/Figures';
import type { CostLine, Tone } from '../../ui/Status';
import type { Estimate, Reason } from './model';

/** Texts about loans: the same lines in the form, the review and the detail. */

export const costText = (value: Amount | string, code: string) => amountText({ value, code, kind: 'cost', full: true }, locale());
export const balanceText = (value: Amount | string | undefined, code: string) => amountText({ value, code, full: true }, locale());
/** The same where the coin is shown beside it, with at most the decimals the coin is shown with. */
export const bareText = (value: Amount | string, code: string) => amountText({ value, code, bare: true }, locale());
export const percentText = (value: string | Amount) => formatPercent(typeof value === 'string' ? trim(amount(value)) : value, locale(), { kind: 'breakEven', max: 4 });
/** Interest of one day after the due date. */
export function lateRateText({ interest_rate: rate, overdue_multiplier: times }: Pick<LoanProduct, 'interest_rate' | 'overdue_multiplier'>): string {
  const one = amount(rate);
  return percentText({ ...one, units: one.units * BigInt(times) });
}
/** A price of margin call or liquidation, at the displayed tick, rounded so that a lower displayed price is really below it. */
export const levelText = (value: Amount | undefined) => (value ? priceText(wire(rescale(value, 2)), 2, locale()) : UNKNOWN);
export const dayText = (ms: number | null) => (ms === null ? UNKNOWN : date(ms, locale()));
export const instantText = (ms: number | null) => (ms === null ? UNKNOWN : dateTime(ms, locale()));

export const TONES: Record<number, Tone> = { 1: 'info', 2: 'info', 3: 'done', 4: 'done', 5: 'danger' };
export const stateText = ({ status }: Loan) => t(`loans.state.${status as 1 | 2 | 3 | 4 | 5}`);

/** The liquidation price first, then the cost. A running loan shows these prices with its present debt, under other names. */
export function costLines(cost: Estimate, product: LoanProduct, borrowed: Amount, collateral: Amount, coin: string, due: number): CostLine[] {
  const code = product.currency_name;
  return [
    { label: t('loans.saleAtDue'), value: <span className="caution">{levelText(cost.salePrice)}</span> },
    { label: t('loans.callAtDue'), value: levelText(cost.callPrice) },
    { label: t('loans.frozenCollateral'), value: costText(collateral, coin) },
    { label: t('loans.worth'), value: amountText({ value: cost.value, code }, locale()) },
    { label: t('loans.receive'), value: balanceText(borrowed, code) },
    { label: t('loans.interest', { rate: percentText(product.interest_rate), days: product.day }), value: costText(cost.interest, code) },
    { label: t('loans.repayOn', { date: dayText(due) }), value: costText(cost.total, code), total: true },
  ];
}

export function reasonText({ name, field, value }: Reason, lent: string, coin: string, scale: number): string {
  const code = field === 'collateral' ? coin : lent;
  switch (name) {
    case 'country':
    case 'unknown':
    case 'identity':
    case 'frozen':
      return closedText(name);
    case 'cycle':
      return t('loans.chooseCycle');
    case 'stale':
      return t('trade.reason.stale');
    case 'empty':
      return field === 'collateral' ? t('loans.needCollateral') : t('trade.reason.empty');
    case 'format':
      return t('trade.reason.format');
    case 'decimals':
      return t('trade.reason.decimals', { unit: code, most: scale });
    case 'min':
      return t('loans.min', { min: value ? costText(trim(value, 2), code) : '' });
    case 'max':
      return t('loans.max', { max: balanceText(value && trim(value, 2), code) });
    case 'ltv':
      return t('loans.moreCollateral', { amount: value ? costText(value, coin) : '' });
    case 'insufficient':
      return t('trade.reason.insufficient', { quote: code, more: value ? amountText({ value, code, kind: 'cost', bare: true, full: true }, locale()) : '' });
    default:
      return t(`loans.${name}`);
  }
}
