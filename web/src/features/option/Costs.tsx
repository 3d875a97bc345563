import type { OptionDuration } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { cmp, formatPercent, sign, sub, type Amount } from '../../lib/money';
import { amountText } from '../../ui/Figures';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { CostLines } from '../../ui/Status';
import { payoutRate, quote, type Direction, type Record, type StakeCoin } from './model';
import { balanceText, bandText, costText, percentText, resultText } from './text';
import css from './Option.module.css';

interface Bet {
  direction: Direction;
  stake: Amount;
  duration: OptionDuration;
  coin: StakeCoin;
}

interface Props extends Bet {
  /** The present index; the purchase sets the open price. */
  price: string | null;
  available: Amount | undefined;
  record: Record | undefined;
}

/** The whole cost, above the button, so that it is visible without scrolling. */
export const Total = ({ direction, stake, duration, coin }: Bet) => (
  <CostLines lines={[{ label: t('options.payNow'), value: costText(quote(stake, payoutRate(duration, direction), coin.feeRate).cost, coin.code), total: true }]} />
);

/** The worst case first, the break-even rate, the member's own record, the costs: the same in form and review. */
export function Costs({ direction, stake, duration, coin, price, available, record }: Props) {
  const locale = useLocale();
  const { cost, gain, fee, payout, breakEven, coinToss } = quote(stake, payoutRate(duration, direction), coin.feeRate);
  const { code } = coin;
  // An even end is far rarer than one in two, so a coin toss does not describe it.
  const tossed = direction !== 0 && sign(coinToss) > 0;
  const width = price && bandText(price, duration.tolerance);
  const even = direction === 0 ? 'options.bandEven' : duration.tie_rule === 'refund' ? 'options.tieRefund' : 'options.tieLose';
  return (
    <div className={css.costs}>
      <OutcomeLine
        lose={{ label: t('explain.loseMost'), text: `\u2212${costText(cost, code)}`, amount: cost }}
        gain={{ label: t('options.ifRight'), text: resultText(gain, code), amount: gain }}
        note={
          <>
            <p>{t('options.breakEven', { percent: formatPercent(breakEven, locale, { kind: 'breakEven' }) })}</p>
            {record && record.rate && <p>{t('options.own', { right: record.right, count: record.count, percent: formatPercent(record.rate, locale, { max: 1 }) })}</p>}
            {tossed && <p>{t('options.toss', { cost: costText(coinToss, code) })}</p>}
          </>
        }
      />
      <CostLines
        lines={[
          { label: t('options.feeLine', { rate: percentText(coin.feeRate, 2) }), value: costText(fee, code) },
          { label: t('options.paidIfRight'), value: balanceText(payout, code) },
          ...(available && cmp(cost, available) <= 0 ? [{ label: t('options.leftAfter'), value: amountText({ value: sub(available, cost), code }, locale) }] : []),
        ]}
      />
      <p className="lab t2">{t(even, { band: width || '\u2014' })}</p>
    </div>
  );
}
