import { useHalves } from '../../data/config';
import { t, useLocale } from '../../lib/i18n';
import { amount, formatPercent, type Amount } from '../../lib/money';
import { amountText, priceText } from '../../ui/Figures';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { PlansScreen } from '../../ui/PlansScreen';
import { CostLines } from '../../ui/Status';
import { Explained } from './Explained';
import { loanDebt, loanSale, salePrice, type Loan } from './spot';
import css from './Explain.module.css';

const LOAN: Loan = { amount: '600', collateral: '0.01', days: 7, rate: '0.05' };
const INDEX = '100000';
/** What the collateral is worth at that index. */
const WORTH = amount('1000');
const SOLD_AT = '72000';

function Example() {
  const locale = useLocale();
  const debt = loanDebt(LOAN, 1);
  const { sold, back } = loanSale(LOAN, debt, SOLD_AT);
  const usdt = (value: Amount, kind: 'balance' | 'cost' = 'balance') => amountText({ value, code: 'USDT', kind }, locale);
  const btc = (value: Amount, kind: 'balance' | 'cost' = 'balance') => amountText({ value, code: 'BTC', kind }, locale);
  const price = (text: string) => priceText(text, 2, locale);
  const lent = amount(LOAN.amount);
  return (
    <div className={css.example}>
      <h2 className="m">
        {t('products.loan.example', { amount: usdt(lent), days: LOAN.days, collateral: btc(amount(LOAN.collateral)), rate: formatPercent(amount(LOAN.rate), locale, { min: 2 }), price: price(INDEX) })}
      </h2>
      <OutcomeLine
        lose={{ label: t('products.loan.lose'), text: usdt(WORTH, 'cost'), amount: WORTH }}
        gain={{ label: t('products.loan.keep'), text: usdt(lent), amount: lent }}
        note={t('products.loan.sale', { price: amountText({ value: salePrice(LOAN, debt) }, locale), debt: usdt(debt, 'cost') })}
      />
      <CostLines
        lines={[
          { label: t('products.loan.soldAt', { price: price(SOLD_AT) }), value: btc(sold, 'cost') },
          { label: t('products.loan.backAt', { price: price(SOLD_AT) }), value: btc(back) },
          { label: t('products.loan.late'), value: usdt(loanDebt(LOAN, LOAN.days + 1), 'cost') },
          { label: t('products.loan.onTime'), value: usdt(loanDebt(LOAN, LOAN.days), 'cost') },
        ]}
      />
    </div>
  );
}

/** Loans against collateral, explained. */
export default function Loans() {
  useLocale();
  return (
    <PlansScreen half="index/jied" halves={useHalves()} title={t('menu.loans')}>
      <Explained
        absent={t('products.loan.absent')}
        lead={t('products.loan.lead')}
        example={<Example />}
        steps={['products.loan.apply', 'products.loan.interest', 'products.loan.level', 'products.loan.overdue']}
      />
    </PlansScreen>
  );
}
