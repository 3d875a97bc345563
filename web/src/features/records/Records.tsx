import { useState } from 'react';
import { BANK, refreshFunding, useDeposits, useWithdrawals } from '../../data/funding';
import { useCoins } from '../../data/config';
import { byDay } from '../../lib/days';
import { t, useLocale } from '../../lib/i18n';
import { href, replace, usePlace } from '../../lib/nav';
import { clock, date } from '../../lib/time';
import { ButtonLink } from '../../ui/Button';
import { Chips, UnderlineTabs } from '../../ui/Choice';
import { Endless } from '../../ui/Endless';
import { amountText, CoinDisc } from '../../ui/Figures';
import { FilterChip } from '../../ui/FilterChip';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Row, Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { StatusChip } from '../../ui/Status';
import { DepositSheet } from './DepositSheet';
import { depositStatus, withdrawStatus, type Status } from './model';
import css from './Records.module.css';

type Tab = 'deposits' | 'withdrawals';

interface Line {
  id: number;
  name: string;
  currency: number;
  network: string;
  amount: string;
  at: number;
  status: Status;
  reason: string;
}

const lead = ({ currency, name }: Line) =>
  currency === BANK ? (
    <span className={css.bank}>
      <Icon name={icons.bank} />
    </span>
  ) : (
    <CoinDisc code={name} />
  );

function Lines({ lines, onOpen, link }: { lines: readonly Line[]; onOpen?: (id: number) => void; link?: (id: number) => string }) {
  const locale = useLocale();
  return byDay(lines, (line) => line.at).map((day) => (
    <section key={day.key}>
      <h2 className={`${css.day} lab t2 m`}>{date(day.at, locale)}</h2>
      {day.rows.map((line) => (
        <Row
          key={line.id}
          lead={lead(line)}
          title={[line.name, line.network].filter(Boolean).join(' ')}
          sub={
            <>
              {clock(line.at, locale)}
              {line.reason && <span className="danger"> {line.reason}</span>}
            </>
          }
          value={amountText({ value: line.amount, code: line.name, full: true }, locale)}
          valueSub={<StatusChip tone={line.status.tone}>{t(line.status.text)}</StatusChip>}
          {...(link ? { href: link(line.id) } : { onClick: () => onOpen?.(line.id) })}
        />
      ))}
    </section>
  ));
}

function Empty({ tab, filtered }: { tab: Tab; filtered: boolean }) {
  if (filtered) return <EmptyState icon="search" title={t('records.noneFits')} text={t('transfer.noneFitsText')} />;
  const deposits = tab === 'deposits';
  return (
    <EmptyState icon={deposits ? 'deposit' : 'withdraw'} title={t(deposits ? 'records.noDeposits' : 'records.noWithdrawals')} text={t(deposits ? 'records.noDepositsText' : 'records.noWithdrawalsText')}>
      <ButtonLink kind="commit" small href={href(deposits ? 'assets/deposit/index' : 'assets/withdraw/index')}>
        {t(deposits ? 'assets.deposit' : 'withdraw.plain')}
      </ButtonLink>
    </EmptyState>
  );
}

function Deposits({ coin }: { coin: number }) {
  const asked = usePlace().query.get('id');
  const [shown, setShown] = useState(asked);
  const query = useDeposits();
  const rows = query.data?.pages.flatMap((page) => page.data);
  const lines = rows
    ?.filter((row) => coin === 0 || row.currency === coin)
    .map((row): Line => ({ id: row.id, name: row.name, currency: row.currency, network: row.netType, amount: row.amount, at: row.created_at_ms, status: depositStatus(row), reason: row.status === 3 ? row.remark : '' }));
  const open = rows?.find((row) => String(row.id) === shown);
  return (
    <>
      <ListState query={{ ...query, data: lines }} isEmpty={(data) => data.length === 0 && !query.hasNextPage} empty={<Empty tab="deposits" filtered={coin !== 0} />} errorTitle={t('records.error')} errorText={t('assets.errorText')}>
        {(data) => (
          <>
            <Lines lines={data} onOpen={(id) => setShown(String(id))} />
            <Endless query={query} pages={query.data?.pages.length ?? 0} end={t('transfer.end')} />
          </>
        )}
      </ListState>
      <DepositSheet row={open} onClose={() => setShown(null)} />
    </>
  );
}

function Withdrawals({ coin }: { coin: number }) {
  const query = useWithdrawals();
  const lines = query.data?.pages
    .flatMap((page) => page.data)
    .filter((row) => coin === 0 || row.currency === coin)
    .map((row): Line => ({ id: row.id, name: row.name, currency: row.currency, network: row.netType, amount: row.number, at: row.create_time_ms, status: withdrawStatus(row), reason: row.reason }));
  return (
    <ListState query={{ ...query, data: lines }} isEmpty={(data) => data.length === 0 && !query.hasNextPage} empty={<Empty tab="withdrawals" filtered={coin !== 0} />} errorTitle={t('records.error')} errorText={t('assets.errorText')}>
      {(data) => (
        <>
          <Lines lines={data} link={(id) => href('assets/withdraw/detail', { id })} />
          <Endless query={query} pages={query.data?.pages.length ?? 0} end={t('transfer.end')} />
        </>
      )}
    </ListState>
  );
}

/** Deposits and withdrawals with their progress. */
export default function Records() {
  useLocale();
  const { query } = usePlace();
  const coins = useCoins().filter((coin) => coin.networks.length > 0);
  const tab: Tab = query.get('tab') === 'withdrawals' ? 'withdrawals' : 'deposits';
  const asked = query.get('coin');
  const coin = [...coins.map(({ id }) => id), BANK].find((id) => String(id) === asked) ?? 0;
  return (
    <Screen help title={t('records.title')} onRefresh={refreshFunding}>
      <div className={css.tabs}>
        <UnderlineTabs
          label={t('records.title')}
          value={tab}
          onValue={(next) => replace('assets/record', { tab: next })}
          options={[
            { value: 'deposits', label: t('records.deposits') },
            { value: 'withdrawals', label: t('records.withdrawals') },
          ]}
        />
      </div>
      <div className="pad">
        <Chips label={t('transfer.filters')}>
          <FilterChip
            label={t('transfer.coin')}
            value={coin}
            all={0}
            onValue={(id) => replace('assets/record', { tab, coin: id || undefined })}
            options={[{ value: 0, label: t('transfer.allCoins') }, ...coins.map(({ id, code }) => ({ value: id, label: code })), { value: BANK, label: t('deposit.bank') }]}
          />
        </Chips>
      </div>
      {tab === 'deposits' ? <Deposits coin={coin} /> : <Withdrawals coin={coin} />}
    </Screen>
  );
}
