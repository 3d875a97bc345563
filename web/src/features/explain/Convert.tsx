import { t, useLocale } from '../../lib/i18n';
import { amount, sub, type Amount } from '../../lib/money';
import { amountText, priceText } from '../../ui/Figures';
import { Screen } from '../../ui/Layout';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { CostLines } from '../../ui/Status';
import { Explained } from './Explained';
import { conversion } from './spot';
import css from './Explain.module.css';

/** F-4: a rate that moved by more than 1 % is void. */
const TERMS = { paid: '1000', index: '100000', lowest: '99000', highest: '101000' };

function Example() {
  const locale = useLocale();
  const { gross, fee, net, worthAt } = conversion(TERMS.paid, TERMS.index);
  const paid = amount(TERMS.paid);
  const [lose, gain] = [sub(paid, worthAt(TERMS.lowest)), sub(worthAt(TERMS.highest), paid)];
  const usdt = (value: Amount, kind: 'balance' | 'cost' = 'balance') => amountText({ value, code: 'USDT', kind }, locale);
  const btc = (value: Amount, kind: 'balance' | 'cost' = 'balance') => amountText({ value, code: 'BTC', kind, full: true }, locale);
  return (
    <div className={css.example}>
      <h2 className="m">{t('products.convert.example', { amount: usdt(paid), price: priceText(TERMS.index, 2, locale) })}</h2>
      <OutcomeLine
        lose={{ label: t('explain.loseMost'), text: usdt(lose, 'cost'), amount: lose }}
        gain={{ label: t('explain.gainMost'), text: usdt(gain), amount: gain }}
        note={t('products.convert.note', { cost: usdt(sub(paid, worthAt(TERMS.index)), 'cost') })}
      />
      <CostLines
        lines={[
          { label: t('products.convert.gross'), value: btc(gross) },
          { label: t('products.convert.fee'), value: btc(fee, 'cost') },
          { label: t('products.convert.net'), value: btc(net) },
          { label: t('products.convert.worth'), value: usdt(worthAt(TERMS.index)) },
        ]}
      />
    </div>
  );
}

/** Exchange of one coin for another, explained. */
export default function Convert() {
  useLocale();
  return (
    <Screen title={t('products.convert.title')}>
      <Explained
        absent={t('products.convert.absent')}
        lead={t('products.convert.lead')}
        example={<Example />}
        steps={['products.convert.quote', 'products.convert.firm', 'products.convert.void', 'products.convert.limits']}
      />
    </Screen>
  );
}
