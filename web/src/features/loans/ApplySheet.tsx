import type { useCommit } from '../../data/commit';
import type { Loan } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { t } from '../../lib/i18n';
import type { Review } from '../../lib/review';
import { Button } from '../../ui/Button';
import * as icons from '../../ui/icons';
import { Refused } from '../../ui/Refused';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { Sheet } from '../../ui/Sheet';
import { Note, StatusChip } from '../../ui/Status';
import { applyForLoan, readLoanTerms } from './api';
import { Costs, type Reviewed } from './Apply';
import { estimate } from './model';
import { balanceText } from './text';
import css from './Loans.module.css';

interface Props {
  review: Review<Reviewed>;
  /** The price of now: the share of the collateral goes on while the rest is frozen. */
  price: string | undefined;
  /** What is in the way by now. */
  reason: string | undefined;
  commit: ReturnType<typeof useCommit<Awaited<ReturnType<typeof applyForLoan>>>>;
  onDone: (loan: Loan) => void;
}

/** Terms that changed a moment ago are read again; the review then says so. */
function lookAgain(error: unknown): boolean {
  if (error instanceof Refusal && error.code === 'E_TERMS') void readLoanTerms();
  return false;
}

/** The last look before an application: its worst case first, then every cost. */
export function ApplySheet({ review, price, reason, commit: { state, busy, run, reset }, onDone }: Props) {
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
        <div className={css.result} role="status">
          <StatusChip tone="info">{t('loans.applied')}</StatusChip>
          <p className="h2">{t('loans.title', { amount: balanceText(borrowed, sides.lent.code) })}</p>
          <p className="t2">{t('loans.appliedText')}</p>
        </div>
      </Sheet>
    );
  }
  if (state.step === 'unknown') {
    return (
      <Sheet open={review.shown} onClose={close} title={t('trade.unknownTitle')} footer={<Button onClick={close}>{t('ui.close')}</Button>}>
        <Note tone="caution" icon={icons.clock}>
          {t('loans.unknown')}
        </Note>
        <p className="lab t2 code">{t('trade.request', { key: state.key })}</p>
      </Sheet>
    );
  }
  const cost = price === undefined ? undefined : estimate(sides, terms, borrowed, collateral, price);
  return (
    <Sheet
      open={review.shown}
      onClose={close}
      title={t('loans.check')}
      footer={
        <Button kind="commit" wide loading={busy} reason={busy ? undefined : (staleReason(review) ?? reason)} onClick={() => review.confirm((one) => run(() => applyForLoan(one), { done: ({ data }) => onDone(data.order), refused: lookAgain }))}>
          {t('loans.submit', { amount: balanceText(borrowed, sides.lent.code) })}
        </Button>
      }
    >
      <div className={css.stack}>
        <ReviewNote review={review} busy={busy} />
        {state.step === 'refused' && (
          <div role="alert">
            <Note tone="danger">
              <Refused error={state.error} />
            </Note>
          </div>
        )}
        {cost && <Costs cost={cost} product={terms} borrowed={borrowed} collateral={collateral} coin={sides.coin.code} />}
      </div>
    </Sheet>
  );
}
