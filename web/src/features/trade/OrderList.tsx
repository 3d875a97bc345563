import { useState } from 'react';
import { useConfig } from '../../data/config';
import { pairParams, type PairParams } from '../../lib/wire';
import { queryClient } from '../../data/query';
import type { SpotOrder } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { exists, href } from '../../lib/nav';
import { date, dayKey } from '../../lib/time';
import { ButtonLink } from '../../ui/Button';
import { Chip, Chips } from '../../ui/Choice';
import { Endless } from '../../ui/Endless';
import { FilterChip } from '../../ui/FilterChip';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { ListState, Plate } from '../../ui/ListState';
import { useOrderPages } from './api';
import { OrderRow } from './OrderRow';
import { OrderSheet } from './OrderSheet';
import css from './OrderList.module.css';

const STATES = [
  { value: undefined, label: 'orders.all' },
  { value: 1, label: 'trade.state.open' },
  { value: 2, label: 'trade.state.completed' },
  { value: 3, label: 'trade.state.cancelled' },
] as const;

/** Rows of one day under its date. */
function days(orders: readonly SpotOrder[]): { key: string; at: number; orders: SpotOrder[] }[] {
  const groups: { key: string; at: number; orders: SpotOrder[] }[] = [];
  for (const order of orders) {
    const key = dayKey(order.created_at_ms);
    const last = groups.at(-1);
    if (last?.key === key) last.orders.push(order);
    else groups.push({ key, at: order.created_at_ms, orders: [order] });
  }
  return groups;
}

interface ListProps {
  filter: { status?: number } & Partial<PairParams>;
  onOpen: (id: number) => void;
}

function List({ filter, onOpen }: ListProps) {
  const locale = useLocale();
  const query = useOrderPages(filter);
  const filtered = Object.keys(filter).length > 0;
  return (
    <ListState
      query={query}
      rows={6}
      isEmpty={({ pages }) => !pages.some((rows) => rows.length)}
      empty={
        <Plate icon={icons.list} title={t(filter.status === 1 ? 'orders.noneOpen' : 'orders.none')} text={t(filtered && filter.status !== 1 ? 'orders.noneFiltered' : 'orders.noneOpenText')}>
          {exists('trade/index') && (
            <ButtonLink kind="commit" small href={href('trade/index')}>
              {t('home.allMarkets')}
            </ButtonLink>
          )}
        </Plate>
      }
      errorTitle={t('orders.errorTitle')}
      errorText={t('orders.errorText')}
    >
      {({ pages }) => {
        const orders = pages.flat();
        const oldest = orders.at(-1);
        return (
          <>
            {days(orders).map(({ key, at, orders: rows }) => (
              <section key={key} className={css.day}>
                <h2 className="lab t2 m">{date(at, locale)}</h2>
                <ul>
                  {rows.map((order) => (
                    <li key={order.id}>
                      <OrderRow order={order} onOpen={() => onOpen(order.id)} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <Endless query={query} pages={pages.length} end={oldest && t('orders.end', { date: date(oldest.created_at_ms, locale) })} />
          </>
        );
      }}
    </ListState>
  );
}

/** Every order, newest first. */
export default function OrderList() {
  useLocale();
  const markets = useConfig()?.markets ?? [];
  const [status, setStatus] = useState<number | undefined>(undefined);
  const [symbol, setSymbol] = useState('');
  const [shown, setShown] = useState<number | null>(null);
  const market = markets.find((m) => m.symbol === symbol);
  const filter = { ...(status !== undefined && { status }), ...(market && pairParams(market)) };
  return (
    <Screen title={t('orders.spotTitle')} onRefresh={() => queryClient.invalidateQueries({ queryKey: ['me', 'orderPages'] })}>
      <div className={css.filters}>
        <Chips label={t('orders.filter')}>
          {STATES.map(({ value, label }) => (
            <Chip key={label} on={status === value} onClick={() => setStatus(value)}>
              {t(label)}
            </Chip>
          ))}
          <FilterChip label={t('trade.choosePair')} value={symbol} all="" onValue={setSymbol} options={[{ value: '', label: t('orders.anyPair') }, ...markets.map((m) => ({ value: m.symbol, label: m.symbol }))]} />
        </Chips>
      </div>
      <List filter={filter} onOpen={setShown} />
      <OrderSheet id={shown} onClose={() => setShown(null)} />
    </Screen>
  );
}
