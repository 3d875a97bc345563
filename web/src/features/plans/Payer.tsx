import { useTreasury } from '../../data/plans';
import { t } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { TextLink } from '../../ui/Button';
import { Card } from '../../ui/Layout';
import { CostLines } from '../../ui/Status';
import { exactly } from './text';

/** Who pays: the treasury of a coin, where all that is promised is set aside before it is sold (P-1, I-6). */
export function Payer({ coin }: { coin: number | undefined }) {
  const pool = useTreasury().data?.find((one) => one.currency_id === coin);
  const money = (value: string) => exactly(value, pool?.currency_name ?? '');
  return (
    <Card>
      <h2 className="h3">{t('plans.payer.title')}</h2>
      <p className="lab t2">{t('plans.payer.text')}</p>
      {pool && (
        <CostLines
          lines={[
            { label: t('plans.payer.holds'), value: money(pool.balance) },
            { label: t('plans.payer.promised'), value: money(pool.reserve) },
            { label: t('plans.payer.free'), value: money(pool.free), total: true },
          ]}
        />
      )}
      <p className="lab">
        <TextLink href={href('settings/proof')}>{t('settings.checkUs')}</TextLink>
      </p>
    </Card>
  );
}
