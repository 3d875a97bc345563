import { useTicker } from '../../data/tickers';
import type { OptionTerms } from '../../data/options';
import { t, useLocale } from '../../lib/i18n';
import { amount, formatPercent, neg, zero } from '../../lib/money';
import { href } from '../../lib/nav';
import { TextLink } from '../../ui/Button';
import { amountText } from '../../ui/Figures';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { CostLines } from '../../ui/Status';
import { quote } from './model';
import { bandText, costText, lengthText, percentText, resultText } from './text';
import css from './Option.module.css';

const STEPS = ['options.howOpen', 'options.howDelivery', 'options.howOutcome', 'options.howFinal'] as const;
const STAKE = amount('100.000000');
/** The rules' own figures, for a server that sells no options. */
const TERMS = { seconds: 60, payout: '70', fee: '0.5', tolerance: '0.005' };

/** Options in four steps, and an example whose loss comes first. */
export function How({ terms, symbol }: { terms?: OptionTerms | undefined; symbol: string }) {
  const locale = useLocale();
  const price = useTicker(symbol)?.index_price;
  const first = terms?.durations[0];
  const usdt = terms?.coins.find(({ name }) => name === 'USDT');
  const { seconds, payout, fee: feeRate, tolerance } = first && usdt ? { seconds: first.seconds, payout: first.profit_ratio, fee: usdt.micro_trade_fee, tolerance: first.tolerance } : TERMS;
  const { stake, fee, cost, gain, breakEven, coinToss } = quote(STAKE, payout, feeRate);
  return (
    <div className={css.how}>
      <p>
        {t('options.howLead')} <TextLink href={href('help-center')}>{t('help.title')}</TextLink>
      </p>
      <ol className={css.steps}>
        {STEPS.map((step) => (
          <li key={step}>{t(step)}</li>
        ))}
      </ol>
      {price && <p className="lab t2 num">{t('options.howBand', { band: bandText(price, tolerance), length: lengthText(seconds) })}</p>}
      <h3 className="m">{t('options.howExample', { stake: amountText({ value: stake, code: 'USDT' }, locale), length: lengthText(seconds), payout: percentText(payout), fee: percentText(feeRate) })}</h3>
      <OutcomeLine
        lose={{ label: t('explain.loseMost'), text: costText(cost, 'USDT'), amount: cost }}
        gain={{ label: t('explain.gainMost'), text: amountText({ value: gain, code: 'USDT' }, locale), amount: gain }}
        note={t('options.howBreakEven', { percent: formatPercent(breakEven, locale, { kind: 'breakEven' }), cost: costText(coinToss, 'USDT') })}
      />
      <CostLines
        lines={[
          { label: t('options.howWrong'), value: resultText(neg(cost), 'USDT') },
          { label: t('options.howRight'), value: resultText(gain, 'USDT') },
          { label: t('options.howEven'), value: resultText(neg(fee), 'USDT') },
          { label: t('options.howNoPrice'), value: resultText(zero(6), 'USDT') },
        ]}
      />
    </div>
  );
}
