import { t, useLocale } from '../../lib/i18n';
import { amount, formatPercent, zero, type Amount } from '../../lib/money';
import { amountText } from '../../ui/Figures';
import { Screen } from '../../ui/Layout';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { CostLines } from '../../ui/Status';
import { Explained } from './Explained';
import { rebates } from './spot';
import css from './Explain.module.css';

const FEES = '10';

function Example() {
  const locale = useLocale();
  const { direct, second, total } = rebates(FEES, FEES);
  const usdt = (value: Amount) => amountText({ value, code: 'USDT' }, locale);
  const percent = (text: string) => formatPercent(amount(text), locale);
  const none = zero(6);
  return (
    <div className={css.example}>
      <h2 className="m">{t('products.invite.example', { fees: usdt(amount(FEES)) })}</h2>
      <OutcomeLine lose={{ label: t('products.invite.lose'), text: usdt(none), amount: none }} gain={{ label: t('products.invite.gain'), text: usdt(total), amount: total }} />
      <CostLines
        lines={[
          { label: t('products.invite.nothing'), value: usdt(none) },
          { label: t('products.invite.second', { percent: percent('5') }), value: usdt(second) },
          { label: t('products.invite.direct', { percent: percent('20') }), value: usdt(direct) },
        ]}
      />
    </div>
  );
}

/** The referral programme, explained. */
export default function Invite() {
  useLocale();
  return (
    <Screen title={t('menu.invite')}>
      <Explained
        absent={t('products.invite.absent')}
        lead={t('products.invite.lead')}
        priced={false}
        example={<Example />}
        steps={['products.invite.base', 'products.invite.day', 'products.invite.depth', 'products.invite.rank']}
      />
    </Screen>
  );
}
