import { useState } from 'react';
import { useCommit } from '../../data/commit';
import { refreshFunding } from '../../data/funding';
import type { Review } from '../../lib/review';
import { useOnline } from '../../lib/online';
import { t, useLocale } from '../../lib/i18n';
import { wire } from '../../lib/money';
import { replace } from '../../lib/nav';
import { usePicture } from '../../lib/picture';
import { AmountField, useAmountInput } from '../../ui/AmountField';
import { Button } from '../../ui/Button';
import { CommitNote } from '../../ui/CommitNote';
import { Field } from '../../ui/Field';
import { amountText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { PictureField } from '../../ui/PictureField';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { Sheet } from '../../ui/Sheet';
import { claim } from './api';
import { claimReasons, type Reason } from './model';
import css from './Deposit.module.css';

/** What the deposit notice is for, chosen on the page behind. */
export interface Claim {
  currency: number;
  code: string;
  scale: number;
  chain: string | undefined;
  min: string | null | undefined;
}

interface Props {
  review: Review<Claim>;
  claim: Claim;
}
type Claimed = Awaited<ReturnType<typeof claim>>;

/** The sent amount and its proof; kept while the page is open. */
export function ClaimSheet({ review, claim: { currency, code, scale, chain, min } }: Props) {
  const locale = useLocale();
  const online = useOnline();
  const { field, input, shown, touch, onBlocked } = useAmountInput(scale);
  const [tx, setTx] = useState('');
  const [tried, setTried] = useState(false);
  const picture = usePicture('deposit');
  const { state, busy, run } = useCommit<Claimed>('deposit', review.shown, review.close);
  const reasons = claimReasons({ amount: field.parsed, min, code, scale, picture: picture.preview !== undefined, tx });
  const words = (reason: Reason | undefined) => reason && (reason.least ? t(reason.text, { amount: amountText({ value: reason.least, code }, locale) }) : t(reason.text, reason.values));
  const at = (name: Reason['field']) => words(reasons.find((reason) => reason.field === name));
  const sending = busy || picture.progress !== undefined;
  const send = async () => {
    const { value } = field;
    if (reasons.length > 0 || !value || sending || review.stale) return;
    let proof: string;
    try {
      proof = await picture.send();
    } catch {
      // The picture shows its own error.
      return;
    }
    await run(() => claim(currency, wire(value), proof, chain, tx.trim()), {
      done: async ({ data }) => {
        await refreshFunding();
        replace('assets/record', { tab: 'deposits', id: data.id });
      },
    });
  };
  return (
    <Sheet
      open={review.shown}
      onClose={review.close}
      title={t('deposit.claimTitle')}
      footer={
        <Button
          kind="commit"
          wide
          loading={sending}
          reason={!online ? t('assets.needsConnection') : sending ? undefined : (staleReason(review) ?? words(reasons[0]))}
          onBlocked={() => {
            setTried(true);
            onBlocked();
          }}
          onClick={() => void send()}
        >
          {t('funding.sendForReview')}
        </Button>
      }
    >
      <div className={css.fields}>
        <ReviewNote review={review} busy={sending} />
        <AmountField ref={input} label={t('deposit.sentAmount')} field={field} unit={code} error={shown(at('amount'))} onBlur={touch} />
        <PictureField label={t('deposit.proof')} hint={t('deposit.proofText')} picture={picture} error={tried ? at('picture') : undefined} empty={<Icon name={icons.image} size={32} />} />
        {chain && (
          <Field label={t('deposit.tx')} aside={t('funding.optional')} hint={t('deposit.txHint')} value={tx} onChange={(event) => setTx(event.target.value)} error={at('tx')} autoComplete="off" autoCapitalize="off" spellCheck={false} />
        )}
        <p className="lab t2">{t(chain ? 'deposit.coinReviewTime' : 'deposit.bankReviewTime')}</p>
        <CommitNote state={state} />
      </div>
    </Sheet>
  );
}
