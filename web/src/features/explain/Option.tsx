import { useTicker } from '../../data/tickers';
import { t, useLocale } from '../../lib/i18n';
import { amount, formatPercent, neg, zero } from '../../lib/money';
import { amountText } from '../../ui/Figures';
import { Screen } from '../../ui/Layout';
import { MenuButton } from '../../ui/menu';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { CostLines } from '../../ui/Status';
import { Explained } from './Explained';
import { evenBand, optionExample } from './model';
import css from './Explain.module.css';

const TERMS = { stake: '100', payout: '70', fee: '0.5', even: '0.005' };

function Band() {
  const locale = useLocale();
  const price = useTicker('BTC/USDT')?.index_price;
  if (!price) return null;
  const band = amountText({ value: evenBand(amount(price), TERMS.even) }, locale);
  return <p className={`lab t2 num ${css.under}`}>{t('explain.option.band', { band })}</p>;
}

function Example() {
  const locale = useLocale();
  const { stake, fee, lose, gain, breakEven, coinToss } = optionExample(TERMS.stake, TERMS.payout, TERMS.fee);
  const usdt = (value: typeof stake, kind: 'balance' | 'cost' = 'balance') => amountText({ value, code: 'USDT', kind }, locale);
  const result = (value: typeof stake) => amountText({ value, code: 'USDT', kind: 'result', signed: true }, locale);
  const percent = (text: string) => formatPercent(amount(text), locale);
  return (
    <div className={css.example}>
      <h2 className="m">{t('explain.option.example', { stake: usdt(stake), payout: percent(TERMS.payout), fee: percent(TERMS.fee) })}</h2>
      <OutcomeLine
        lose={{ label: t('explain.loseMost'), text: usdt(lose, 'cost'), amount: lose }}
        gain={{ label: t('explain.gainMost'), text: usdt(gain), amount: gain }}
        note={t('explain.option.breakEven', { percent: formatPercent(breakEven, locale, { kind: 'breakEven' }), cost: usdt(coinToss, 'cost') })}
      />
      <CostLines
        lines={[
          { label: t('explain.option.wrong'), value: result(neg(lose)) },
          { label: t('explain.option.right'), value: result(gain) },
          { label: t('explain.option.even'), value: result(neg(fee)) },
          { label: t('explain.option.noPrice'), value: result(zero(6)) },
        ]}
      />
    </div>
  );
}

/** Short-term options, explained. */
export default function Option() {
  useLocale();
  return (
    <Screen title={t('tab.option')} start={<MenuButton />} left>
      <Explained
        absent={t('explain.option.absent')}
        lead={t('explain.option.lead')}
        live={<Band />}
        example={<Example />}
        steps={['explain.option.open', 'explain.option.delivery', 'explain.option.outcome', 'explain.option.final']}
      />
    </Screen>
  );
}
