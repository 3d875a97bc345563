import { t, useLocale } from '../../lib/i18n';
import { replace } from '../../lib/nav';
import type { Amount } from '../../lib/money';
import { Segment } from '../../ui/Choice';
import { amountText, priceText } from '../../ui/Figures';
import { Screen } from '../../ui/Layout';
import { MenuButton } from '../../ui/menu';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { CostLines } from '../../ui/Status';
import { Explained } from './Explained';
import { longExample } from './model';
import css from './Explain.module.css';

const MARK = '100000';
const RISE = '105000';
const FALL = '95000';
const LOTS = 10n;
const MULTIPLE = 10n;

function Example() {
  const locale = useLocale();
  const { entry, value, margin, openFee, overnight, liquidation, lose, gain, closedAt, liquidated } = longExample(MARK, LOTS, MULTIPLE);
  const usdt = (money: Amount, kind: 'balance' | 'cost' = 'balance') => amountText({ value: money, code: 'USDT', kind }, locale);
  const result = (money: Amount) => amountText({ value: money, code: 'USDT', kind: 'result', signed: true }, locale);
  const price = (text: string) => priceText(text, 2, locale);
  return (
    <div className={css.example}>
      <h2 className="m">{t('explain.contract.example', { size: amountText({ value: '0.01', code: 'BTC' }, locale), multiple: String(MULTIPLE), price: price(MARK) })}</h2>
      <OutcomeLine
        lose={{ label: t('explain.loseMost'), text: usdt(lose, 'cost'), amount: lose }}
        gain={{ label: t('explain.gainMost'), text: usdt(gain), amount: gain }}
        note={t('explain.contract.worst', { price: amountText({ value: liquidation }, locale) })}
      />
      <CostLines
        lines={[
          { label: t('explain.contract.entry'), value: amountText({ value: entry }, locale) },
          { label: t('explain.contract.value'), value: usdt(value) },
          { label: t('explain.contract.margin'), value: usdt(margin, 'cost') },
          { label: t('explain.contract.openFee'), value: usdt(openFee, 'cost') },
          { label: t('explain.contract.overnight'), value: usdt(overnight, 'cost') },
          { label: t('explain.contract.liquidated', { price: amountText({ value: liquidation }, locale) }), value: result(liquidated) },
          { label: t('explain.contract.closed', { price: price(FALL) }), value: result(closedAt(FALL)) },
          { label: t('explain.contract.closed', { price: price(RISE) }), value: result(closedAt(RISE)) },
        ]}
      />
    </div>
  );
}

/** Leveraged contracts, explained; the second half of Trade. */
export default function Contracts() {
  useLocale();
  return (
    <Screen
      start={<MenuButton />}
      left
      title={
        <div className={css.switch}>
          <Segment
            label={t('tab.trade')}
            value="contracts"
            onValue={(value) => value === 'spot' && replace('trade/index')}
            options={[
              { value: 'spot', label: t('account.change') },
              { value: 'contracts', label: t('account.lever') },
            ]}
          />
        </div>
      }
    >
      <h1 className="vh">{t('account.lever')}</h1>
      <Explained
        absent={t('explain.contract.absent')}
        lead={t('explain.contract.lead')}
        example={<Example />}
        steps={['explain.contract.open', 'explain.contract.mark', 'explain.contract.liquidation', 'explain.contract.night', 'explain.contract.close']}
      />
    </Screen>
  );
}
