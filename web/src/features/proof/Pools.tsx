import type { Pool } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amountText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import { Card } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { CostLines } from '../../ui/Status';
import { usePools } from './api';
import css from './Proof.module.css';

const isEmpty = ({ balance, reserve }: Pool) => /^-?0(\.0*)?$/.test(balance) && /^0(\.0*)?$/.test(reserve);

/** One coin of one house account: what is there, what is set aside, what is free. */
function Coin({ pool }: { pool: Pool }) {
  const locale = useLocale();
  const shown = (value: string) => amountText({ value, code: pool.currency_name, full: true }, locale);
  const lines = [
    { label: t('proof.pools.balance'), value: shown(pool.balance) },
    { label: t('proof.pools.reserve'), value: shown(pool.reserve) },
    { label: t('proof.pools.free'), value: shown(pool.free), total: true },
  ];
  return (
    <details className={css.pool}>
      <summary>
        <span className="grow">
          {t(`proof.pools.${pool.account}`)} <span className="t2">{pool.currency_name}</span>
        </span>
        <span className="num">{shown(pool.balance)}</span>
        <Icon name="forward" size={18} />
      </summary>
      <CostLines lines={lines} />
    </details>
  );
}

/** What the house holds, with the entries of the log that it follows from. */
export function Pools() {
  const locale = useLocale();
  const query = usePools();
  const count = new Intl.NumberFormat(locale);
  return (
    <ListState query={query} rows={3} errorTitle={t('proof.pools.error')} errorText={t('proof.log.errorText')}>
      {({ pools, from, to }) => (
        <Card>
          <p className="t2 lab">{t('proof.pools.text')}</p>
          {pools
            .filter((pool) => !isEmpty(pool))
            .map((pool) => (
              <Coin key={`${pool.account} ${pool.currency_id}`} pool={pool} />
            ))}
          <p className="cap t2 num">{t('proof.pools.from', { from: count.format(from), to: count.format(to) })}</p>
        </Card>
      )}
    </ListState>
  );
}
