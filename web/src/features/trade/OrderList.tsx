import { useState, type ComponentType, type ReactNode } from 'react';
import { useConfig, useReach } from '../../data/config';
import { pairParams, type PairParams } from '../../lib/wire';
import { refresh } from '../../data/query';
import { RANGES, rangeStart, since, type Range } from '../../lib/days';
import { useScreen, type Load } from '../../lib/code';
import { afterAnAct, t, useLocale, withProductWords, withWealthWords } from '../../lib/i18n';
import { href, idInAddress, replace, usePlace } from '../../lib/nav';
import { serverNow } from '../../lib/time';
import { Button, ButtonLink } from '../../ui/Button';
import { Chip, Chips, UnderlineTabs } from '../../ui/Choice';
import { EndlessDays } from '../../ui/Endless';
import { FilterChip } from '../../ui/FilterChip';
import * as icons from '../../ui/icons';
import { Screen } from '../../ui/Layout';
import { LazySheet } from '../../ui/LazySheet';
import { ListState, EmptyState, SkeletonRows } from '../../ui/ListState';
import { useOrderPages } from './pages';
import type { OpenedOrder } from './orderParts';
import { OrderRow } from './OrderRow';
import css from './OrderList.module.css';

/** An order's receipt is rarely opened, so its code loads on demand. */
const receipt = afterAnAct(() => import('./OrderSheet'));

const STATES = [
  { value: undefined, label: 'orders.all' },
  { value: 1, label: 'trade.state.open' },
  { value: 2, label: 'trade.state.completed' },
  { value: 3, label: 'trade.state.cancelled' },
] as const;

interface ListProps {
  filter: { status?: number } & Partial<PairParams>;
  range: Range;
  onOpen: (shown: OpenedOrder) => void;
}

function List({ filter, range, onOpen }: ListProps) {
  useLocale();
  const query = useOrderPages(filter);
  const orders = query.data && since(query.data.pages.flat(), (order) => order.created_at_ms, rangeStart(range, serverNow()));
  const filtered = Object.keys(filter).length > 0;
  return (
    <ListState
      query={{ ...query, data: orders }}
      rows={6}
      isEmpty={(data) => data.rows.length === 0 && (data.complete || !query.hasNextPage)}
      empty={
        <EmptyState icon={icons.list} title={t(filter.status === 1 ? 'orders.noneOpen' : 'orders.none')} text={(filtered && filter.status !== 1) || range !== 'all' ? t('orders.noneFiltered') : filter.status === 1 && t('orders.noneOpenText')}>
          <ButtonLink kind="commit" small href={href('trade/index')}>
            {t('home.allMarkets')}
          </ButtonLink>
        </EmptyState>
      }
      errorTitle={t('orders.errorTitle')}
      errorText={t('orders.errorText')}
    >
      {({ rows: shown, complete }) => (
        <EndlessDays rows={shown} at={(order) => order.created_at_ms} query={{ ...query, hasNextPage: query.hasNextPage && !complete }} pages={query.data?.pages.length ?? 0} day={css.day}>
          {(order) => <OrderRow order={order} onOpen={onOpen} />}
        </EndlessDays>
      )}
    </ListState>
  );
}

const LATER = {
  options: { load: withProductWords(() => import('./OptionOrders')), read: ['me', 'options'] },
  contracts: { load: withProductWords(() => import('./ContractOrders')), read: ['me', 'positionPages'] },
  plans: { load: withWealthWords(() => import('./PlanOrders')), read: ['me', 'plan'] },
  coins: { load: withWealthWords(() => import('./CoinOrders')), read: ['me', 'subscription'] },
};
const TABS = [
  { value: 'spot', label: 'account.change', page: 'trade/index' },
  { value: 'options', label: 'account.micro', page: 'option/detail' },
  { value: 'contracts', label: 'account.lever', page: 'lever/index' },
  { value: 'plans', label: 'account.trust', page: 'finance/index' },
  { value: 'coins', label: 'explain.newCoins', page: 'publication/index' },
] as const;

/** Every order of every kind, newest first. */
export default function OrderList() {
  useLocale();
  const reach = useReach();
  const { path, query } = usePlace();
  const asked = (key: string) => (path === 'index/orderlist' ? query.get(key) : null);
  const [tab, setTab] = useState(asked('tab'));
  const id = idInAddress(asked('id')) || null;
  const there = TABS.filter(({ page }) => reach(page));
  if (there.length < 2) return <SpotOrders id={id} />;
  const shown = there.find(({ value }) => value === tab)?.value ?? 'spot';
  const tabs = (
    <UnderlineTabs
      label={t('orders.title')}
      value={shown}
      onValue={(value) => {
        setTab(value);
        replace('index/orderlist', { tab: value });
      }}
      options={there.map(({ value, label }) => ({ value, label: t(label) }))}
    />
  );
  return shown === 'spot' ? <SpotOrders id={id} tabs={tabs} /> : <ProductOrders key={shown} tabs={tabs} {...LATER[shown]} />;
}

/** Orders of a product, whose code and texts load on demand. */
function ProductOrders({ tabs, load, read }: { tabs: ReactNode; load: Load<{ default: ComponentType }>; read: readonly string[] }) {
  const loading = useScreen(load);
  return (
    <Screen title={t('orders.title')} onRefresh={() => refresh(read)}>
      {tabs}
      {loading === 'loading' ? (
        <SkeletonRows rows={6} />
      ) : 'Screen' in loading ? (
        <loading.Screen />
      ) : (
        <EmptyState icon="warn" title={t('orders.errorTitle')} text={t('orders.errorText')}>
          <Button small onClick={() => loading.retry()}>
            {t('ui.tryAgain')}
          </Button>
        </EmptyState>
      )}
    </Screen>
  );
}

/** Spot orders, with tabs if there is more than one kind; shows the receipt of one if a message links to it. */
function SpotOrders({ id, tabs }: { id: number | null; tabs?: ReactNode }) {
  const markets = useConfig()?.markets ?? [];
  const [status, setStatus] = useState<number | undefined>(undefined);
  const [symbol, setSymbol] = useState('');
  const [range, setRange] = useState<Range>('all');
  const [shown, setShown] = useState<OpenedOrder | null>(id === null ? null : { id });
  const market = markets.find((m) => m.symbol === symbol);
  const filter = { ...(status !== undefined && { status }), ...(market && pairParams(market)) };
  return (
    <Screen title={t(tabs ? 'orders.title' : 'orders.spotTitle')} onRefresh={() => refresh(['me', 'orderPages'])}>
      {tabs}
      <div className={css.filters}>
        <Chips label={t('orders.filter')}>
          {STATES.map(({ value, label }) => (
            <Chip key={label} on={status === value} onClick={() => setStatus(value)}>
              {t(label)}
            </Chip>
          ))}
        </Chips>
        <Chips label={t('orders.filter')}>
          <FilterChip label={t('trade.choosePair')} value={symbol} all="" onValue={setSymbol} options={[{ value: '', label: t('orders.anyPair') }, ...markets.map((m) => ({ value: m.symbol, label: m.symbol }))]} />
          <FilterChip label={t('assets.time')} value={range} all="all" onValue={setRange} options={RANGES.map((value) => ({ value, label: t(`assets.range.${value}`) }))} />
        </Chips>
      </div>
      <List filter={filter} range={range} onOpen={setShown} />
      <LazySheet load={receipt} shown={shown} open={shown !== null} onClose={() => setShown(null)} />
    </Screen>
  );
}
