import { useTreasury } from '../../data/plans';
import { locale, t } from '../../lib/i18n';
import { href } from '../../lib/nav';
import { TextLink } from '../../ui/Button';
import { Card } from '../../ui/Layout';
import { CostLines } from '../../ui/Status';
import { exactly } from './text';

/** Who pays: the treasury of a coin, which sets aside everything promised before it is sold (P-1, I-6). */
export function Payer({ coin }: { coin: number | undefined }) {
  const treasury = useTreasury().data;
  const pool = treasury?.pools.find((one) => one.currency_id === coin);
  const count = new Intl.NumberFormat(locale());
  const money = (value: string) => exactly(value, pool?.currency_name ?? '');
  return (
    <Card>
      <h2 className="h3">{t('plans.payer.title')}</h2>
      <p className="lab t2">{t('plans.payer.text')}</p>
      {treasury && pool && (
        <>
          <CostLines
            lines={[
              { label: t('plans.payer.holds'), value: money(pool.balance) },
              { label: t('plans.payer.promised'), value: money(pool.reserve) },
              { label: t('plans.payer.free'), value: money(pool.free), total: true },
            ]}
          />
          <p className="cap t2 num">{t('plans.payer.from', { from: count.format(treasury.from), to: count.format(treasury.to) })}</p>
        </>
      )}
      <p className="lab">
        <TextLink href={href('settings/proof')}>{t('settings.checkUs')}</TextLink>
      </p>
    </Card>
  );
}
