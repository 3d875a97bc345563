import { useState } from 'react';
import { ACCOUNTS, isAccount, type Account } from '../../lib/wire';
import { useCoins } from '../../data/config';
import { byDay, RANGES, rangeStart, type Range } from '../../lib/days';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { clock, date, serverNow } from '../../lib/time';
import { ButtonLink } from '../../ui/Button';
import { Chips } from '../../ui/Choice';
import { Endless } from '../../ui/Endless';
import { amountText, CoinDisc } from '../../ui/Figures';
import { FilterChip } from '../../ui/FilterChip';
import { Row, Screen } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { refreshRecord, useRecord } from './api';
import { filterRecord } from './model';
import css from './Transfer.module.css';

const nameOf = (word: string) => (isAccount(word) ? t(`account.${word}`) : word);

/** Every transfer between own accounts. */
export default function Record() {
  const locale = useLocale();
  const coins = useCoins();
  const [account, setAccount] = useState<Account | 'all'>('all');
  const [coin, setCoin] = useState(0);
  const [range, setRange] = useState<Range>('all');
  const record = useRecord();
  const rows = record.data?.pages.flatMap((page) => page.data);
  const found = rows && filterRecord(rows, { account, coin, from: rangeStart(range, serverNow()) });
  const filtered = account !== 'all' || coin !== 0 || range !== 'all';
  return (
    <Screen help title={t('transfer.record')} onRefresh={refreshRecord}>
      <div className="pad">
        <Chips label={t('transfer.filters')}>
          <FilterChip
            label={t('transfer.account')}
            value={account}
            all="all"
            onValue={setAccount}
            options={[{ value: 'all', label: t('transfer.allAccounts') }, ...ACCOUNTS.map((value) => ({ value, label: t(`account.${value}`) }))]}
          />
          <FilterChip label={t('transfer.coin')} value={coin} all={0} onValue={setCoin} options={[{ value: 0, label: t('transfer.allCoins') }, ...coins.map(({ id, code }) => ({ value: id, label: code }))]} />
          <FilterChip label={t('transfer.time')} value={range} all="all" onValue={setRange} options={RANGES.map((value) => ({ value, label: t(`transfer.range.${value}`) }))} />
        </Chips>
      </div>
      <ListState
        query={{ ...record, data: found }}
        isEmpty={(data) => data.rows.length === 0 && (data.complete || !record.hasNextPage)}
        empty={
          <EmptyState icon="transfer" title={t(filtered ? 'transfer.noneFits' : 'transfer.none')} text={t(filtered ? 'transfer.noneFitsText' : 'transfer.noneText')}>
            {!filtered && (
              <ButtonLink kind="commit" small href={href('assets/transfer/index')}>
                {t('transfer.title')}
              </ButtonLink>
            )}
          </EmptyState>
        }
        errorTitle={t('transfer.recordError')}
        errorText={t('transfer.errorText')}
      >
        {(data) => (
          <>
            {byDay(data.rows, (row) => row.created_time_ms).map((day) => (
              <section key={day.key}>
                <h2 className={`${css.day} lab t2 m`}>{date(day.at, locale)}</h2>
                {day.rows.map((row) => (
                  <Row
                    key={row.id}
                    lead={<CoinDisc code={row.currency_name} />}
                    title={<span className="m">{t('transfer.path', { from: nameOf(row.from_field), to: nameOf(row.to_field) })}</span>}
                    sub={clock(row.created_time_ms, locale, true)}
                    value={amountText({ value: row.value, code: row.currency_name, full: true }, locale)}
                  />
                ))}
              </section>
            ))}
            <Endless query={{ ...record, hasNextPage: record.hasNextPage && !data.complete }} pages={record.data?.pages.length ?? 0} end={t('transfer.end')} />
          </>
        )}
      </ListState>
    </Screen>
  );
}
