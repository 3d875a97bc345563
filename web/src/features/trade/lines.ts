import { t } from '../../lib/i18n';
import { mul, sub, wire, type Amount } from '../../lib/money';
import type { CostLine } from '../../ui/Status';
import { crosses, distance, feeRate, payUnit, receiveUnit, shortOf, type Draft, type Estimate, type Market } from './order';
import { costText, percentText, quantityText, rawText, tifText } from './text';

/** The same cost lines in the form and in the sheet. */

const receiveLabel = ({ kind }: Draft) => t(kind === 'market' ? 'trade.receiveAbout' : 'trade.receiveAtLeast');

function core(draft: Draft, market: Market, cost: Estimate | undefined, feeLabel: string): { fee: CostLine; pay: CostLine; receive: CostLine } {
  const [given, received] = [payUnit(draft, market).code, receiveUnit(draft, market).code];
  const price = draft.kind === 'market' ? cost?.average : draft.price.ok ? draft.price.value : undefined;
  // The buyer pays the fee in what they receive; its size is easier to judge in what they give.
  const inQuote = draft.side === 'buy' && cost?.fee && price ? ` (${costText(mul(cost.fee, price, market.quote.scale, 'up'), given)})` : '';
  return {
    fee: { label: feeLabel, value: `${costText(cost?.fee, received)}${inQuote}` },
    pay: { label: t('trade.payAtMost'), value: costText(cost?.pay, given) },
    receive: { label: receiveLabel(draft), value: quantityText(cost?.receive, received) },
  };
}

/** Available, fee, and the decisive figure: the cost of a buy, the proceeds of a sale. */
export function formLines(draft: Draft, market: Market, cost: Estimate | undefined, available: Amount | undefined): CostLine[] {
  const { fee, pay, receive } = core(draft, market, cost, t('trade.fee', { rate: percentText(feeRate(draft, market)) }));
  const free = { label: t('trade.available'), value: quantityText(available, payUnit(draft, market).code) };
  if (draft.side === 'sell') return [free, fee, { ...receive, total: true }];
  return draft.kind === 'market' ? [free, fee, receive, { ...pay, total: true }] : [free, fee, { ...pay, total: true }];
}

/** Everything before the tap: value, fee, total, proceeds, hold, remainder. */
export function reviewLines(draft: Draft, market: Market, cost: Estimate, available: Amount | undefined, updated: string | undefined): CostLine[] {
  const { fee, pay, receive } = core(draft, market, cost, t('trade.feeRounded', { rate: percentText(feeRate(draft, market)) }));
  const given = payUnit(draft, market).code;
  const price = draft.kind === 'market' ? cost.average && wire(cost.average) : draft.price.ok ? wire(draft.price.value) : undefined;
  const value: CostLine[] =
    cost.quantity && price
      ? [{ label: t('trade.times', { amount: quantityText(cost.quantity, market.base.code), price: rawText(price) }), value: (draft.side === 'buy' ? costText : quantityText)(cost.value, market.quote.code), note: updated }]
      : [];
  const mark = updated ? { note: updated } : {};
  const totals: CostLine[] = draft.side === 'buy' ? [{ ...pay, total: true }, { ...receive, ...mark }] : [{ ...receive, ...mark, total: true }, { label: t('trade.give'), value: pay.value }];
  const rests = draft.kind === 'stop_limit' || (draft.kind === 'limit' && (draft.tif === 'gtc' || draft.tif === 'post_only'));
  return [
    ...(draft.kind === 'stop_limit' && draft.stop.ok ? [{ label: t('trade.triggersAt'), value: `${rawText(wire(draft.stop.value))}\u00a0${market.quote.code}` }] : []),
    ...(draft.kind === 'limit' ? [{ label: t('trade.tifTitle'), value: tifText(draft.tif) }] : []),
    ...value,
    fee,
    ...totals,
    ...(rests ? [{ label: t('trade.frozen'), value: pay.value }] : []),
    { label: t('trade.left'), value: quantityText(available && sub(available, cost.pay), given) },
  ];
}

/** A limit order waiting near the price is normal, so it gets a note and no warning. */
export const isUsual = (draft: Draft, market: Market): boolean =>
  draft.kind === 'limit' && (draft.tif === 'gtc' || draft.tif === 'post_only') && !crosses(draft, market) && distance(draft, market)?.away === false;

/** What may be unexpected: a price that moves, an order that waits. */
export function cautionText(draft: Draft, market: Market, cost: Estimate): string | undefined {
  if (draft.kind === 'market') return t(cost.partial ? 'trade.partial' : 'trade.mayMove');
  if (draft.kind === 'stop_limit') return t('trade.stopCaution');
  if (crosses(draft, market)) {
    const there = draft.tif === 'fok' ? shortOf(draft, market) : undefined;
    return there && t('trade.fokShort', { amount: quantityText(there, market.base.code) });
  }
  if (draft.tif === 'ioc' || draft.tif === 'fok') return t('trade.noMatchNow');
  const gap = distance(draft, market);
  // Between the index and the best opposite price an order waits as well, on the side that looks as if it would trade.
  const away = gap && gap.by.units !== 0n && gap.below === (draft.side === 'buy');
  return away ? t(gap.below ? 'trade.waitsBelow' : 'trade.waitsAbove', { distance: rawText(wire(gap.by)) }) : t('trade.waits');
}
