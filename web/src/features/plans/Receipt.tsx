import type { ReactNode } from 'react';
import { hostingState } from '../../data/plans';
import type { Hosting } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { add, amount, neg, type Amount } from '../../lib/money';
import { stamp } from '../../lib/time';
import { ReceiptNumber } from '../../ui/ReceiptNumber';
import { CostLines, StatusChip, type CostLine } from '../../ui/Status';
import { daysLeft, takenOf } from './model';
import { column, exactly, planName, utcDate } from './text';
import css from './Plans.module.css';

/** All details of a plan order; the same lines wherever they are shown. */
export function hostingLines(order: Hosting, locale: string): CostLine[] {
  const [locked, current, atEnd, returned] = [order.amount, order.current_interest, order.total_interest, order.returned ?? '0'].map(amount) as [Amount, Amount, Amount, Amount];
  const state = hostingState(order);
  const taken = takenOf(order);
  const back = add(locked, atEnd);
  const { held, change } = column(order.currency_name, state === 'running' ? [locked, current, atEnd] : [locked, current, returned, ...(state === 'redeemed' ? [taken.damages, taken.penalty] : [])]);
  const ended: CostLine[] =
    state === 'running'
      ? [
          { label: t('plans.current'), value: held(current) },
          { label: t('plans.atEnd'), value: held(atEnd) },
          { label: t('plans.backOn', { date: utcDate(order.end_at_ms) }), value: held(back), total: true },
        ]
      : [
          { label: t('plans.current'), value: change(current) },
          ...(state === 'redeemed'
            ? [
                { label: t('plans.damagesLeft', { days: daysLeft(order) }), value: change(neg(taken.damages)) },
                { label: t('plans.penalty'), value: change(neg(taken.penalty)) },
              ]
            : []),
          { label: t('plans.returned'), value: held(returned), total: true },
        ];
  return [
    { label: t('plans.locked'), value: held(locked) },
    { label: t('plans.bought'), value: stamp(order.created_at_ms, locale) },
    { label: t('plans.interestStarts'), value: utcDate(order.start_at_ms) },
    ...(state === 'running' ? [] : [{ label: t('plans.endedAt'), value: stamp(order.updated_at_ms, locale) }]),
    ...ended,
  ];
}

/** The number of a plan order, wherever it is shown. */
export function HostingNumber({ order }: { order: Hosting }) {
  const share = [planName(order), exactly(order.amount, order.currency_name), t(`plans.state.${hostingState(order)}`)];
  return <ReceiptNumber id={order.id} of="plan" label={t('trade.number')} copy={t('trade.copyNumber')} share={share} />;
}

/** The result of a purchase or a redemption. */
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
      <HostingNumber order={order} />
    </div>
  );
}
