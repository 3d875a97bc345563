import { useState } from 'react';
import type { Confirmed, Review } from '../../lib/review';
import { t } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { Refusal } from '../../lib/refusal';
import { AddressInFours } from '../../ui/AddressText';
import { Button, TextLink } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { CommitNote } from '../../ui/CommitNote';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { Sheet } from '../../ui/Sheet';
import { CostLines, Note, type CostLine } from '../../ui/Status';
import shared from '../../ui/Form.module.css';
import type { Order } from './api';
import type { Goal } from './Destination';
import type { Terms } from './model';

/** Everything that is sent, and everything that is shown before. */
export interface Reviewed {
  order: Order;
  goal: Goal;
  terms: Terms;
  /** The amount with its unit. */
  amount: string;
  lines: readonly CostLine[];
  /** Added within a week, so the person confirms again that it is right. */
  young: boolean;
}

interface Props {
  review: Review<Reviewed>;
  onClose: () => void;
  state: { step: string; key?: string; error?: unknown };
  busy: boolean;
  /** Why it cannot be sent now, whatever is reviewed. */
  blocked: string | undefined;
  onSend: (reviewed: Confirmed<Reviewed>) => void;
}

/** The review of everything before the money leaves. */
export function ConfirmSheet({ review, onClose, state, busy, blocked, onSend }: Props) {
  // The version of the review for which the box was ticked.
  const [sure, setSure] = useState<number>();
  if (!review.value) return null;
  const { goal, amount, lines, young } = review.value;
  const ticked = sure === review.look && !review.stale;
  const upgrade = state.error instanceof Refusal && state.error.code === 'E_WITHDRAW_LIMIT' && state.error.data.upgrade === 1;
  const reason = staleReason(review) ?? blocked ?? (young && !ticked ? t('withdraw.tickFirst') : undefined);
  return (
    <Sheet
      open={review.shown}
      onClose={onClose}
      title={t('withdraw.check')}
      footer={
        <>
          <Button onClick={onClose}>{t('withdraw.edit')}</Button>
          {(busy || !review.gone) && (
            <Button kind="commit" loading={busy} reason={busy ? undefined : reason} onClick={() => review.confirm(onSend)}>
              {t('withdraw.submit', { amount })}
            </Button>
          )}
        </>
      }
    >
      <div className={shared.stack}>
        <ReviewNote review={review} busy={busy} />
        <Note tone="caution">{t(goal.card === undefined ? 'withdraw.final' : 'withdraw.finalBank')}</Note>
        <CostLines
          lines={[
            { label: t('withdraw.to'), value: goal.name },
            ...(goal.chain ? [{ label: t('funding.network'), value: goal.chain }] : []),
            { label: t(goal.card === undefined ? 'addresses.address' : 'cards.card'), value: goal.card === undefined ? <AddressInFours address={goal.text} /> : goal.text },
            { label: t('assets.amount'), value: amount },
            ...lines,
          ]}
        />
        {young && (
          <Checkbox checked={ticked} onChange={(event) => setSure(event.target.checked ? review.look : undefined)}>
            {t('withdraw.young')}
          </Checkbox>
        )}
        <CommitNote state={state} />
        {upgrade && <TextLink href={href('verification/index')}>{t('withdraw.upgrade')}</TextLink>}
      </div>
    </Sheet>
  );
}
