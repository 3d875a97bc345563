import { useState } from 'react';
import { toggleHidden, useHidden } from '../../data/appearance';
import { useAccounts, useWallet } from '../../data/balances';
import { useReach } from '../../data/config';
import { useTotal } from '../../data/total';
import { t, useLocale } from '../../lib/i18n';
import { formatPercent, isZero, type Amount } from '../../lib/money';
import { href } from '../../lib/nav';
import { dateTime } from '../../lib/time';
import { Button, ButtonLink } from '../../ui/Button';
import { Periods } from '../../ui/Choice';
import { amountText, BigAmount, Result } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card } from '../../ui/Layout';
import { Skeleton } from '../../ui/ListState';
import { QuickActions, type QuickAction } from '../../ui/QuickActions';
import { Sparkline } from '../../ui/Sparkline';
import { useValueHistory, type Range } from './api';
import { valueLine } from './model';
import css from './Home.module.css';

const actions = (sandbox: boolean, transfers: boolean, convert: boolean): QuickAction[] => [
  sandbox ? { path: 'assets/deposit/paper', icon: 'deposit', label: t('home.paperMoney') } : { path: 'assets/deposit/index', icon: 'deposit', label: t('assets.deposit') },
  { path: 'assets/withdraw/index', icon: 'withdraw', label: t('assets.withdraw') },
  ...(transfers ? [{ path: 'assets/transfer/index', icon: 'transfer' as const, label: t('home.transfer') }] : []),
  convert ? { path: 'assets/flashpair', icon: 'refresh', label: t('assets.convert') } : { path: 'index/orderlist', icon: icons.list, label: t('home.orders') },
];

const RANGES = [
  { value: '1d', label: 'trade.period.d1' },
  { value: '1w', label: 'trade.period.w1' },
  { value: '1m', label: 'trade.period.mo1' },
] as const;

/** The result of a range, and the line of the total with its start as a dashed line. */
function Line({ range, total, hidden }: { range: Range; total: Amount; hidden: boolean }) {
  const locale = useLocale();
  const query = useValueHistory(range);
  const line = query.data && valueLine(query.data, total);
  if (query.isError && !query.data) {
    return (
      <p className={`${css.missing} lab t2`}>
        {t('home.lineError')}
        <Button kind="text" small onClick={() => void query.refetch()}>
          {t('ui.tryAgain')}
        </Button>
      </p>
    );
  }
  // The same height as with the line, so that nothing moves when it loads.
  if (!line) {
    return (
      <>
        <p className={css.result}>{query.isPending && <Skeleton width={180} />}</p>
        <div className={css.plot} />
      </>
    );
  }
  const from = dateTime(line.from, locale);
  const text = (value: typeof line.low) => amountText({ value, code: 'USDT' }, locale);
  const label = hidden ? {} : { label: t('home.line', { from, to: dateTime(line.to, locale), low: text(line.low), high: text(line.high) }) };
  return (
    <>
      <p className={`${css.result} lab`}>
        <Result value={line.change} code="USDT" bare hidden={hidden} />
        {line.percent && !hidden && <span className="num t2">({formatPercent(line.percent, locale, { kind: 'result', min: 2, max: 2, sign: 'plus' })})</span>}
        <span className="t3 num">{t('home.since', { date: from })}</span>
      </p>
      <Sparkline values={line.values} width={358} height={72} area className={css.plot} {...label} />
    </>
  );
}

/** Total value, and the money actions. */
export function Value({ sandbox }: { sandbox: boolean }) {
  const hidden = useHidden((state) => state.hidden);
  const wallet = useWallet();
  const transfers = useAccounts().length > 1;
  const reach = useReach();
  const { all: total, shown } = useTotal();
  const [range, setRange] = useState<Range>('1d');
  const empty = total !== undefined && isZero(total);
  return (
    <>
      <div className="flex between">
        <div className="flex gap1 lab t2 m">
          {t('home.total')}
          <button type="button" className={css.eye} aria-label={t(hidden ? 'home.show' : 'home.hide')} onClick={toggleHidden}>
            <Icon name={hidden ? 'eyeOff' : 'eye'} size={18} />
          </button>
        </div>
        {!empty && <Periods label={t('trade.chart.period')} value={range} onValue={setRange} options={RANGES.map(({ value, label }) => ({ value, label: t(label) }))} />}
      </div>
      {total === undefined && wallet.isPending ? <Skeleton width={220} height={46} /> : <BigAmount value={shown} code="USDT" hidden={hidden} />}
      {wallet.isError && <p className="lab caution">{t('home.walletError')}</p>}
      {total !== undefined && !empty && <Line range={range} total={total} hidden={hidden} />}
      {empty && (
        <div className={css.card}>
          <Card>
            <h2 className="h3">{t('home.addMoney')}</h2>
            <p className="lab t2">{t(sandbox ? 'home.addMoneyText' : 'assets.emptyLive')}</p>
            <div className={css.cardAction}>
              <ButtonLink kind="commit" wide href={href(sandbox ? 'assets/deposit/paper' : 'assets/deposit/index')}>
                {t(sandbox ? 'home.paperMoney' : 'assets.deposit')}
              </ButtonLink>
            </div>
          </Card>
        </div>
      )}
      <QuickActions label={t('home.actions')} actions={actions(sandbox, transfers, reach('assets/flashpair'))} />
    </>
  );
}
