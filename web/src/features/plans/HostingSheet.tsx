import { useEffect } from 'react';
import { useCommit } from '../../data/commit';
import { refreshPlans, usePlans, usePreview } from '../../data/plans';
import type { Hosting, RedeemPreview } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { t, useLocale } from '../../lib/i18n';
import { Refusal } from '../../lib/errors';
import { add, amount, neg, sub, type Amount } from '../../lib/money';
import { useOnline } from '../../lib/online';
import { useReview, type Confirmed } from '../../lib/review';
import { dateTime, serverTime } from '../../lib/time';
import { Button } from '../../ui/Button';
import { CommitNote } from '../../ui/CommitNote';
import { ListState } from '../../ui/ListState';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { Sheet } from '../../ui/Sheet';
import { CostLines, Note } from '../../ui/Status';
import { redeemPlan } from './api';
import { Exit } from './Exit';
import { heldTerms, takenOf } from './model';
import { HostingNumber, Receipt, hostingLines } from './Receipt';
import { column, exactly, planName, utcDay } from './text';
import css from './Plans.module.css';

/** The five figures of a redemption today, from the server. */
function Preview({ order, preview }: { order: Hosting; preview: RedeemPreview }) {
  const locale = useLocale();
  const [locked, income, back] = [order.amount, preview.current_interest, preview.returned].map(amount) as [Amount, Amount, Amount];
  const { damages, penalty } = takenOf(preview);
  const { held, change } = column(order.currency_name, [locked, income, damages, penalty, back]);
  return (
    <>
      <CostLines
        lines={[
          { label: t('plans.locked'), value: held(locked) },
          { label: t('plans.current'), value: change(income) },
          { label: t('plans.damagesLeft', { days: preview.remain_day }), value: change(neg(damages)) },
          { label: t('plans.penalty'), value: change(neg(penalty)) },
          { label: t('explain.plan.back'), value: held(back), total: true },
        ]}
      />
      <p className="cap t2">{t('plans.holds', { time: dateTime(preview.valid_until_ms, locale) })}</p>
    </>
  );
}

/** A running plan order: its state, what a redemption pays back on each day, and the redemption. */
function Running({ order, onEnd, onClose, open }: { order: Hosting; onEnd: (order: Hosting) => void; onClose: () => void; open: boolean }) {
  const locale = useLocale();
  const online = useOnline();
  const code = order.currency_name;
  const query = usePreview(order);
  const preview = query.data;
  // A device that slept wakes on another day, before the figures of that day are there.
  const now = serverTime(useNow());
  const over = preview !== undefined && now >= preview.valid_until_ms;
  const { refetch } = query;
  useEffect(() => {
    if (over) void refetch();
  }, [over, refetch]);
  const plan = usePlans().data?.find(({ id }) => id === order.config_id);
  const terms = heldTerms(order, plan, preview);
  const commit = useCommit<Awaited<ReturnType<typeof redeemPlan>>>('redemption', open, onClose);
  const review = useReview(preview);
  const { state, busy, run, reset } = commit;
  const send = (one: Confirmed<RedeemPreview>) =>
    run(() => redeemPlan(one), {
      done: ({ data }) => {
        void refreshPlans();
        onEnd(data.order);
      },
      refused: (error) => {
        // A new day has begun: the figures are read again, and the review says so.
        if (error instanceof Refusal && ['E_PRICE_MOVED', 'E_STATE'].includes(error.code)) void refreshPlans();
        return error instanceof Refusal && error.code === 'E_PRICE_MOVED';
      },
    });
  const look = () => {
    reset();
    review.open();
  };
  if (review.shown && review.value) {
    const shown = review.value;
    const full = add(amount(order.amount), amount(order.total_interest));
    return (
      <Sheet
        open={open}
        onClose={onClose}
        onBack={busy ? undefined : review.close}
        title={t('plans.leaveTitle')}
        footer={
          <>
            <Button onClick={review.close}>{t('plans.keep')}</Button>
            <Button kind="commit" loading={busy} reason={busy ? undefined : online ? (staleReason(review) ?? (over ? t('ui.loading') : undefined)) : t('plans.offline')} onClick={() => review.confirm(send)}>
              {t('plans.redeemNow', { amount: exactly(shown.returned, code) })}
            </Button>
          </>
        }
      >
        <div className={css.sheet}>
          <ReviewNote review={review} busy={busy} />
          <CommitNote state={state} />
          <Note tone="caution">{t('plans.giveUp', { amount: exactly(sub(full, amount(shown.returned)), code), date: utcDay(order.end_at_ms) })}</Note>
          <Preview order={order} preview={shown} />
        </div>
      </Sheet>
    );
  }
  return (
    <Sheet open={open} onClose={onClose} title={planName(order)} footer={<Button wide loading={busy} reason={preview ? undefined : t('ui.loading')} onClick={look}>{t('plans.redeem')}</Button>}>
      <div className={css.sheet}>
        <CommitNote state={state} />
        <CostLines lines={hostingLines(preview ? { ...order, current_interest: preview.current_interest } : order, locale)} />
        <ListState query={query} rows={3} errorTitle={t('plans.previewError')} errorText={t('assets.errorText')}>
          {(today) => (
            <>
              <h3 className="h3">{t('plans.today')}</h3>
              <Preview order={order} preview={today} />
              {terms && <Exit value={amount(order.amount)} terms={terms} code={code} start={today.accrued_days} />}
            </>
          )}
        </ListState>
        <HostingNumber order={order} />
      </div>
    </Sheet>
  );
}

interface Props {
  order: Hosting | undefined;
  open: boolean;
  onClose: () => void;
  /** The plan order in its ended state. */
  onEnd: (order: Hosting) => void;
}

/** A plan order of the member, running or ended. */
export default function HostingSheet({ order, open, onClose, onEnd }: Props) {
  useLocale();
  if (!order) return null;
  if (order.status === 1) return <Running key={order.id} order={order} open={open} onClose={onClose} onEnd={onEnd} />;
  const early = order.is_cancel === 1;
  return (
    <Sheet open={open} onClose={onClose} title={planName(order)} footer={<Button kind="commit" onClick={onClose}>{t('ui.done')}</Button>}>
      <Receipt order={order}>{t('plans.paidBack', { amount: exactly(order.returned ?? order.amount, order.currency_name) })}</Receipt>
      {early && <p className="cap t2">{t('explain.plan.early')}</p>}
    </Sheet>
  );
}
