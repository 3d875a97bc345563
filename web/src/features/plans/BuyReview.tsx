import type { useCommit } from '../../data/commit';
import { readPlanTerms, refreshPlans } from '../../data/plans';
import type { Hosting } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { t, useLocale } from '../../lib/i18n';
import { make, neg, sub, type Amount } from '../../lib/money';
import type { Confirmed, Review } from '../../lib/review';
import { Button } from '../../ui/Button';
import { CommitNote } from '../../ui/CommitNote';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { Sheet } from '../../ui/Sheet';
import { CostLines, Note } from '../../ui/Status';
import { buyPlan, type Reviewed } from './api';
import { exitsOf, termsOf, type Reason } from './model';
import { column, cost, exactly, gain, planName, reasonText, utcDate } from './text';
import css from './Plans.module.css';

/** The worst case first and on the left, and the interest of staying. */
export function Outcome({ plan, value }: Pick<Reviewed, 'plan' | 'value'>) {
  const all = exitsOf(value, termsOf(plan));
  const code = plan.currency_name;
  const worst = neg(make(all[0]?.net ?? 0n, value.scale));
  const best = make(all.at(-1)?.net ?? 0n, value.scale);
  return (
    <OutcomeLine
      lose={{ label: t('plans.leaveEarly'), text: `\u2212${cost(worst, code)}`, amount: worst }}
      gain={{ label: t('explain.plan.gain', { days: plan.day }), text: gain(best, code), amount: best }}
    />
  );
}

interface Props {
  review: Review<Reviewed>;
  commit: ReturnType<typeof useCommit<Awaited<ReturnType<typeof buyPlan>>>>;
  reason: Reason | undefined;
  available: Amount | undefined;
  onDone: (order: Hosting) => void;
}

function Lines({ plan, value, until, available }: Reviewed & { available: Amount | undefined }) {
  useLocale();
  const last = exitsOf(value, termsOf(plan)).at(-1);
  const [interest, back] = [last?.interest ?? 0n, last?.back ?? 0n].map((units) => make(units, value.scale)) as [Amount, Amount];
  const left = available && sub(available, value);
  const { held } = column(plan.currency_name, [value, interest, back, ...(left ? [left] : [])]);
  return (
    <CostLines
      lines={[
        { label: t('plans.locked'), value: held(value) },
        { label: t('plans.atEnd'), value: held(interest) },
        ...(left ? [{ label: t('plans.left'), value: held(left) }] : []),
        { label: t('plans.backOn', { date: utcDate(until) }), value: held(back), total: true },
      ]}
    />
  );
}

/** Terms that have just changed are read again; the review then says so. */
function lookAgain(error: unknown): boolean {
  if (error instanceof Refusal && error.code === 'E_TERMS') void readPlanTerms();
  return false;
}

/** The review before the money is locked. */
export function BuyReview({ review, commit, reason, available, onDone }: Props) {
  const { busy, state, run } = commit;
  const reviewed = review.value;
  if (!reviewed) return null;
  const { plan, value, until } = reviewed;
  const code = plan.currency_name;
  const text = reason && reasonText(reason, code, value.scale);
  const send = (one: Confirmed<Reviewed>) =>
    run(() => buyPlan(one), {
      done: ({ data }) => {
        void refreshPlans();
        onDone(data.order);
      },
      refused: lookAgain,
    });
  const footer = (
    <Button kind="commit" wide loading={busy} reason={busy ? undefined : (text ?? staleReason(review))} onClick={() => review.confirm(send)}>
      {t('plans.lock', { amount: exactly(value, code) })}
    </Button>
  );
  return (
    <Sheet open={review.shown} onClose={review.close} title={t('trade.check')} footer={footer}>
      <div className={css.sheet}>
        <ReviewNote review={review} busy={busy} />
        <CommitNote state={state} />
        <p className="b">{planName(plan)}</p>
        <Outcome plan={plan} value={value} />
        <Lines plan={plan} value={value} until={until} available={available} />
        <Note icon="lock">{t('explain.plan.early')}</Note>
      </div>
    </Sheet>
  );
}
