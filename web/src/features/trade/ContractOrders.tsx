import { useFollowPositions, usePositionPages } from '../../data/positions';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { ButtonLink } from '../../ui/Button';
import { EndlessDays } from '../../ui/Endless';
import * as icons from '../../ui/icons';
import { ListState, EmptyState } from '../../ui/ListState';
import { PositionRow } from '../../ui/PositionRow';
import css from './OrderList.module.css';

/** Where each is to be seen in full. */
const TAB = { 0: 'waiting', 1: 'positions', 3: 'history', 4: 'history' } as const;

/** Contracts among the orders, the newest first. */
export default function ContractOrders() {
  useLocale();
  const query = usePositionPages();
  useFollowPositions();
  return (
    <ListState
      query={{ ...query, data: query.data?.pages.flat() }}
      rows={6}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <EmptyState icon={icons.list} title={t('contracts.nonePast')} text={t('contracts.noneOpenText')}>
          <ButtonLink kind="commit" small href={href('lever/index')}>
            {t('account.lever')}
          </ButtonLink>
        </EmptyState>
      }
      errorTitle={t('contracts.errorTitle')}
      errorText={t('contracts.errorText')}
    >
      {(rows) => (
        <EndlessDays rows={rows} at={(position) => position.create_time_ms} query={query} pages={query.data?.pages.length ?? 0} day={css.day}>
          {(position) => <PositionRow position={position} href={href('lever/index', { symbol: position.symbol, tab: TAB[position.status] })} />}
        </EndlessDays>
      )}
    </ListState>
  );
}
