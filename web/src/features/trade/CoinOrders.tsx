import { useCommitments } from '../../data/coins';
import { commitmentState } from '../../lib/commitment';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { ButtonLink } from '../../ui/Button';
import { EndlessDays } from '../../ui/Endless';
import { amountText, CoinDisc } from '../../ui/Figures';
import * as icons from '../../ui/icons';
import { Row } from '../../ui/Layout';
import { ListState, Plate } from '../../ui/ListState';

/** Subscriptions among the orders, the newest first. */
export default function CoinOrders() {
  const locale = useLocale();
  const query = useCommitments();
  return (
    <ListState
      query={{ ...query, data: query.data?.pages.flatMap((page) => page.order_list) }}
      rows={6}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <Plate icon={icons.list} title={t('assets.emptyTitle')} text={t('coins.mineText')}>
          <ButtonLink kind="commit" small href={href('publication/index')}>
            {t('explain.newCoins')}
          </ButtonLink>
        </Plate>
      }
      errorTitle={t('coins.mineError')}
      errorText={t('assets.errorText')}
    >
      {(rows) => (
        <EndlessDays rows={rows} at={(row) => row.created_at_ms} query={query} pages={query.data?.pages.length ?? 0} heading="lab t2 m pad">
          {(row) => (
            <Row
              lead={<CoinDisc code={row.new_currency_name} />}
              title={row.new_currency_name}
              sub={t(`coins.mine.${commitmentState(row)}`)}
              value={amountText({ value: row.amount, code: row.currency_name, full: true }, locale)}
              href={href('publication/index', { tab: 'mine' })}
              chevron
            />
          )}
        </EndlessDays>
      )}
    </ListState>
  );
}
