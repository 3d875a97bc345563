import type { useCommit } from '../../data/commit';
import { refreshCoins } from '../../data/coins';
import type { Commitment, Offering } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { make, sub, type Amount } from '../../lib/money';
import type { Confirmed, Review } from '../../lib/review';
import { Button } from '../../ui/Button';
import { CommitNote } from '../../ui/CommitNote';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { Sheet } from '../../ui/Sheet';
import { CostLines, Note, StatusChip } from '../../ui/Status';
import { subscribe, type Reviewed } from './api';
import { CommitmentNumber, commitmentLines } from './CommitmentSheet';
import { wantedFor } from './formulas';
import { issueOf, type Reason } from './model';
import { coins, cost, day, exactly, lockText, price, reasonText } from './text';
import css from './Coins.module.css';

/** All of it can be lost; the gain has no figure. */
export const Outcome = ({ paid, coin }: Pick<Reviewed, 'paid' | 'coin'>) => (
  <OutcomeLine lose={{ label: t('explain.loseMost'), text: `\u2212${cost(paid, coin.name)}`, amount: paid }} gain={{ label: t('explain.gainMost'), text: t('coins.noLimit') }} />
);

interface Props {
  offering: Offering;
  review: Review<Reviewed>;
  commit: ReturnType<typeof useCommit<Awaited<ReturnType<typeof subscribe>>>>;
  reason: Reason | undefined;
  value: Amount | undefined;
  available: Amount | undefined;
  onDone: (order: Commitment) => void;
}

/** The review of a payment that cannot be undone. */
export function BuyReview({ offering, review, commit, reason, value, available, onDone }: Props) {
  useLocale();
  const { busy, state, run } = commit;
  const reviewed = review.value;
  if (!reviewed) return null;
  const { paid, coin } = reviewed;
  const token = offering.new_currency_name;
  const issue = issueOf(offering);
  const text = reason && reasonText(reason, coin.name, paid.scale);
  const send = (one: Confirmed<Reviewed>) =>
    run(() => subscribe(one), {
      done: ({ data }) => {
        void refreshCoins();
        onDone(data.order);
      },
    });
  return (
    <Sheet
      open={review.shown}
      onClose={review.close}
      title={t('trade.check')}
      footer={
        <Button kind="commit" wide loading={busy} reason={busy ? undefined : (text ?? staleReason(review))} onClick={() => review.confirm(send)}>
          {t('coins.commit', { amount: exactly(paid, coin.name) })}
        </Button>
      }
    >
      <div className={css.sheet}>
        <ReviewNote review={review} busy={busy} />
        <CommitNote state={state} />
        <Outcome paid={paid} coin={coin} />
        <CostLines
          lines={[
            { label: t('coins.paid'), value: exactly(paid, coin.name) },
            ...(coin.name !== 'USDT' && value ? [{ label: t('coins.worth'), value: exactly(value, 'USDT') }] : []),
            { label: t('coins.price'), value: price(offering.change_rate) },
            ...(value ? [{ label: t('coins.getMost'), value: coins(make(wantedFor(issue, value.units), issue.scale), token) }] : []),
            ...(available ? [{ label: t('trade.left'), value: exactly(sub(available, paid), coin.name) }] : []),
            { ...lockText(offering).review, total: true },
          ]}
        />
        <Note icon="lock">
          {t('coins.partial', { date: day(offering.send_end_ms) })} {t('coins.final')}
        </Note>
      </div>
    </Sheet>
  );
}

/** What was paid, and what follows. */
export function Receipt({ order, offering }: { order: Commitment; offering: Offering }) {
  const locale = useLocale();
  return (
    <div className={css.sheet}>
      <div className={css.done} role="status">
        <StatusChip tone="info">{t('coins.mine.review')}</StatusChip>
        <p className="h2">{t('coins.done', { amount: exactly(order.amount, order.currency_name) })}</p>
        <p className="t2">{t('coins.doneText', { date: day(offering.send_end_ms) })}</p>
      </div>
      <CostLines lines={commitmentLines(order, locale)} />
      <CommitmentNumber row={order} />
    </div>
  );
}
