import type { Stat } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amountText } from '../../ui/Figures';
import { Card } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { CostLines } from '../../ui/Status';
import { useStats } from './api';

const isMoney = ({ name }: Stat) => name === 'spot_volume_24h' || name === 'option_payouts_24h';

/** Figures of the last day and month, each with the log entries that it follows from. */
export function Stats() {
  const locale = useLocale();
  const count = new Intl.NumberFormat(locale);
  const query = useStats();
  const lines = (stats: readonly Stat[]) =>
    stats.map((stat) => ({
      label: (
        <>
          {t(`proof.stats.${stat.name}`)}
          <br />
          <span className="cap t3 num">{t('proof.pools.from', { from: count.format(stat.from_seq), to: count.format(stat.to_seq) })}</span>
        </>
      ),
      value: amountText({ value: stat.value, code: isMoney(stat) ? 'USDT' : '' }, locale),
    }));
  return (
    <ListState
      query={query}
      rows={3}
      isEmpty={(stats) => stats.length === 0}
      empty={<EmptyState icon="info" title={t('proof.stats.empty')} />}
      errorTitle={t('proof.stats.error')}
      errorText={t('proof.log.errorText')}
    >
      {(stats) => (
        <Card>
          <CostLines lines={lines(stats)} />
        </Card>
      )}
    </ListState>
  );
}
