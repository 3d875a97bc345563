import { useState } from 'react';
import { useEndedOptions } from '../../data/options';
import type { OptionOrder } from '../../generated/api';
import { RANGES, rangeStart, since, type Range } from '../../lib/days';
import { t, useLocale } from '../../lib/i18n';
import { serverNow } from '../../lib/time';
import { Chip, Chips } from '../../ui/Choice';
import { EndlessDays } from '../../ui/Endless';
import { FilterChip } from '../../ui/FilterChip';
import * as icons from '../../ui/icons';
import { ListState, EmptyState } from '../../ui/ListState';
import { OptionRow } from '../../ui/OptionRow';
import css from './Option.module.css';

const RESULTS = [
  { value: 'all', label: 'orders.all', of: [] },
  { value: 'won', label: 'options.won', of: ['won'] },
  { value: 'lost', label: 'options.lost', of: ['lost'] },
  { value: 'back', label: 'options.back', of: ['push', 'refunded'] },
] as const;
const fits = (option: OptionOrder, result: string) => result === 'all' || RESULTS.some(({ value, of }) => value === result && (of as readonly string[]).includes(option.result));

/** Settlement comes with the delivery, or after it if there was no price. */
const endOf = ({ complete_at_ms: end, delivery_time_ms: delivery }: OptionOrder) => end ?? delivery;

/** The history by the time of settlement, by result and date. */
export default function Settled() {
  useLocale();
  const query = useEndedOptions();
  const [result, setResult] = useState('all');
  const [range, setRange] = useState<Range>('all');
  const all = query.data && since(query.data.pages.flat(), endOf, rangeStart(range, serverNow()));
  const options = all && { complete: all.complete, rows: all.rows.filter((option) => fits(option, result)).toSorted((a, b) => endOf(b) - endOf(a)) };
  return (
    <>
      <div className={css.filters}>
        <Chips label={t('orders.filter')}>
          {RESULTS.map(({ value, label }) => (
            <Chip key={value} on={result === value} onClick={() => setResult(value)}>
              {t(label)}
            </Chip>
          ))}
          <FilterChip label={t('assets.time')} value={range} all="all" onValue={setRange} options={RANGES.map((value) => ({ value, label: t(`assets.range.${value}`) }))} />
        </Chips>
      </div>
      <ListState
        query={{ ...query, data: options }}
        rows={4}
        isEmpty={(data) => data.rows.length === 0 && (data.complete || !query.hasNextPage)}
        empty={<EmptyState icon={icons.history} title={t('options.noneSettled')} text={t(result === 'all' && range === 'all' ? 'options.noneSettledText' : 'orders.noneFiltered')} />}
        errorTitle={t('options.error')}
        errorText={t('options.errorText')}
      >
        {({ rows, complete }) => (
          <EndlessDays rows={rows} at={endOf} query={{ ...query, hasNextPage: query.hasNextPage && !complete }} pages={query.data?.pages.length ?? 0} heading={`lab t2 m ${css.day}`}>
            {(option) => <OptionRow option={option} at={endOf(option)} />}
          </EndlessDays>
        )}
      </ListState>
    </>
  );
}
