import { useHalves } from '../../data/config';
import { t, useLocale } from '../../lib/i18n';
import { amount, part, neg, type Amount } from '../../lib/money';
import { amountText, priceText } from '../../ui/Figures';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { PlansScreen } from '../../ui/PlansScreen';
import { CostLines } from '../../ui/Status';
import { Explained } from './Explained';
import { coinShare } from './spot';
import css from './Explain.module.css';

const TERMS = { paid: '100', price: '0.5', supply: '150', wanted: '300' };

function Example() {
  const locale = useLocale();
  const { coins, cost, refund } = coinShare(TERMS.paid, TERMS.price, TERMS.supply, TERMS.wanted);
  const paid = amount(TERMS.paid);
  const usdt = (value: Amount, kind: 'balance' | 'cost' = 'balance') => amountText({ value, code: 'USDT', kind }, locale);
  const loss = (value: Amount) => amountText({ value: neg(value), code: 'USDT', kind: 'result', signed: true }, locale);
  return (
    <div className={css.example}>
      <h2 className="m">{t('products.coin.example', { amount: usdt(paid), price: priceText(TERMS.price, 2, locale) })}</h2>
      <OutcomeLine
        lose={{ label: t('explain.loseMost'), text: usdt(paid, 'cost'), amount: paid }}
        gain={{ label: t('explain.gainMost'), text: t('products.coin.unlimited') }}
        note={t('products.coin.note')}
      />
      <CostLines
        lines={[
          { label: t('products.coin.coins'), value: amountText({ value: coins }, locale) },
          { label: t('products.coin.cost'), value: usdt(cost, 'cost') },
          { label: t('products.coin.refund'), value: usdt(refund) },
          { label: t('products.coin.worthless'), value: loss(cost) },
          { label: t('products.coin.half'), value: loss(part(cost, 50, 'up')) },
        ]}
      />
    </div>
  );
}

/** Subscription to new coins, explained. */
export default function NewCoins() {
  useLocale();
  return (
    <PlansScreen half="publication/index" halves={useHalves()} title={t('explain.newCoins')}>
      <Explained
        absent={t('products.coin.absent')}
        lead={t('products.coin.lead')}
        priced={false}
        example={<Example />}
        steps={['products.coin.commit', 'products.coin.share', 'products.coin.lock', 'products.coin.cancelled']}
      />
    </PlansScreen>
  );
}
