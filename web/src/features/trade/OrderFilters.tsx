import { RANGES, type Range } from '../../lib/days';
import { t } from '../../lib/i18n';
import { Chip, Chips } from '../../ui/Choice';
import { FilterChip } from '../../ui/FilterChip';
import css from './OrderList.module.css';

interface Props<S extends string> {
  states: readonly { value: S; label: string }[];
  state: S | undefined;
  onState: (state: S | undefined) => void;
  coins: readonly string[];
  coin: string;
  onCoin: (coin: string) => void;
  range: Range;
  onRange: (range: Range) => void;
}

/** What orders of a product are shown: those of a state, of a coin, of the last days. */
export function OrderFilters<S extends string>({ states, state, onState, coins, coin, onCoin, range, onRange }: Props<S>) {
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
        <FilterChip label={t('assets.coin')} value={coin} all="" onValue={onCoin} options={[{ value: '', label: t('transfer.allCoins') }, ...coins.map((code) => ({ value: code, label: code }))]} />
        <FilterChip label={t('assets.time')} value={range} all="all" onValue={onRange} options={RANGES.map((value) => ({ value, label: t(`assets.range.${value}`) }))} />
      </Chips>
    </div>
  );
}
