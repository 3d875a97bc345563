import { RANGES, type Range } from '../../lib/days';
import { t } from '../../lib/i18n';
import { Chip, Chips } from '../../ui/Choice';
import { FilterChip } from '../../ui/FilterChip';
import css from './OrderList.module.css';

const SUBJECTS = {
  coin: { label: 'assets.coin', any: 'transfer.allCoins' },
  pair: { label: 'trade.choosePair', any: 'orders.anyPair' },
} as const;

interface Props<S extends string | number> {
  states: readonly { value: S; label: string }[];
  state: S | undefined;
  onState: (state: S | undefined) => void;
  /** What orders are filtered by, and the choices. */
  of: keyof typeof SUBJECTS;
  names: readonly string[];
  /** Empty for any. */
  name: string;
  onName: (name: string) => void;
  range: Range;
  onRange: (range: Range) => void;
}

/** Filters orders of a product: by state, coin or pair, and recent days. */
export function OrderFilters<S extends string | number>({ states, state, onState, of, names, name, onName, range, onRange }: Props<S>) {
  return (
    <div className={css.filters}>
      <Chips label={t('orders.filter')}>
        <Chip on={state === undefined} onClick={() => onState(undefined)}>
          {t('orders.all')}
        </Chip>
        {states.map(({ value, label }) => (
          <Chip key={value} on={state === value} onClick={() => onState(value)}>
            {label}
          </Chip>
        ))}
      </Chips>
      <Chips label={t('orders.filter')}>
        <FilterChip label={t(SUBJECTS[of].label)} value={name} all="" onValue={onName} options={[{ value: '', label: t(SUBJECTS[of].any) }, ...names.map((one) => ({ value: one, label: one }))]} />
        <FilterChip label={t('assets.time')} value={range} all="all" onValue={onRange} options={RANGES.map((value) => ({ value, label: t(`assets.range.${value}`) }))} />
      </Chips>
    </div>
  );
}
