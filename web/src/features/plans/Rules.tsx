import { usePlans } from '../../data/plans';
import type { Plan } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount } from '../../lib/money';
import { Card, Screen } from '../../ui/Layout';
import { ListState } from '../../ui/ListState';
import { RichText } from '../../ui/RichText';
import { CostLines } from '../../ui/Status';
import { Outcome } from './BuyReview';
import { evenDay } from './formulas';
import { exitLines } from './Exit';
import { exitsOf, termsOf } from './model';
import { Payer } from './Payer';
import { balance, planName } from './text';
import css from './Plans.module.css';

const HOW = ['explain.plan.start', 'explain.plan.interest', 'explain.plan.early', 'explain.plan.end'] as const;
const RISKS = ['plans.risk.insured', 'plans.risk.less', 'plans.risk.locked', 'plans.risk.treasury'] as const;

/** 500 USDT in a plan on sale, redeemed on a day in its first third. */
function Example({ plan }: { plan: Plan }) {
  const value = amount('500.000000');
  const terms = termsOf(plan);
  const all = exitsOf(value, terms);
  const exit = all[Math.floor(plan.day / 3)];
  return (
    <Card>
      <h3 className="m">
        {planName(plan)}, {balance(value, plan.currency_name)}
      </h3>
      <Outcome plan={plan} value={value} />
      <p className="lab t2">{t('explain.plan.breakEven', { day: evenDay(all) })}</p>
      <h4 className="lab m">{exit && t('explain.plan.leave', { day: exit.days })}</h4>
      {exit && <CostLines lines={exitLines(exit, value, terms, plan.currency_name)} />}
    </Card>
  );
}

/** The rules of plans, a reading of two minutes. */
export default function Rules() {
  useLocale();
  const query = usePlans();
  return (
    <Screen title={t('plans.rules')}>
      <div className={css.rules}>
        <section>
          <h2 className="h3">{t('plans.how')}</h2>
          <ol className={css.steps}>
            {HOW.map((key) => (
              <li key={key}>{t(key)}</li>
            ))}
          </ol>
        </section>
        <ListState query={query} rows={4} errorTitle={t('plans.error')} errorText={t('assets.errorText')}>
          {(plans) => {
            const plan = plans.find(({ currency_name: code, day }) => code === 'USDT' && day === 15) ?? plans.find(({ currency_name: code }) => code === 'USDT');
            return (
              <div className={css.rules}>
                <section>
                  <h2 className="h3">{t('plans.early')}</h2>
                  {plan && <Example plan={plan} />}
                </section>
                <section>
                  <h2 className="h3">{t('plans.risks')}</h2>
                  <ul className={`${css.steps} ${css.list}`}>
                    {RISKS.map((key) => (
                      <li key={key}>{t(key)}</li>
                    ))}
                  </ul>
                </section>
                <Payer coin={plan?.currency_id} />
                {plans[0] && (
                  <section>
                    <h2 className="h3">{t('plans.agreement')}</h2>
                    <RichText html={plans[0].agreement} />
                    <p className="cap t3">{t('app.version', { version: plans[0].agreement_version })}</p>
                  </section>
                )}
              </div>
            );
          }}
        </ListState>
      </div>
    </Screen>
  );
}
