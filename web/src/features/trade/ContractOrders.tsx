import { useState } from 'react';
import { useConfig } from '../../data/config';
import { useFollowPositions, usePositionPages } from '../../data/positions';
import type { Position } from '../../generated/api';
import { rangeStart, since, type Range } from '../../lib/days';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { serverNow } from '../../lib/time';
import { ButtonLink } from '../../ui/Button';
import { EndlessDays } from '../../ui/Endless';
import * as icons from '../../ui/icons';
import { ListState, EmptyState } from '../../ui/ListState';
import { PositionRow } from '../../ui/PositionRow';
import { OrderFilters } from './OrderFilters';
import css from './OrderList.module.css';

const STATES = [
  { value: 0, label: 'contracts.state.waiting' },
  { value: 1, label: 'contracts.state.open' },
  { value: 3, label: 'contracts.state.closed' },
  { value: 4, label: 'contracts.state.cancelled' },
] as const;
type State = (typeof STATES)[number]['value'];

/** A row leads to where it can be acted on: an ended one to its receipt, the others to their list. */
const place = ({ id, symbol, status }: Position) => href('lever/index', status === 3 || status === 4 ? { order: id } : { symbol, tab: status === 0 ? 'waiting' : 'positions' });

/** The contracts tab of orders, newest first. */
export default function ContractOrders() {
  useLocale();
  const config = useConfig();
  const [state, setState] = useState<State>();
  const [symbol, setSymbol] = useState('');
  const [range, setRange] = useState<Range>('all');
  const query = usePositionPages(state);
  useFollowPositions();
  const all = query.data?.pages.flat();
  const traded = config?.markets.filter(({ match_id: pair }) => config.contracts.some(({ match_id: one }) => one === pair)) ?? [];
  const recent = all && since(all, (position) => position.create_time_ms, rangeStart(range, serverNow()));
  // A position that changed stays in the pages of its former state until they are read again.
  const shown = recent && { ...recent, rows: recent.rows.filter(({ symbol: name, status }) => (symbol === '' || name === symbol) && (state === undefined || status === state)) };
  const filtered = state !== undefined || symbol !== '' || range !== 'all';
  return (
    <>
      <OrderFilters
        states={STATES.map(({ value, label }) => ({ value, label: t(label) }))}
        state={state}
        onState={setState}
        of="pair"
        names={[...new Set([...traded, ...(all ?? [])].map(({ symbol: name }) => name))]}
        name={symbol}
        onName={setSymbol}
        range={range}
        onRange={setRange}
      />
      <ListState
        query={{ ...query, data: shown }}
        rows={6}
        isEmpty={({ rows, complete }) => rows.length === 0 && (complete || !query.hasNextPage)}
        empty={
          <EmptyState icon={icons.list} title={t('contracts.nonePast')} text={t(filtered ? 'orders.noneFiltered' : 'contracts.noneOpenText')}>
            <ButtonLink kind="commit" small href={href('lever/index')}>
              {t('account.lever')}
            </ButtonLink>
          </EmptyState>
        }
        errorTitle={t('contracts.errorTitle')}
        errorText={t('contracts.errorText')}
      >
        {({ rows, complete }) => (
          <EndlessDays rows={rows} at={(position) => position.create_time_ms} query={{ ...query, hasNextPage: query.hasNextPage && !complete }} pages={query.data?.pages.length ?? 0} day={css.day}>
            {(position) => <PositionRow position={position} href={place(position)} />}
          </EndlessDays>
        )}
      </ListState>
    </>
  );
}
