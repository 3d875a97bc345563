import { useState } from 'react';
import { useOrders } from '../../data/orders';
import { pairParams } from '../../lib/wire';
import { useLoggedIn } from '../../data/session';
import type { MarketRules, SpotOrder } from '../../generated/api';
import { afterAnAct, t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { Button, TextLink } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { ListState, EmptyState } from '../../ui/ListState';
import { toast } from '../../ui/Toast';
import { cancelAll } from './api';
import { LazySheet } from '../../ui/LazySheet';
import type { OpenedOrder } from './orderParts';
import { OrderRow } from './OrderRow';
import { countText } from './text';
import css from './Trade.module.css';

const receipt = afterAnAct(() => import('./OrderSheet'));

function List({ orders, onOpen }: { orders: readonly SpotOrder[]; onOpen: (shown: OpenedOrder) => void }) {
  return (
    <ul>
      {orders.map((order) => (
        <li key={order.id}>
          <OrderRow order={order} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  );
}

/** The bar below the form: waiting orders of this pair, and a link to all of them. */
export default function OpenOrders({ rules }: { rules: MarketRules }) {
  useLocale();
  const loggedIn = useLoggedIn();
  const pair = pairParams(rules);
  const query = useOrders({ ...pair, status: 1, limit: 100 });
  const [expanded, setExpanded] = useState(false);
  const [shown, setShown] = useState<OpenedOrder | null>(null);
  const [busy, setBusy] = useState(false);
  if (!loggedIn) return null;
  const stopAll = async () => {
    setBusy(true);
    try {
      toast(t('orders.cancelledAll', { count: await cancelAll(pair) }));
    } catch {
      // The refusal was shown.
    }
    setBusy(false);
  };
  return (
    <section className={css.open} aria-label={t('orders.open')}>
      <div className={css.openBar}>
        <button type="button" className={css.openToggle} aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
          {t('orders.open')}
          {query.data && <em>{countText(query.data.length)}</em>}
          <span className={expanded ? css.turned : undefined}>
            <Icon name="down" size={16} />
          </span>
        </button>
        <TextLink href={href('index/orderlist')}>
          {t('orders.history')}
          <Icon name="forward" size={14} />
        </TextLink>
      </div>
      {expanded && (
        <ListState
          query={query}
          rows={2}
          isEmpty={(orders) => orders.length === 0}
          empty={<EmptyState icon={icons.list} title={t('orders.noneOpen')} text={t('orders.noneOpenText')} />}
          errorTitle={t('orders.errorTitle')}
          errorText={t('orders.errorText')}
        >
          {(orders) => (
            <>
              <List orders={orders} onOpen={setShown} />
              {orders.length > 1 && (
                <div className={css.all}>
                  <Button small loading={busy} onClick={() => void stopAll()}>
                    {t('orders.cancelAll', { count: orders.length })}
                  </Button>
                </div>
              )}
            </>
          )}
        </ListState>
      )}
      <LazySheet load={receipt} shown={shown} open={shown !== null} onClose={() => setShown(null)} />
    </section>
  );
}
