import { t } from '../../lib/i18n';
import { neg, wire, zero } from '../../lib/money';
import { OutcomeLine } from '../../ui/OutcomeLine';
import type { CostLine } from '../../ui/Status';
import { priceAt } from '../../ui/positionText';
import type { Draft, Estimate } from './order';
import type { Market } from './terms';
import { balance, cost, rate, result } from './text';

/** The same outcome and the same lines in the form and in its review. */

const priceOfTrigger = (trigger: Draft['stop']) => (trigger !== 'none' && trigger.ok ? priceAt(wire(trigger.value)) : undefined);

/** The worst case first; a stop never hides it. */
export function Outcome({ draft, cost: known, market }: { draft: Draft; cost: Estimate; market: Market }) {
  const code = market.quote.code;
  const stop = priceOfTrigger(draft.stop);
  const liquidation = known.liquidation ? t('contracts.liquidationAt', { price: priceAt(known.liquidation) }) : t('contracts.liquidationNever');
  const { atStop, gain } = known;
  // A take-profit can be so near that the fees exceed what it brings; then it is not a gain.
  const costs = gain !== undefined && gain.units < 0n;
  const stopped = stop && atStop && atStop.units > 0n ? t('contracts.stoppedAt', { price: stop, amount: cost(atStop, code) }) : '';
  return (
    <OutcomeLine
      lose={{ label: t('contracts.loseMost'), text: result(neg(known.lose), code), amount: known.lose }}
      gain={{ label: t(costs ? 'contracts.takeProfit' : draft.profit === 'none' ? 'contracts.gainMost' : 'contracts.gainAt'), text: result(gain, code), amount: gain && !costs ? gain : zero() }}
      apart={costs}
      {...(stop && atStop && atStop.units > 0n && { atStop })}
      note={[stopped, liquidation].filter(Boolean).join(' ')}
    />
  );
}

/** Open price, value, margin, fees and the overnight fee; `updated` marks what changed during an open review. */
export function costLines(draft: Draft, known: Estimate | undefined, market: Market, updated?: string): CostLine[] {
  const { rules, quote } = market;
  const mark = updated ? { note: updated } : {};
  return [
    { label: t(known?.entry.waits ? 'contracts.limitPrice' : 'contracts.openPrice', { spread: rate(rules.spread) }), value: known ? priceAt(wire({ ...market.tick, units: known.entry.price * market.tick.units })) : '—', ...mark },
    { label: t('contracts.positionValue'), value: balance(known?.value, quote.code) },
    { label: t('contracts.marginTimes', { multiple: draft.multiple }), value: cost(known?.margin, quote.code), ...mark },
    { label: t('contracts.openFee', { rate: rate(rules.fee) }), value: cost(known?.fee, quote.code) },
    { label: t('contracts.closeFee', { rate: rate(rules.fee) }), value: known ? t('contracts.about', { amount: cost(known.closeFee, quote.code) }) : '—' },
    { label: t('contracts.overnight', { rate: rate(rules.overnight) }), value: known ? t('contracts.about', { amount: cost(known.overnight, quote.code) }) : '—' },
  ];
}
