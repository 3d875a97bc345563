import { useState } from 'react';
import type { useCommit } from '../../data/commit';
import type { Loan } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { t, useLocale } from '../../lib/i18n';
import { amount } from '../../lib/money';
import type { Review } from '../../lib/review';
import { DAY, stamp } from '../../lib/time';
import { Button } from '../../ui/Button';
import { RefusedNote, unknownParts } from '../../ui/Outcome';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { Sheet } from '../../ui/Sheet';
import { CostLines, StatusChip, type CostLine } from '../../ui/Status';
import { applyForLoan, readLoanTerms } from './api';
import { Costs, type Reviewed } from './Apply';
import { estimate } from './model';
import { LoanNumber } from './Receipt';
import { balanceText, costLines } from './text';
import css from './Loans.module.css';


interface Props {
  review: Review<Reviewed>;
  /** The present price: the collateral ratio stays live while the rest is frozen. */
  price: string | undefined;
  /** The reason that blocks it by now. */
  reason: string | undefined;
  commit: ReturnType<typeof useCommit<Awaited<ReturnType<typeof applyForLoan>>>>;
  onDone: (loan: Loan) => void;
}

/** Terms that have just changed are read again; the review then says so. */
function lookAgain(error: unknown): boolean {
  if (error instanceof Refusal && error.code === 'E_TERMS') void readLoanTerms();
  return false;
}

/** The lines of the review with what the server recorded, at the price of the review. */
function appliedLines(loan: Loan, { terms, sides }: Reviewed, price: string | undefined): CostLine[] {
  if (price === undefined) return [];
  const [borrowed, collateral] = [amount(loan.amount), amount(loan.collateral)];
  return costLines(estimate(sides, terms, borrowed, collateral, price), terms, borrowed, collateral, sides.coin.code, loan.created_at_ms + terms.day * DAY);
}

/** The review of an application: its worst case first, then every cost. */
export function ApplySheet({ review, price, reason, commit: { state, busy, run, reset }, onDone }: Props) {
  const locale = useLocale();
  const [seen, setSeen] = useState<string>();
  const reviewed = review.value;
  const close = () => {
    review.close();
    if (!busy) reset();
  };
  if (!reviewed) return null;
  const { terms, sides, amount: borrowed, collateral } = reviewed;
  if (state.step === 'done') {
    return (
      <Sheet
        open={review.shown}
        onClose={close}
        title={t('loans.one')}
        footer={
          <Button kind="commit" wide onClick={close}>
            {t('ui.done')}
          </Button>
        }
      >
        <div className={css.stack}>
          <div className={css.result} role="status">
            <StatusChip tone="info">{t('loans.applied')}</StatusChip>
            <p className="h2">{t('loans.title', { amount: balanceText(borrowed, sides.lent.code) })}</p>
            <p className="t2">{t('loans.appliedText')}</p>
          </div>
          <CostLines lines={[...appliedLines(state.result.data.order, reviewed, seen ?? price), { label: t('loans.appliedAt'), value: stamp(state.result.data.order.created_at_ms, locale) }]} />
          <LoanNumber loan={state.result.data.order} />
        </div>
      </Sheet>
    );
  }
  if (state.step === 'unknown') return <Sheet open={review.shown} onClose={close} {...unknownParts(t('loans.unknown'), state.key, close)} />;
  const send = () => {
    setSeen(price);
    review.confirm((one) => run(() => applyForLoan(one), { done: ({ data }) => onDone(data.order), refused: lookAgain }));
  };
  const cost = price === undefined ? undefined : estimate(sides, terms, borrowed, collateral, price);
  return (
    <Sheet
      open={review.shown}
      onClose={close}
      title={t('loans.check')}
      footer={
        <Button kind="commit" wide loading={busy} reason={busy ? undefined : (staleReason(review) ?? reason)} onClick={send}>
          {t('loans.submit', { amount: balanceText(borrowed, sides.lent.code) })}
        </Button>
      }
    >
      <div className={css.stack}>
        <ReviewNote review={review} busy={busy} />
        <RefusedNote state={state} />
        {cost && <Costs cost={cost} product={terms} borrowed={borrowed} collateral={collateral} coin={sides.coin.code} />}
      </div>
    </Sheet>
  );
}
