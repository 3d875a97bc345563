import { useState } from 'react';
import type { SpotOrder } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { dateTime } from '../../lib/time';
import { Button } from '../../ui/Button';
import { PairName, priceText } from '../../ui/Figures';
import { SideTag, StatusChip } from '../../ui/Status';
import { cancel } from './cancel';
import type { OpenedOrder } from './orderParts';
import { filledText, isBuy, isResting, kindText, orderState } from './text';
import css from './Trade.module.css';

/** One order in a list; a waiting one can be cancelled here, and one on the book moved to another price. */
export function OrderRow({ order, onOpen }: { order: SpotOrder; onOpen: (shown: OpenedOrder) => void }) {
  const locale = useLocale();
  const [busy, setBusy] = useState(false);
  const state = orderState(order);
  const price = order.avg_price ?? order.target_price;
  const stop = async () => {
    setBusy(true);
    await cancel(order);
    setBusy(false);
  };
  return (
    <div className={css.order}>
      <button type="button" className={css.orderMain} onClick={() => onOpen({ id: order.id })}>
        <span className={css.orderLine}>
          <span className="b">
            <PairName symbol={order.symbol} />
          </span>
          <SideTag direction={isBuy(order) ? 'up' : 'down'}>{t(isBuy(order) ? 'trade.buy' : 'trade.sell')}</SideTag>
          <span className="cap t3">{kindText(order.order_type)}</span>
          <span className="num b right grow">{price ? priceText(price, undefined, locale) : t('trade.kind.market')}</span>
        </span>
        <span className={css.orderLine}>
          <span className="lab t2 num grow">{t('orders.filled', { part: filledText(order) })}</span>
          <span className="cap t3 num">{dateTime(order.created_at_ms, locale)}</span>
        </span>
        {order.status !== 1 && (
          <span>
            <StatusChip tone={state.tone} {...(order.status === 3 && { icon: 'close' as const })}>
              {state.text}
            </StatusChip>
          </span>
        )}
      </button>
      {order.status === 1 && (
        <div className={css.orderFoot}>
          <StatusChip tone={state.tone}>{state.text}</StatusChip>
          <span className="flex gap2">
            {isResting(order) && (
              <Button small onClick={() => onOpen({ id: order.id, move: order })} aria-label={`${t('trade.move.title')}: ${order.symbol}, ${order.id}`}>
                {t('trade.move.title')}
              </Button>
            )}
            <Button small loading={busy} onClick={() => void stop()} aria-label={t('orders.cancelOf', { pair: order.symbol, number: String(order.id) })}>
              {t('ui.cancel')}
            </Button>
          </span>
        </div>
      )}
    </div>
  );
}
