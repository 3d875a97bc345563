import { useState } from 'react';
import { useCommit } from '../../data/commit';
import type { Review } from '../../lib/review';
import { requireLogin } from '../../data/session';
import { locale, t } from '../../lib/i18n';
import { wire, type Amount } from '../../lib/money';
import { useMoved } from '../../lib/moved';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { amountText, CoinDisc } from '../../ui/Figures';
import { RefusedNote, unknownParts } from '../../ui/Outcome';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import { Sheet } from '../../ui/Sheet';
import { CostLines, Note, SideTag } from '../../ui/Status';
import { placeOrder, settled, type Placed, type Reviewed } from './api';
import { cautionText, isUsual, reviewLines } from './lines';
import { validate, type OrderContext } from './model';
import { byFunds, distance, estimate, type Draft, type Estimate, type Market } from './order';
import { useOrderParts } from './orderParts';
import { kindText, quantityText, rawText, reasonText } from './text';
import css from './Trade.module.css';

/** "Buy 0.0100 BTC", "Buy BTC for 100.00 USDT". */
function actionText(draft: Draft, market: Market): string {
  const size = draft.size.ok ? draft.size.value : undefined;
  if (byFunds(draft)) return t('trade.order.buyFor', { base: market.base.code, amount: amountText({ value: size, code: market.quote.code, full: true }, locale()) });
  return t(draft.side === 'buy' ? 'trade.order.buy' : 'trade.order.sell', { amount: quantityText(size, market.base.code) });
}

interface CheckProps {
  draft: Draft;
  market: Market;
  cost: Estimate;
  available: Amount | undefined;
  updated: boolean;
  ticked: boolean;
  onTick: (on: boolean) => void;
}

function Check({ draft, market, cost, available, updated, ticked, onTick }: CheckProps) {
  const gap = distance(draft, market);
  const price = draft.price.ok ? `${rawText(wire(draft.price.value))}\u00a0${market.quote.code}` : '';
  const note = cautionText(draft, market, cost);
  return (
    <>
      <div className={css.what}>
        <CoinDisc code={market.base.code} />
        <div className="grow">
          <div className="b">{actionText(draft, market)}</div>
          <div className="lab t2 num">{draft.kind === 'market' ? kindText(draft.kind) : t('trade.order.at', { kind: kindText(draft.kind), price })}</div>
        </div>
        <SideTag direction={draft.side === 'buy' ? 'up' : 'down'}>{t(draft.side === 'buy' ? 'trade.buy' : 'trade.sell')}</SideTag>
      </div>
      {note && <Note tone={isUsual(draft, market) ? 'plain' : 'caution'}>{note}</Note>}
      <CostLines lines={reviewLines(draft, market, cost, available, updated ? t('trade.updated') : undefined)} />
      {gap?.veryFar && (
        <Checkbox checked={ticked} onChange={(event) => onTick(event.target.checked)}>
          {t('trade.fat', { price })}
        </Checkbox>
      )}
    </>
  );
}

interface Props {
  open: boolean;
  onClose: () => void;
  review: Review<Reviewed>;
  onPlaced: () => void;
  /** Prices keep moving during a review; the rules do not. */
  live: Market;
  context: OrderContext;
}

/** Review, placement and receipt: one sheet that changes in place. */
export default function ReviewSheet({ review, ...rest }: Props) {
  return review.value && <Reviewing review={review} reviewed={review.value} {...rest} />;
}

function Reviewing({ open, onClose, review, reviewed, onPlaced, live, context }: Props & { reviewed: Reviewed }) {
  const { draft, rules } = reviewed;
  const market = { ...live, rules };
  const { state, busy, run } = useCommit<Awaited<ReturnType<typeof placeOrder>>>('order', open, onClose);
  // The version of the review for which the box was ticked.
  const [sure, setSure] = useState<number>();
  const ticked = sure === review.look;
  const [placed, setPlaced] = useState<Placed>();
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) setPlaced(undefined);
  }
  const cost = estimate(draft, market);
  const { moved, just } = useMoved(open && draft.kind === 'market' ? (cost?.receive ?? undefined) : undefined);
  const receipt = useOrderParts(placed ? { id: placed.order.id, placed } : null, open, onClose, true);
  const done = (one: Placed) => {
    settled(one.order);
    onPlaced();
    setPlaced(one);
  };

  if (placed) return <Sheet open={open} onClose={onClose} {...receipt} />;
  if (state.step === 'unknown') return <Sheet open={open} onClose={onClose} {...unknownParts(t('trade.unknownText'), state.key, onClose)} />;
  const first = validate(draft, live, context)[0];
  const untold = distance(draft, market)?.veryFar && !ticked ? t('trade.tickFirst') : undefined;
  const reason = first ? reasonText(first, draft, live) : (staleReason(review) ?? untold ?? (just ? t('trade.lookAgain') : undefined));
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('trade.check')}
      footer={
        <>
          <Button onClick={onClose}>{t('trade.edit')}</Button>
          {first?.name === 'guest' ? (
            // The session ended during the review; the form keeps its input.
            <Button kind="commit" onClick={() => requireLogin()}>
              {t('trade.reason.guest')}
            </Button>
          ) : (
            <Button kind={draft.side === 'buy' ? 'up' : 'down'} loading={busy} reason={busy ? undefined : reason} onClick={() => review.confirm((one) => run(() => placeOrder(one), { done: ({ data }) => done(data) }))}>
              {actionText(draft, market)}
            </Button>
          )}
        </>
      }
    >
      <ReviewNote review={review} busy={busy} className={css.refused} />
      <RefusedNote state={state} className={css.refused} />
      {cost && <Check draft={draft} market={market} cost={cost} available={context.available} updated={moved} ticked={ticked} onTick={(on) => setSure(on ? review.look : undefined)} />}
    </Sheet>
  );
}
