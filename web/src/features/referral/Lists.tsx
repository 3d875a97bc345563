import { t, useLocale } from '../../lib/i18n';
import { date, formatter } from '../../lib/time';
import { Endless } from '../../ui/Endless';
import { amountText, CoinDisc } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Row } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { StatusChip } from '../../ui/Status';
import { useInvitees, useRebates } from './api';
import { byFeeDay, dayStart } from './model';
import css from './Referral.module.css';

/** Members who joined with the code, under masked names. */
export function Friends() {
  const locale = useLocale();
  const query = useInvitees();
  const rows = query.data?.pages.flat();
  return (
    <ListState query={{ ...query, data: rows }} isEmpty={(data) => data.length === 0} empty={<EmptyState icon={icons.person} title={t('invite.friendsEmpty')} text={t('invite.friendsEmptyText')} />} errorTitle={t('invite.friendsError')}>
      {(data) => (
        <>
          {data.map((row) => (
            <Row
              key={row.id}
              lead={<Icon name={icons.person} size={20} />}
              title={row.account}
              sub={t('invite.joinedOn', { date: date(row.time_ms, locale) })}
              value={amountText({ value: row.rebate, code: 'USDT' }, locale)}
              valueSub={row.verified === 1 ? <StatusChip tone="done">{t('invite.verified')}</StatusChip> : <span className="t3">{t('invite.unverified')}</span>}
            />
          ))}
          <Endless query={query} pages={query.data?.pages.length ?? 0} end={t('invite.end')} />
        </>
      )}
    </ListState>
  );
}

const dayText = (day: string, locale: string) => {
  const at = dayStart(day);
  return at === undefined ? day : formatter(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(at);
};

/** The member's rebates by the day of the fees. */
export function Rebates() {
  const locale = useLocale();
  const query = useRebates();
  const rows = query.data?.pages.flat();
  return (
    <ListState query={{ ...query, data: rows }} isEmpty={(data) => data.length === 0} empty={<EmptyState icon="refresh" title={t('invite.rebatesEmpty')} text={t('invite.rebatesEmptyText')} />} errorTitle={t('invite.rebatesError')}>
      {(data) => (
        <>
          {byFeeDay(data).map(({ day, rows: ofDay }) => (
            <section key={day} className={css.day}>
              <h3 className="lab t2 m pad">{t('invite.feesOf', { date: dayText(day, locale) })}</h3>
              {ofDay.map((row) => (
                <Row
                  key={row.id}
                  lead={<CoinDisc code={row.currency_name} />}
                  title={t(row.level === 1 ? 'invite.level1' : 'invite.level2')}
                  sub={row.from_account_number === '*' ? t('invite.several') : row.from_account_number}
                  value={amountText({ value: row.value, code: row.currency_name, full: true }, locale)}
                />
              ))}
            </section>
          ))}
          <Endless query={query} pages={query.data?.pages.length ?? 0} end={t('invite.end')} />
        </>
      )}
    </ListState>
  );
}
