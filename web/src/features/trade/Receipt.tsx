import { useState } from 'react';
import { config } from '../../data/config';
import type { SpotFill, SpotOrder } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount, isZero, make, sub, wire, type Parsed } from '../../lib/money';
import { go } from '../../lib/nav';
import { stamp } from '../../lib/time';
import { Button } from '../../ui/Button';
import { CoinDisc } from '../../ui/Figures';
import { ListState } from '../../ui/ListState';
import { ReceiptNumber } from '../../ui/ReceiptNumber';
import { CostLines, SideTag, StatusChip, type CostLine } from '../../ui/Status';
import { useOrder, type Placed } from './api';
import { cancel } from './cancel';
import { reviewLines } from './lines';
import { estimate, type Draft, type Market } from './order';
import { baseOf, cancelText, costText, filledText, heldCode, isBuy, isResting, orderState, orderTerms, orderTitle, quantityText, quoteOf, rawText, tifText } from './text';
import css from './Trade.module.css';

const given = (text: string | null): Parsed => (text === null ? { ok: false, reason: 'empty' } : { ok: true, value: amount(text) });

/** An order of the server as the form would have it, with this much to trade. */
export const draftOf = (order: SpotOrder, size: string | null): Draft => ({
  side: isBuy(order) ? 'buy' : 'sell',
  kind: order.order_type,
  tif: order.tif,
  price: given(order.target_price),
  size: given(size),
  stop: given(order.stop_price),
});

/**
 * Cost and proceeds of an order that has not traded yet: the lines of its review, at the fee that it was placed with. Undefined for any
 * other order.
 */
function waitingLines(order: SpotOrder): CostLine[] | undefined {
  const known = config()?.markets.find(({ symbol }) => symbol === order.symbol);
  const gross = amount(order.filled_amount);
  if (order.status !== 1 || !isZero(gross) || !known) return undefined;
  const draft = draftOf(order, order.trade_amount);
  const rate = amount(order.charge_fee);
  const market: Market = {
    rules: { ...known, maker_fee: order.maker_fee, taker_fee: wire(make(rate.units * 100n, rate.scale)) },
    base: { code: baseOf(order), scale: gross.scale },
    quote: { code: quoteOf(order), scale: amount(order.filled_value).scale },
    reference: undefined,
    book: undefined,
  };
  const cost = estimate(draft, market);
  // The last line shows the balance at the time of the review.
  return cost && reviewLines(draft, market, cost, undefined, undefined).slice(0, -1);
}

/** The server's figures, in the order of the form and rounded as there. */
export function lines(order: SpotOrder): CostLine[] {
  const waiting = waitingLines(order);
  if (waiting) return [{ label: t('trade.filledLabel'), value: filledText(order) }, ...waiting];
  const [base, quote] = [baseOf(order), quoteOf(order)];
  const buy = isBuy(order);
  const gross = amount(buy ? order.filled_amount : order.filled_value);
  const net = sub(gross, amount(order.fee));
  const filled: CostLine[] = order.avg_price
    ? [
        { label: t('trade.times', { amount: quantityText(order.filled_amount, base), price: rawText(order.avg_price) }), value: (buy ? costText : quantityText)(order.filled_value, quote) },
        { label: t('trade.feePaid'), value: costText(order.fee, order.fee_currency) },
        { label: t(buy ? 'trade.paid' : 'trade.sold'), value: buy ? costText(order.filled_value, quote) : quantityText(order.filled_amount, base), total: buy },
        { label: t('trade.received'), value: quantityText(net, buy ? base : quote), total: !buy },
      ]
    : [];
  return [
    ...(order.order_type === 'limit' ? [{ label: t('trade.tifTitle'), value: tifText(order.tif) }] : []),
    { label: t('trade.filledLabel'), value: filledText(order) },
    ...filled,
    ...(/[1-9]/.test(order.frozen) ? [{ label: t('trade.frozen'), value: costText(order.frozen, heldCode(order)) }] : []),
  ];
}

function Fills({ fills, order }: { fills: readonly SpotFill[]; order: SpotOrder }) {
  if (!fills.length) return null;
  return (
    <details className={css.more}>
      <summary>{t('trade.fills', { count: fills.length })}</summary>
      <ul>
        {fills.map((fill) => (
          <li key={fill.id} className={css.fill}>
            <span className="num">{t('trade.times', { amount: quantityText(fill.amount, baseOf(order)), price: rawText(fill.price) })}</span>
            <span className="lab t2 num">{t('trade.fillFee', { fee: `${rawText(fill.fee)}\u00a0${fill.fee_currency}` })}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** One order as the server has it; updated while it is open. */
export function Receipt({ id, initial }: { id: number; initial?: Placed }) {
  const locale = useLocale();
  const query = useOrder(id, initial);
  return (
    <ListState query={query} errorTitle={t('orders.errorTitle')} errorText={t('orders.errorText')}>
      {({ order, fills }) => {
        const state = orderState(order);
        const why = cancelText(order);
        return (
          <>
            <div className={css.what}>
              <CoinDisc code={baseOf(order)} />
              <div className="grow">
                <div className="b">{orderTitle(order)}</div>
                <div className="lab t2 num">{orderTerms(order)}</div>
              </div>
              <SideTag direction={isBuy(order) ? 'up' : 'down'}>{t(isBuy(order) ? 'trade.buy' : 'trade.sell')}</SideTag>
            </div>
            <div className={css.status}>
              <StatusChip tone={state.tone} {...(order.status === 3 && { icon: 'close' as const })}>
                {state.text}
              </StatusChip>
              <span className="lab t2 num">{stamp(order.updated_at_ms, locale)}</span>
            </div>
            {why && <p className="lab t2">{why}</p>}
            <CostLines lines={lines(order)} />
            <Fills fills={fills} order={order} />
            <ReceiptNumber id={order.id} of="order" label={t('trade.number')} copy={t('trade.copyNumber')} share={[orderTitle(order), state.text]} />
          </>
        );
      }}
    </ListState>
  );
}

/** Done; cancel and change the price if possible; the history. */
export function ReceiptButtons({ id, onDone, onMove, history }: { id: number; onDone: () => void; onMove: (order: SpotOrder) => void; history: boolean }) {
  const order = useOrder(id).data?.order;
  const [busy, setBusy] = useState(false);
  const stop = async (waiting: SpotOrder) => {
    setBusy(true);
    await cancel(waiting);
    setBusy(false);
  };
  return (
    <>
      {order?.status === 1 ? (
        <>
          <Button loading={busy} onClick={() => void stop(order)}>
            {t('trade.cancelOrder')}
          </Button>
          {isResting(order) && <Button onClick={() => onMove(order)}>{t('trade.move.title')}</Button>}
        </>
      ) : (
        history && <Button onClick={() => go('index/orderlist')}>{t('trade.view')}</Button>
      )}
      <Button kind="commit" onClick={onDone}>
        {t('ui.done')}
      </Button>
    </>
  );
}
