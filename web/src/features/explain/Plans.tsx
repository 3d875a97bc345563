import { useHalves } from '../../data/config';
import { t, useLocale } from '../../lib/i18n';
import { amount, formatPercent, neg, type Amount } from '../../lib/money';
import { amountText } from '../../ui/Figures';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { PlansScreen } from '../../ui/PlansScreen';
import { CostLines } from '../../ui/Status';
import { Explained } from './Explained';
import { breakEvenDay, planExit, type Plan } from './model';
import css from './Explain.module.css';

const PLAN: Plan = { amount: '1000', days: 15, daily: '0.4', damage: '0.4' };

function Example() {
  const locale = useLocale();
  const worst = planExit(PLAN, 0);
  const stay = planExit(PLAN, PLAN.days);
  const usdt = (value: Amount, kind: 'balance' | 'cost' = 'balance') => amountText({ value, code: 'USDT', kind }, locale);
  const rate = (percent: string) => formatPercent(amount(percent), locale, { min: 2 });
  const lose = neg(worst.net);
  return (
    <div className={css.example}>
      <h2 className="m">
        {t('explain.plan.example', { amount: usdt(amount(PLAN.amount)), days: PLAN.days, daily: rate(PLAN.daily), damage: rate(PLAN.damage) })}
      </h2>
      <OutcomeLine
        lose={{ label: t('explain.plan.lose'), text: usdt(lose, 'cost'), amount: lose }}
        gain={{ label: t('explain.plan.gain', { days: PLAN.days }), text: usdt(stay.net), amount: stay.net }}
        note={t('explain.plan.breakEven', { day: breakEvenDay(PLAN) })}
      />
      <h3 className="lab t2 m">{t('explain.plan.back')}</h3>
      <CostLines
        lines={[
          ...[worst, planExit(PLAN, 5), planExit(PLAN, 14)].map(({ day, back }) => ({ label: t('explain.plan.leave', { day }), value: usdt(back) })),
          { label: t('explain.plan.stay', { days: PLAN.days }), value: usdt(stay.back) },
        ]}
      />
    </div>
  );
}

/** Locked plans, explained. */
export default function Plans() {
  useLocale();
  return (
    <PlansScreen half="finance/index" halves={useHalves()} title={t('tab.plans')}>
      <Explained
        absent={t('explain.plan.absent')}
        lead={t('explain.plan.lead')}
        example={<Example />}
        steps={['explain.plan.start', 'explain.plan.interest', 'explain.plan.early', 'explain.plan.end']}
      />
    </PlansScreen>
  );
}
