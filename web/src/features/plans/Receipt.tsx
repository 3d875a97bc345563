import type { ReactNode } from 'react';
import { hostingState } from '../../data/plans';
import type { Hosting } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { add, amount } from '../../lib/money';
import { stamp } from '../../lib/time';
import { CostLines, StatusChip, type CostLine } from '../../ui/Status';
import { exactly, planName, utcDate } from './text';
import css from './Plans.module.css';

/** All that is known of a plan; the same lines wherever it is shown. */
export function hostingLines(order: Hosting, locale: string): CostLine[] {
  const code = order.currency_name;
  const money = (value: string) => exactly(value, code);
  const state = hostingState(order);
  const ended: CostLine[] =
    state === 'running'
      ? [
          { label: t('plans.current'), value: money(order.current_interest) },
          { label: t('plans.atEnd'), value: money(order.total_interest) },
          { label: t('plans.backOn', { date: utcDate(order.end_at_ms) }), value: exactly(add(amount(order.amount), amount(order.total_interest)), code), total: true },
        ]
      : [
          { label: t('plans.current'), value: money(order.current_interest) },
          ...(state === 'redeemed' ? [{ label: t('plans.deducted'), value: `\u2212${money(order.cancel_fee)}` }] : []),
          { label: t('plans.returned'), value: money(order.returned ?? '0'), total: true },
        ];
  return [
    { label: t('plans.locked'), value: money(order.amount) },
    { label: t('plans.bought'), value: stamp(order.created_at_ms, locale) },
    { label: t('plans.interestStarts'), value: utcDate(order.start_at_ms) },
    ...ended,
    { label: t('trade.number'), value: String(order.id) },
  ];
}

/** What became of a purchase or a redemption. */
export function Receipt({ order, children }: { order: Hosting; children: ReactNode }) {
  const locale = useLocale();
  return (
    <div className={css.sheet}>
      <div className={css.done} role="status">
        <StatusChip tone="done">{t(`plans.state.${hostingState(order)}`)}</StatusChip>
        <p className="h2">{children}</p>
        <p className="t2">{planName(order)}</p>
      </div>
      <CostLines lines={hostingLines(order, locale)} />
    </div>
  );
}
