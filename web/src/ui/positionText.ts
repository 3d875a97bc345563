import type { Position } from '../generated/api';
import { locale, t } from '../lib/i18n';
import { amount, format, trim, wire, type Amount } from '../lib/money';
import { sideOf, type Side } from '../lib/position';
import { priceText } from './Figures';
import type { Tone } from './Status';

/** Texts about a position that every list uses; they are part of the product texts. */

export const quoteOf = ({ symbol }: Pick<Position, 'symbol'>) => symbol.split('/')[1] ?? '';
export const baseOf = ({ symbol }: Pick<Position, 'symbol'>) => symbol.split('/')[0] ?? '';

/** A price with its decimals on the wire. */
export const priceAt = (value: string | Amount | undefined) => {
  const text = value === undefined || typeof value === 'string' ? value : wire(value);
  return priceText(text, undefined, locale());
};
export const sideText = (side: Side, multiple: number) => t(side === 'long' ? 'contracts.longTimes' : 'contracts.shortTimes', { multiple });
export const positionSide = (position: Position) => sideText(sideOf(position), position.multiple);
export const lotsText = (lots: bigint | number) => t('contracts.lots', { lots: parseInt(String(lots), 10) });
export const sizeText = ({ share, number, symbol }: Pick<Position, 'share' | 'number' | 'symbol'>) =>
  t('contracts.size', { lots: lotsText(share), amount: `${format(trim(amount(number)), locale())}\u00a0${symbol.split('/')[0]}` });

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
