import { useState } from 'react';
import { useCommitments, useOfferings } from '../../data/coins';
import { commitmentState, type CommitmentState } from '../../lib/commitment';
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

const STATES = ['review', 'passed', 'locked', 'released', 'refunded'] as const;

/** The subscriptions tab of orders, newest first; each leads to its receipt. */
export default function CoinOrders() {
  const locale = useLocale();
  const [state, setState] = useState<CommitmentState>();
  const [coin, setCoin] = useState('');
  const [range, setRange] = useState<Range>('all');
  const query = useCommitments();
  const all = query.data?.pages.flatMap((page) => page.order_list);
  const coins = [...new Set([...(useOfferings().data ?? []), ...(all ?? [])].map(({ new_currency_name: code }) => code))];
  const recent = all && since(all, (row) => row.created_at_ms, rangeStart(range, serverNow()));
  const shown = recent && { ...recent, rows: recent.rows.filter((row) => (coin === '' || row.new_currency_name === coin) && (state === undefined || commitmentState(row) === state)) };
  const filtered = state !== undefined || coin !== '' || range !== 'all';
  return (
    <>
      <OrderFilters states={STATES.map((value) => ({ value, label: t(`coins.mine.${value}`) }))} state={state} onState={setState} of="coin" names={coins} name={coin} onName={setCoin} range={range} onRange={setRange} />
      <ListState
        query={{ ...query, data: shown }}
        rows={6}
        isEmpty={({ rows, complete }) => rows.length === 0 && (complete || !query.hasNextPage)}
        empty={
          <EmptyState icon={icons.list} title={t('assets.emptyTitle')} text={t(filtered ? 'orders.noneFiltered' : 'coins.mineText')}>
            <ButtonLink kind="commit" small href={href('publication/index')}>
              {t('explain.newCoins')}
            </ButtonLink>
          </EmptyState>
        }
        errorTitle={t('coins.mineError')}
        errorText={t('assets.errorText')}
      >
        {({ rows, complete }) => (
          <EndlessDays rows={rows} at={(row) => row.created_at_ms} query={{ ...query, hasNextPage: query.hasNextPage && !complete }} pages={query.data?.pages.length ?? 0} heading="lab t2 m pad">
            {(row) => (
              <Row
                lead={<CoinDisc code={row.new_currency_name} />}
                title={row.new_currency_name}
                sub={t(`coins.mine.${commitmentState(row)}`)}
                value={amountText({ value: row.amount, code: row.currency_name, full: true }, locale)}
                href={href('publication/index', { tab: 'mine', id: row.id })}
                chevron
              />
            )}
          </EndlessDays>
        )}
      </ListState>
    </>
  );
}
