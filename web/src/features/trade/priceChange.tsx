import { useState } from 'react';
import { useBalance } from '../../data/balances';
import { useCommit } from '../../data/commit';
import { refreshPrivate } from '../../data/query';
import { requireLogin } from '../../data/session';
import { useProductContext } from '../../data/productContext';
import type { MovedOrder, SpotOrder } from '../../generated/api';
import { Refusal } from '../../lib/errors';
import { t, useLocale } from '../../lib/i18n';
import { add, amount, cmp, wire, type Amount } from '../../lib/money';
import { refusalText } from '../../lib/refusal';
import { useOpenReview } from '../../lib/review';
import { AmountField, useAmountInput } from '../../ui/AmountField';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Choice';
import { CoinDisc, priceText } from '../../ui/Figures';
import { RefusedNote, unknownParts } from '../../ui/Outcome';
import { ReviewNote, staleReason } from '../../ui/ReviewNote';
import type { Parts } from '../../ui/Sheet';
import { CostLines, Note, SideTag } from '../../ui/Status';
import { moveOrder, settled } from './api';
import { reviewLines } from './lines';
import { useMarketNow } from './live';
import { validate, type Reason } from './model';
import { crosses, distance, estimate, type Draft } from './order';
import { draftOf } from './Receipt';
import { baseOf, filledText, isBuy, isResting, orderTitle, quantityText, quoteOf, rawText, reasonText } from './text';
import css from './Trade.module.css';

/** What the price causes is said at its field; anything else above it. */
const OF_PRICE = /^E_(AMOUNT|FIELD|TICK|BAND|NOTIONAL_MIN|NOTIONAL_MAX|POST_ONLY|INSUFFICIENT)$/;

interface Handlers {
  /** Whether its sheet is on the screen. */
  open: boolean;
  onBack: () => void;
  onMoved: (moved: MovedOrder) => void;
  onClose: () => void;
}

/** Takes what is left of an order to another price: the order as it is shown, at the price in the field. Undefined if it cannot be moved. */
export function usePriceChange(order: SpotOrder | undefined, wanted: boolean, { open, onBack, onMoved, onClose }: Handlers): Parts | undefined {
  const locale = useLocale();
  const { rules, pair, stale, market: live } = useMarketNow(wanted && order ? order.symbol : '');
  const movable = order && rules && isResting(order) ? { order, rules } : undefined;
  const { state, busy, run } = useCommit<Awaited<ReturnType<typeof moveOrder>>>('order', open && wanted, onClose);
  const { field, input, shown: told, touch, onBlocked, clear } = useAmountInput(rules?.price_digits ?? 0);
  /** The price that was sent, and the version and price for which the box was ticked. */
  const [sent, setSent] = useState('');
  const [sure, setSure] = useState('');
  // It begins once the order is known, and goes on until the person leaves it.
  const [started, setStarted] = useState(false);
  const begins = wanted && (started || movable !== undefined);
  if (begins !== started) {
    setStarted(begins);
    if (begins) {
      clear();
      field.setText(priceText(order?.target_price, rules?.price_digits, locale));
    }
  }
  const review = useOpenReview(movable, begins);
  const context = useProductContext('spot');
  const old = review.value?.order;
  const wallet = useBalance('change', old && (isBuy(old) ? old.legal_id : old.currency_id));
  if (!begins || !review.value || !old) return undefined;
  if (state.step === 'unknown') return unknownParts(t('trade.unknownText'), state.key, onClose);

  const market = live && { ...live, rules: review.value.rules };
  // A stop that was triggered moves as the limit order that it is by now.
  const draft: Draft = { ...draftOf(old, old.left_amount), kind: 'limit', price: field.parsed };
  const price = field.value && wire(field.value);
  const priceOf = (text: string) => `${rawText(text)}\u00a0${quoteOf(old)}`;
  const gap = market && distance(draft, market);
  const cost = market && estimate(draft, market);
  // What the order holds is free for the one in its place.
  const available = wallet && add(amount(wallet.avail), amount(old.frozen));
  const reasons = market ? validate(draft, market, { ...context, open: context.open && pair?.open_coin_trade === 1, stale, available, openOrders: 0, maxOrders: 1 }) : [];
  const why = (reason: Reason | undefined) => reason && market && reasonText(reason, draft, market);
  const same = field.value && cmp(field.value, amount(old.target_price ?? '0')) === 0 ? t('trade.move.same') : undefined;
  const tick = `${review.look} ${price}`;
  const untold = gap?.veryFar && sure !== tick ? t('trade.tickFirst') : undefined;
  const reason = market ? (why(reasons[0]) ?? staleReason(review) ?? same ?? untold) : t('trade.reason.stale');
  const refusedPrice = state.step === 'refused' && state.error instanceof Refusal && OF_PRICE.test(state.error.code);
  const error = told(why(reasons.find((one) => one.field))) ?? (refusedPrice && sent === price ? refusalText(state.error) : undefined);
  const send = (to: Amount) => {
    setSent(wire(to));
    review.confirm((one) => run(() => moveOrder(one, to), { done: ({ data }) => settle(data) }));
  };
  const settle = (moved: MovedOrder) => {
    settled(moved.order);
    refreshPrivate();
    onMoved(moved);
  };
  return {
    title: t('trade.move.title'),
    onBack: busy ? undefined : onBack,
    footer:
      reasons[0]?.name === 'guest' ? (
        <Button kind="commit" wide onClick={() => requireLogin()}>
          {t('trade.reason.guest')}
        </Button>
      ) : (
        <Button kind={isBuy(old) ? 'up' : 'down'} wide loading={busy} reason={busy ? undefined : reason} onBlocked={onBlocked} onClick={() => field.value && send(field.value)}>
          {t('trade.move.to', { price: price ? priceOf(price) : '' })}
        </Button>
      ),
    children: (
      <>
        <div className={css.what}>
          <CoinDisc code={baseOf(old)} />
          <div className="grow">
            <div className="b">{orderTitle(old)}</div>
            <div className="lab t2 num">{t('orders.filled', { part: filledText(old) })}</div>
          </div>
          <SideTag direction={isBuy(old) ? 'up' : 'down'}>{t(isBuy(old) ? 'trade.buy' : 'trade.sell')}</SideTag>
        </div>
        <div className={css.refused}>
          <Note tone="caution">{t(old.tif === 'post_only' ? 'trade.move.rests' : market && !reasons[0] && crosses(draft, market) ? 'trade.move.trades' : 'trade.move.waits')}</Note>
        </div>
        <ReviewNote review={review} busy={busy} className={css.refused} />
        {!refusedPrice && <RefusedNote state={state} className={css.refused} />}
        <AmountField ref={input} label={t('trade.price')} field={field} unit={quoteOf(old)} error={error} onBlur={touch} hint={gap?.far && <span className="caution">{t(gap.below ? 'trade.farBelow' : 'trade.farAbove')}</span>} />
        {gap?.veryFar && (
          <Checkbox checked={sure === tick} onChange={(event) => setSure(event.target.checked ? tick : '')}>
            {t('trade.fat', { price: price ? priceOf(price) : '' })}
          </Checkbox>
        )}
        <CostLines
          lines={[
            { label: t('trade.move.left'), value: quantityText(old.left_amount ?? undefined, baseOf(old)) },
            { label: t('trade.move.from'), value: priceOf(old.target_price ?? '0') },
            ...(market && cost ? reviewLines(draft, market, cost, available, undefined) : []),
          ]}
        />
      </>
    ),
  };
}
