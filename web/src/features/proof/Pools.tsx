import { useState } from 'react';
import type { Pool } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { Button } from '../../ui/Button';
import { amountText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import { Card } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { CostLines } from '../../ui/Status';
import { usePools } from './api';
import { Figure, movesText } from './Figure';
import { countMoves, countOf, type Count, type Moves } from './recount';
import css from './Proof.module.css';

const isNothing = (value: string) => /^-?0(\.0*)?$/.test(value);

interface PoolHolding {
  name: string;
  of: Pick<Pool, 'currency_name' | 'balance' | 'free'>;
  bound: { label: string; value: string };
}

/** One coin of one house account: its balance, the bound part, and the free part. */
function Coin({ name, of, bound }: PoolHolding) {
  const locale = useLocale();
  const shown = (value: string) => amountText({ value, code: of.currency_name, full: true }, locale);
  const lines = [
    { label: t('proof.pools.balance'), value: shown(of.balance) },
    { label: bound.label, value: shown(bound.value) },
    { label: t('proof.pools.free'), value: shown(of.free), total: true },
  ];
  return (
    <details className={css.pool}>
      <summary>
        <span className="grow">
          {name} <span className="t2">{of.currency_name}</span>
        </span>
        <span className="num">{shown(of.balance)}</span>
        <Icon name="forward" size={18} />
      </summary>
      <CostLines lines={lines} />
    </details>
  );
}

/** Adds up every movement of the house on this phone and compares the sums with its balances. */
function Check() {
  const [count, setCount] = useState<Count<Moves>>();
  const run = async () => {
    setCount({ state: 'checking' });
    setCount(await countOf(countMoves));
  };
  return (
    <>
      <div role="status">
        <Figure count={count} good={movesText} unshown={t('proof.recount.figuresUnshown')} />
      </div>
      <Button wide loading={count?.state === 'checking'} onClick={() => void run()}>
        {t(count ? 'proof.again' : 'journal.check')}
      </Button>
    </>
  );
}

/** The balances of the house, with the log entries that they follow from. */
export function Pools() {
  const locale = useLocale();
  const query = usePools();
  const count = new Intl.NumberFormat(locale);
  return (
    <ListState query={query} rows={3} errorTitle={t('proof.pools.error')} errorText={t('proof.log.errorText')}>
      {({ pools, liquidity, from, to }) => (
        <Card>
          <p className="t2 lab">{t('proof.pools.text')}</p>
          {pools
            .filter(({ balance, reserve }) => !isNothing(balance) || !isNothing(reserve))
            .map((pool) => (
              <Coin key={`${pool.account} ${pool.currency_id}`} name={t(`proof.pools.${pool.account}`)} of={pool} bound={{ label: t('proof.pools.reserve'), value: pool.reserve }} />
            ))}
          {liquidity
            .filter(({ balance }) => !isNothing(balance))
            .map((coin) => (
              <Coin key={coin.currency_id} name={t('proof.pools.liquidity')} of={coin} bound={{ label: t('proof.pools.held'), value: coin.held }} />
            ))}
          <p className="cap t2 num">{t('proof.pools.from', { from: count.format(from), to: count.format(to) })}</p>
          <Check />
        </Card>
      )}
    </ListState>
  );
}
