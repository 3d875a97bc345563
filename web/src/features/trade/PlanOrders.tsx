import { useState } from 'react';
import { hostingState, useHostingPages, usePlans, type HostingState } from '../../data/plans';
import { rangeStart, since, type Range } from '../../lib/days';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { serverNow } from '../../lib/time';
import { ButtonLink } from '../../ui/Button';
import { EndlessDays } from '../../ui/Endless';
import { amountText, CoinDisc } from '../../ui/Figures';
import * as icons from '../../ui/icons';
import { Row } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { OrderFilters } from './OrderFilters';

const STATES = ['running', 'completed', 'redeemed'] as const;

/** The plans tab of orders, newest first; each leads to its receipt. */
export default function PlanOrders() {
  const locale = useLocale();
  const [state, setState] = useState<HostingState>();
  const [coin, setCoin] = useState('');
  const [range, setRange] = useState<Range>('all');
  const query = useHostingPages(state);
  const all = query.data?.pages.flat();
  const coins = [...new Set([...(usePlans().data ?? []), ...(all ?? [])].map(({ currency_name: code }) => code))];
  const recent = all && since(all, (order) => order.created_at_ms, rangeStart(range, serverNow()));
  const shown = recent && { ...recent, rows: recent.rows.filter(({ currency_name: code }) => coin === '' || code === coin) };
  const filtered = state !== undefined || coin !== '' || range !== 'all';
  return (
    <>
      <OrderFilters states={STATES.map((value) => ({ value, label: t(`plans.state.${value}`) }))} state={state} onState={setState} of="coin" names={coins} name={coin} onName={setCoin} range={range} onRange={setRange} />
      <ListState
        query={{ ...query, data: shown }}
        rows={6}
        isEmpty={({ rows, complete }) => rows.length === 0 && (complete || !query.hasNextPage)}
        empty={
          <EmptyState icon={icons.list} title={t('assets.emptyTitle')} text={t(filtered ? 'orders.noneFiltered' : 'plans.mineText')}>
            <ButtonLink kind="commit" small href={href('finance/index')}>
              {t('plans.see')}
            </ButtonLink>
          </EmptyState>
        }
        errorTitle={t('plans.error')}
        errorText={t('assets.errorText')}
      >
        {({ rows, complete }) => (
          <EndlessDays rows={rows} at={(order) => order.created_at_ms} query={{ ...query, hasNextPage: query.hasNextPage && !complete }} pages={query.data?.pages.length ?? 0} heading="lab t2 m pad">
            {(order) => (
              <Row
                lead={<CoinDisc code={order.currency_name} />}
                title={t('plans.name', { code: order.currency_name, days: order.day })}
                sub={t(`plans.state.${hostingState(order)}`)}
                value={amountText({ value: order.amount, code: order.currency_name, full: true }, locale)}
                href={href('finance/ordersPage', { tab: hostingState(order), id: order.id })}
                chevron
              />
            )}
          </EndlessDays>
        )}
      </ListState>
    </>
  );
}
