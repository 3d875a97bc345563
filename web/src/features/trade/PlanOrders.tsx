import { hostingState, useHostingPages } from '../../data/plans';
import { t, useLocale } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { ButtonLink } from '../../ui/Button';
import { EndlessDays } from '../../ui/Endless';
import { amountText, CoinDisc } from '../../ui/Figures';
import * as icons from '../../ui/icons';
import { Row } from '../../ui/Layout';
import { ListState, Plate } from '../../ui/ListState';

/** Plans among the orders, the newest first. */
export default function PlanOrders() {
  const locale = useLocale();
  const query = useHostingPages();
  return (
    <ListState
      query={{ ...query, data: query.data?.pages.flat() }}
      rows={6}
      isEmpty={(rows) => rows.length === 0}
      empty={
        <Plate icon={icons.list} title={t('assets.emptyTitle')} text={t('plans.mineText')}>
          <ButtonLink kind="commit" small href={href('finance/index')}>
            {t('plans.see')}
          </ButtonLink>
        </Plate>
      }
      errorTitle={t('plans.error')}
      errorText={t('assets.errorText')}
    >
      {(rows) => (
        <EndlessDays rows={rows} at={(order) => order.created_at_ms} query={query} pages={query.data?.pages.length ?? 0} heading="lab t2 m pad">
          {(order) => (
            <Row
              lead={<CoinDisc code={order.currency_name} />}
              title={t('plans.name', { code: order.currency_name, days: order.day })}
              sub={t(`plans.state.${hostingState(order)}`)}
              value={amountText({ value: order.amount, code: order.currency_name, full: true }, locale)}
              href={href('finance/ordersPage', { tab: hostingState(order) })}
              chevron
            />
          )}
        </EndlessDays>
      )}
    </ListState>
  );
}
