import { useState } from 'react';
import { useHidden } from '../../data/appearance';
import { useHalves } from '../../data/config';
import { refreshPlans, useHostings, usePlans, useTreasury } from '../../data/plans';
import { refresh } from '../../data/query';
import { useLoggedIn } from '../../data/session';
import type { Hosting, Plan } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { t, useLocale } from '../../lib/i18n';
import { amount, formatPercent, max, trim, type Amount } from '../../lib/money';
import { href } from '../../lib/nav';
import { serverNow } from '../../lib/time';
import { IconLink } from '../../ui/Button';
import { Chip, Chips } from '../../ui/Choice';
import { amountText, CoinDisc, HIDDEN } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card } from '../../ui/Layout';
import { ListState, EmptyState } from '../../ui/ListState';
import { OutcomeLine } from '../../ui/OutcomeLine';
import { PlansScreen } from '../../ui/PlansScreen';
import { Note } from '../../ui/Status';
import { useTotals } from './totals';
import { dayOf, isFull, rates, termsOf } from './model';
import { Payer } from './Payer';
import { balance, planName, rate, utcDay } from './text';
import css from './Plans.module.css';

/** The member's locked amount and interest so far in USDT, and the progress of the order that ends next. */
function Mine() {
  const locale = useLocale();
  const { hidden } = useHidden();
  useNow(60_000);
  const totals = useTotals();
  const running = useHostings().data ?? [];
  const next = running.reduce<Hosting | undefined>((first, one) => (!first || one.end_at_ms < first.end_at_ms ? one : first), undefined);
  if (!totals || !next) return null;
  const day = dayOf(next, serverNow());
  const money = (value: Amount | undefined) => (hidden ? HIDDEN : amountText({ value, code: 'USDT' }, locale));
  return (
    <a className={css.mine} href={href('finance/ordersPage')}>
      <span className="vh">{t('plans.mine')}</span>
      <Card tight>
        <div className={css.ends}>
          <div>
            <div className="cap t2">{running.length > 1 ? `${t('plans.hosting')} · ${t('plans.running', { count: running.length })}` : t('plans.hosting')}</div>
            <div className="h2 num">{money(totals.locked)}</div>
          </div>
          <div className="right">
            <div className="cap t2">{t('plans.earned')}</div>
            <div className="h2 num">{money(totals.earned)}</div>
          </div>
        </div>
        <div className={css.bar} aria-hidden="true">
          <i style={{ width: `${(day / next.day) * 100}%` }} />
        </div>
        <div className={`cap t2 num ${css.ends}`}>
          <span>{t('plans.day', { day, days: next.day })}</span>
          <span>{t('plans.next', { date: utcDay(next.end_at_ms) })}</span>
        </div>
      </Card>
    </a>
  );
}

function PlanCard({ plan, full, scale }: { plan: Plan; full: boolean; scale: Amount }) {
  const locale = useLocale();
  const { worst, best } = rates(termsOf(plan));
  const shown = (value: Amount, sign: string) => sign + formatPercent(value, locale, { kind: sign === '+' ? 'rate' : 'cost', min: 2, max: 2 });
  const body = (
    <>
      <div className={css.cardHead}>
        <CoinDisc code={plan.currency_name} />
        <div className="grow">
          <div className="b">{planName(plan)}</div>
          <div className="lab t2 num">{full ? t('plans.full') : t('plans.terms', { amount: balance(trim(amount(plan.save_min)), plan.currency_name), rate: rate(plan.day_percent) })}</div>
        </div>
        {!full && (
          <span className="t3 flex">
            <Icon name="forward" size={20} />
          </span>
        )}
      </div>
      <div className={css.mini}>
        <OutcomeLine
          lose={{ label: t('plans.leaveEarly'), text: shown(worst, '\u2212'), amount: worst }}
          gain={{ label: t('explain.plan.gain', { days: plan.day }), text: shown(best, '+'), amount: best }}
          full={scale}
        />
      </div>
    </>
  );
  return full ? (
    <div className={css.card}>{body}</div>
  ) : (
    <a className={css.card} href={href('finance/buyPage', { id: plan.id })}>
      {body}
    </a>
  );
}

function OnSale({ plans }: { plans: readonly Plan[] }) {
  useLocale();
  const coins = [...new Set(plans.map(({ currency_name: code }) => code))];
  const [picked, setPicked] = useState<string>();
  const code = picked ?? (coins.includes('USDT') ? 'USDT' : coins[0]);
  const pool = useTreasury().data?.pools.find(({ currency_name: name }) => name === code);
  const shown = plans.filter(({ currency_name: name }) => name === code).toSorted((a, b) => a.day - b.day);
  const scale = plans.map((plan) => rates(termsOf(plan))).reduce((most, { worst, best }) => max(most, max(worst, best)), amount('0.000001'));
  return (
    <>
      <div className={css.fixed}>
        <h2 className="h3">{t('plans.fixed')}</h2>
        {coins.length > 1 && (
          <Chips label={t('assets.coin')}>
            {coins.map((one) => (
              <Chip key={one} on={one === code} onClick={() => setPicked(one)}>
                {one}
              </Chip>
            ))}
          </Chips>
        )}
      </div>
      <div className={css.cards}>
        {shown.map((plan) => (
          <PlanCard key={plan.id} plan={plan} full={isFull(plan, pool && amount(pool.free))} scale={scale} />
        ))}
      </div>
      <Payer coin={shown[0]?.currency_id} />
    </>
  );
}

const readAll = () => Promise.all([refreshPlans(), refresh(['plans'])]);

/** Plans side by side: the cost of an early redemption and the interest of staying. */
export default function Plans() {
  useLocale();
  const loggedIn = useLoggedIn();
  const query = usePlans();
  const open = query.data?.filter(({ status }) => status === 1);
  return (
    <PlansScreen
      half="finance/index"
      halves={useHalves()}
      title={t('tab.plans')}
      onRefresh={readAll}
      end={
        <>
          <IconLink label={t('plans.rules')} href={href('finance/rulePage')}>
            <Icon name="info" />
          </IconLink>
          <IconLink label={t('plans.mine')} href={href('finance/ordersPage')}>
            <Icon name={icons.list} />
          </IconLink>
        </>
      }
    >
      <div className={css.page}>
        {loggedIn && <Mine />}
        <Note tone="caution">
          <b>{t('plans.noteTitle')}</b> {t('plans.note')}
        </Note>
        <ListState query={{ ...query, data: open }} isEmpty={(rows) => rows.length === 0} empty={<EmptyState icon="plans" title={t('plans.none')} text={t('plans.noneText')} />} errorTitle={t('plans.error')} errorText={t('assets.errorText')}>
          {(plans) => <OnSale plans={plans} />}
        </ListState>
      </div>
    </PlansScreen>
  );
}
