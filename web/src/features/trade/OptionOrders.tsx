import { useState } from 'react';
import { useConfig } from '../../data/config';
import { useEndedOptions, useOpenOptions } from '../../data/options';
import { rangeStart, since, type Range } from '../../lib/days';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { serverNow } from '../../lib/time';
import { ButtonLink } from '../../ui/Button';
import { EndlessDays } from '../../ui/Endless';
import * as icons from '../../ui/icons';
import { ListState, EmptyState } from '../../ui/ListState';
import { OptionRow } from '../../ui/OptionRow';
import { OrderFilters } from './OrderFilters';
import css from './OrderList.module.css';

const STATES = [
  { value: 'open', label: 'options.running', of: ['open'] },
  { value: 'won', label: 'options.won', of: ['won'] },
  { value: 'lost', label: 'options.lost', of: ['lost'] },
  { value: 'back', label: 'options.back', of: ['push', 'refunded'] },
] as const;
type State = (typeof STATES)[number]['value'];

/** The options tab of orders, newest first: running and settled ones. */
export default function OptionOrders() {
  useLocale();
  const [state, setState] = useState<State>();
  const [symbol, setSymbol] = useState('');
  const [range, setRange] = useState<Range>('all');
  const sold = (useConfig()?.markets ?? []).filter(({ index }) => index === 1).map((market) => market.symbol);
  const running = useOpenOptions();
  const ended = useEndedOptions();
  const settled = ended.data?.pages.flat();
  const open = running.data?.filter((option) => !settled?.some(({ id }) => id === option.id));
  const all = open && settled && [...open, ...settled].toSorted((a, b) => b.id - a.id);
  const recent = all && since(all, (option) => option.created_at_ms, rangeStart(range, serverNow()));
  const results: readonly string[] | undefined = STATES.find(({ value }) => value === state)?.of;
  const shown = recent && { ...recent, rows: recent.rows.filter(({ symbol_name: name, result }) => (symbol === '' || name === symbol) && (results?.includes(result) ?? true)) };
  const filtered = state !== undefined || symbol !== '' || range !== 'all';
  const refetch = () => Promise.all([running.refetch(), ended.refetch()]);
  return (
    <>
      <OrderFilters
        states={STATES.map(({ value, label }) => ({ value, label: t(label) }))}
        state={state}
        onState={setState}
        of="pair"
        names={[...new Set([...sold, ...(all ?? []).map(({ symbol_name: name }) => name)])]}
        name={symbol}
        onName={setSymbol}
        range={range}
        onRange={setRange}
      />
      <ListState
        query={{ ...ended, data: shown, isError: running.isError || ended.isError, refetch }}
        rows={6}
        isEmpty={({ rows, complete }) => rows.length === 0 && (complete || !ended.hasNextPage)}
        empty={
          <EmptyState icon={icons.list} title={t(filtered ? 'orders.none' : 'options.none')} text={t(filtered ? 'orders.noneFiltered' : 'options.noneSettledText')}>
            <ButtonLink kind="commit" small href={href('option/detail')}>
              {t('tab.option')}
            </ButtonLink>
          </EmptyState>
        }
        errorTitle={t('options.error')}
        errorText={t('options.errorText')}
      >
        {({ rows, complete }) => (
          <EndlessDays rows={rows} at={(option) => option.created_at_ms} query={{ ...ended, hasNextPage: ended.hasNextPage && !complete }} pages={ended.data?.pages.length ?? 0} day={css.day} heading="lab t2 m pad">
            {(option) => <OptionRow option={option} />}
          </EndlessDays>
        )}
      </ListState>
    </>
  );
}
