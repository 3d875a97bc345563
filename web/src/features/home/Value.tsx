import { useState } from 'react';
import { toggleHidden, useHidden } from '../../data/appearance';
import { useWallet } from '../../data/balances';
import { t, useLocale, type Key } from '../../lib/i18n';
import { amount, formatPercent, isZero, rescale, sign } from '../../lib/money';
import { exists, href } from '../../lib/nav';
import { ButtonLink } from '../../ui/Button';
import { Periods } from '../../ui/Choice';
import { BigAmount, Result } from '../../ui/Figures';
import { Icon, type IconName } from '../../ui/Icon';
import { Card } from '../../ui/Layout';
import { Skeleton } from '../../ui/ListState';
import { Sparkline } from '../../ui/Sparkline';
import { chartValues, useValueHistory, type Range } from './api';
import { valueChange } from './model';
import css from './Home.module.css';

const SINCE: Record<Range, Key> = { '1d': 'home.since', '1w': 'home.sinceWeek', '1m': 'home.sinceMonth' };

function actions(sandbox: boolean): { path: string; icon: IconName; label: Key }[] {
  const all: { path: string; icon: IconName; label: Key }[] = [
    ...(sandbox ? [{ path: 'assets/deposit/index', icon: 'deposit' as const, label: 'home.paperMoney' as const }] : []),
    { path: 'assets/transfer/index', icon: 'transfer', label: 'home.transfer' },
    { path: 'index/orderlist', icon: 'list', label: 'home.orders' },
  ];
  return all.filter(({ path }) => exists(path));
}

/** Total value, its change and line, and what can be done with money. */
export function Value({ sandbox }: { sandbox: boolean }) {
  const locale = useLocale();
  const hidden = useHidden((state) => state.hidden);
  const [range, setRange] = useState<Range>('1d');
  const wallet = useWallet();
  const history = useValueHistory(range);
  const total = wallet.data?.total_usdt;
  const change = total && history.data ? valueChange(history.data.points, total, history.data.net_in_usdt) : null;
  const percent = change?.percent ? formatPercent(amount(change.percent), locale, { kind: 'result', min: 2, max: 2, sign: 'plus' }) : '';
  const empty = total !== undefined && isZero(amount(total));
  const offered = actions(sandbox);
  return (
    <>
      <div className="flex between">
        <div className="flex gap1 lab t2 m">
          {t('home.total')}
          <button type="button" className={css.eye} aria-label={t(hidden ? 'home.show' : 'home.hide')} onClick={toggleHidden}>
            <Icon name={hidden ? 'eyeOff' : 'eye'} size={18} />
          </button>
        </div>
        {history.data && (
          <div className={css.ranges}>
            <Periods
              label={t('home.range')}
              value={range}
              onValue={setRange}
              options={[
                { value: '1d', label: t('home.day') },
                { value: '1w', label: t('home.week') },
                { value: '1m', label: t('home.month') },
              ]}
            />
          </div>
        )}
      </div>
      {total === undefined && wallet.isPending ? <Skeleton width={220} height={46} /> : <BigAmount value={total} code="USDT" hidden={hidden} />}
      {wallet.isError && <p className="lab caution">{t('home.walletError')}</p>}
      {change && !hidden && (
        <div className="flex gap2 lab num">
          <Result value={rescale(change.value, 2, 'floor')} />
          {percent && <span className={['down', 't2', 'up'][sign(change.value) + 1]}>({percent})</span>}
          <span className="t3">{t(SINCE[range])}</span>
        </div>
      )}
      {!change && total !== undefined && <p className="lab t3">{t('home.estimate')}</p>}
      {history.data && history.data.points.length > 1 && !hidden && (
        <Sparkline className={css.line ?? ''} values={chartValues(history.data.points)} width={358} height={72} area label={t('home.lineLabel', { change: percent })} />
      )}
      {empty && sandbox && exists('assets/deposit/index') && (
        <div className={css.card}>
          <Card>
            <h2 className="h3">{t('home.addMoney')}</h2>
            <p className="lab t2">{t('home.addMoneyText')}</p>
            <div className={css.cardAction}>
              <ButtonLink kind="commit" wide href={href('assets/deposit/index')}>
                {t('home.paperMoney')}
              </ButtonLink>
            </div>
          </Card>
        </div>
      )}
      {offered.length > 0 && (
        <nav className={css.quick} aria-label={t('home.actions')}>
          {offered.map(({ path, icon, label }) => (
            <a key={path} href={href(path)}>
              <i>
                <Icon name={icon} />
              </i>
              {t(label)}
            </a>
          ))}
        </nav>
      )}
    </>
  );
}
