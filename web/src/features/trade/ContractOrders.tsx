import { useFollowPositions, usePositionPages } from '../../data/positions';
import { byDay } from '../../lib/days';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { date } from '../../lib/time';
import { ButtonLink } from '../../ui/Button';
import { Endless } from '../../ui/Endless';
import * as icons from '../../ui/icons';
import { ListState, Plate } from '../../ui/ListState';
import { PositionRow } from '../../ui/PositionRow';
import css from './OrderList.module.css';

/** Where each is to be seen in full. */
const TAB = { 0: 'waiting', 1: 'positions', 3: 'history', 4: 'history' } as const;

/** Contracts among the orders, the newest first. */
export default function ContractOrders() {
  const locale = useLocale();
  const query = usePositionPages();
  useFollowPositions();
  return (
    <ListState
      query={{ ...query, data: query.data?.pages.flat() }}
      rows={6}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <Plate icon={icons.list} title={t('contracts.nonePast')} text={t('contracts.noneOpenText')}>
          <ButtonLink kind="commit" small href={href('lever/index')}>
            {t('account.lever')}
          </ButtonLink>
        </Plate>
      }
      errorTitle={t('contracts.errorTitle')}
      errorText={t('contracts.errorText')}
    >
      {(rows) => {
        const oldest = rows.at(-1);
        return (
          <>
            {byDay(rows, (position) => position.create_time_ms).map(({ key, at, rows: ofDay }) => (
              <section key={key} className={css.day}>
                <h2 className="lab t2 m">{date(at, locale)}</h2>
                <ul>
                  {ofDay.map((position) => (
                    <li key={position.id}>
                      <PositionRow position={position} href={href('lever/index', { symbol: position.symbol, tab: TAB[position.status] })} />
                    </li>
                  ))}
                </ul>
              </section>
            ))}
            <Endless query={query} pages={query.data?.pages.length ?? 0} end={oldest && t('orders.end', { date: date(oldest.create_time_ms, locale) })} />
          </>
        );
      }}
    </ListState>
  );
}
