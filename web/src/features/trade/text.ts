import type { SpotOrder } from '../../generated/api';
import { has, locale, t, type Key } from '../../lib/i18n';
import { amount, format, formatPercent, make, trim, type Amount } from '../../lib/money';
import { closedText } from '../../ui/closedText';
import type { Tone } from '../../ui/Status';
import { amountText, decimals, priceText } from '../../ui/Figures';
import type { Reason } from './model';
import { sizeUnit, type Draft, type Market } from './order';

/** Texts about orders, the same in the form, the sheet, the receipt and the lists. */

const plain = (a: Amount) => format(trim(a, Math.min(2, a.scale)), locale());

/** Why an order cannot be placed; fits the main button and the line below a field. */
export function reasonText({ name, field, values = {} }: Reason, draft: Draft, market: Market): string {
  if (name === 'frozen' || name === 'country' || name === 'unknown') return closedText(name);
  const shown: Record<string, string | number> = { unit: sizeUnit(draft, market).code, base: market.base.code, quote: market.quote.code, pair: market.rules.symbol };
  for (const [key, value] of Object.entries(values)) {
    if (key === 'more') shown.more = format(value, locale(), { kind: 'cost', ...decimals(market.quote.code, value.scale) });
    // The number of decimals chooses the plural form.
    else shown[key] = key === 'most' ? parseInt(plain(value), 10) : plain(value);
  }
  const special = `trade.reason.${name}_${field ?? ''}`;
  return t(has(special) ? special : (`trade.reason.${name}` as Key), shown);
}

export const percentText = (percent: string) => formatPercent(amount(percent), locale(), { min: 2, max: 4 });

/** An amount that is not trimmed to two decimals: prices per step, rates of a table. */
export const quantityText = (value: Amount | string | undefined, code: string) => amountText({ value, code }, locale());
export const costText = (value: Amount | string | undefined, code: string) => amountText({ value, code, kind: 'cost' }, locale());

const KINDS: Record<SpotOrder['order_type'], Key> = { limit: 'trade.kind.limit', market: 'trade.kind.market', stop_limit: 'trade.kind.stop' };
export const kindText = (kind: SpotOrder['order_type']) => t(KINDS[kind]);
const TIFS: Record<SpotOrder['tif'], Key> = { gtc: 'trade.tif.gtc', ioc: 'trade.tif.ioc', fok: 'trade.tif.fok', post_only: 'trade.tif.postOnly' };
export const tifText = (tif: SpotOrder['tif']) => t(TIFS[tif]);

export const baseOf = (order: SpotOrder) => order.symbol.split('/')[0] ?? '';
export const quoteOf = (order: SpotOrder) => order.symbol.split('/')[1] ?? '';
export const isBuy = (order: SpotOrder) => order.type === 1;
/** On the book at a price; a stop that waits for its trigger is not there yet. */
export const isResting = (order: SpotOrder) => order.status === 1 && !order.waiting_trigger;
/** The coin an order holds while it waits. */
export const heldCode = (order: SpotOrder) => (isBuy(order) ? quoteOf(order) : baseOf(order));

/** "Buy 0.0100 BTC", or "Buy BTC for 100.00 USDT" if the money was given. */
export function orderTitle(order: SpotOrder): string {
  if (order.trade_amount === null) return t('trade.order.buyFor', { base: baseOf(order), amount: amountText({ value: order.funds ?? undefined, code: quoteOf(order), full: true }, locale()) });
  return t(isBuy(order) ? 'trade.order.buy' : 'trade.order.sell', { amount: quantityText(order.trade_amount, baseOf(order)) });
}

/** "Limit at 68,400.0 USDT". */
export function orderTerms(order: SpotOrder): string {
  const quote = quoteOf(order);
  const kind = kindText(order.order_type);
  if (!order.target_price) return kind;
  const price = `${priceText(order.target_price, undefined, locale())}\u00a0${quote}`;
  return order.stop_price ? t('trade.order.stopAt', { stop: priceText(order.stop_price, undefined, locale()), price }) : t('trade.order.at', { kind, price });
}

const nothing = (text: string) => !/[1-9]/.test(text);

/** State of an order: text and tone. */
export function orderState(order: SpotOrder): { tone: Tone; text: string } {
  if (order.status === 3) return { tone: 'caution', text: t('trade.state.cancelled') };
  if (order.status === 2) return { tone: 'done', text: t('trade.state.completed') };
  if (order.waiting_trigger) return { tone: 'info', text: t('trade.state.waiting') };
  return { tone: 'info', text: t(nothing(order.filled_amount) ? 'trade.state.open' : 'trade.state.partly') };
}

/** "0.0060 of 0.0100 BTC". */
export function filledText(order: SpotOrder): string {
  const filled = quantityText(order.filled_amount, baseOf(order));
  if (order.trade_amount === null) return filled;
  const short = format(amount(order.filled_amount), locale(), { min: Math.min(4, amount(order.filled_amount).scale) });
  return t('trade.order.filled', { filled: short, total: quantityText(order.trade_amount, baseOf(order)) });
}

/** Why it was cancelled, as a sentence; undefined if it was not. */
export function cancelText(order: SpotOrder): string | undefined {
  const key = `trade.cancelled.${order.reason ?? ''}`;
  return has(key) ? t(key) : undefined;
}

/** The text after a cancel: what is free again. */
export const freedText = (before: SpotOrder) =>
  nothing(before.frozen) ? t('trade.order.cancelledPlain') : t('trade.order.cancelled', { amount: quantityText(before.frozen, heldCode(before)) });

/** A decimal of the wire with its own decimals, for rows of a table. */
export const rawText = (value: string) => {
  const a = amount(value);
  return format(a, locale(), { kind: 'price', min: a.scale, max: a.scale });
};
export const countText = (n: number) => format(make(BigInt(n), 0), locale());
