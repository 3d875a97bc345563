import { setAppearance, useAppearance, useHidden } from '../../data/appearance';
import { useProduct } from '../../data/config';
import { useWithdrawals } from '../../data/funding';
import { useHostings } from '../../data/plans';
import { useUser } from '../../data/session';
import { useRunningLoans } from '../../data/total';
import type { Loan, WithdrawRow } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { languageCode, t, useLocale } from '../../lib/i18n';
import { add, amount } from '../../lib/money';
import { href } from '../../lib/nav';
import type { Preset } from '../../lib/storage';
import { dateTime, nextUtcDay, serverNow } from '../../lib/time';
import { Button } from '../../ui/Button';
import { amountText, HIDDEN } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card, Row } from '../../ui/Layout';
import { presetName, SampleCandles, SampleChanges } from '../../ui/PriceColours';
import { asksForColours } from './model';
import css from './Home.module.css';

function Colours() {
  const code = languageCode();
  const usual: Preset = code === 'kr' ? 'red-blue' : 'red-green';
  const choose = (updown?: Preset) => setAppearance({ asked: true, ...(updown && { updown }) });
  return (
    <Card>
      <h2 className="m">{t('home.colourTitle')}</h2>
      <div className={css.colours}>
        {[usual, 'green-red' as const].map((preset) => (
          <button key={preset} type="button" className={css.preview} onClick={() => choose(preset)}>
            <SampleCandles preset={preset} hollow={false} />
            <span className="lab b">{presetName(preset)}</span>
            <SampleChanges preset={preset} />
          </button>
        ))}
      </div>
      <Button kind="text" small onClick={() => choose()}>
        {t('home.colourSkip')}
      </Button>
    </Card>
  );
}

/** A withdrawal under review, with the elapsed part of the promised time. */
function Review({ row }: { row: WithdrawRow }) {
  const locale = useLocale();
  useNow(60_000);
  const { hidden } = useHidden();
  const now = serverNow();
  const passed = Math.min(1, Math.max(0, (now - row.create_time_ms) / (row.expected_at_ms - row.create_time_ms)));
  const value = hidden ? HIDDEN : amountText({ value: row.number, code: row.name }, locale);
  return (
    <Row
      lead={
        <span className={css.ring}>
          <svg width="40" height="40" viewBox="0 0 40 40" fill="none" strokeWidth="3" aria-hidden="true">
            <circle cx="20" cy="20" r="17" stroke="var(--surface-3)" />
            <circle cx="20" cy="20" r="17" stroke="currentColor" strokeLinecap="round" pathLength="1" strokeDasharray={`${passed} 1`} transform="rotate(-90 20 20)" />
          </svg>
          <Icon name="withdraw" size={18} />
        </span>
      }
      title={t('home.reviewTitle')}
      sub={row.expected_at_ms > now ? t('home.reviewText', { amount: value, time: dateTime(row.expected_at_ms, locale) }) : value}
      href={href('assets/withdraw/detail', { id: row.id })}
      chevron
    />
  );
}

/** A loan that is overdue, or whose collateral is close to being sold. */
function Owed({ loan }: { loan: Loan }) {
  const locale = useLocale();
  const { hidden } = useHidden();
  const owed = hidden ? HIDDEN : amountText({ value: loan.debt, code: loan.currency_name, kind: 'cost' }, locale);
  return <Row lead={<Icon name="warn" />} title={t(loan.status === 5 ? 'home.loanOverdue' : 'home.loanCalled')} sub={t('home.loanText', { amount: owed })} href={href('index/jied', { id: loan.id })} chevron />;
}

/**
 * At most one item that needs the member: a frozen account, an overdue or called loan, a rejected identity, a withdrawal under review, a
 * plan that pays out at the end of the day, once the price colours, then a missing fund password.
 */
export default function Attention() {
  const locale = useLocale();
  const asked = useAppearance((state) => state.asked);
  const user = useUser().data;
  const review = useWithdrawals(user !== undefined).data?.pages[0]?.data.find((row) => row.state === 'under_review');
  const plan = useHostings(useProduct('plan')).data?.find((order) => order.end_at_ms <= nextUtcDay(serverNow()));
  const { hidden } = useHidden();
  const loan = useRunningLoans().data?.find(({ status, margin_call: called }) => status === 5 || called === 1);
  const card =
    user && user.status !== 0 ? (
      <Card tight>
        <div className={css.flush}>
          <Row lead={<Icon name="lock" />} title={t('errors.E_ACCOUNT_FROZEN')} href={href('settings/security/index')} chevron />
        </div>
      </Card>
    ) : loan ? (
      <Card tight>
        <div className={css.flush}>
          <Owed loan={loan} />
        </div>
      </Card>
    ) : user && (user.review_status === 3 || user.review_status2 === 3) ? (
      <Card tight>
        <div className={css.flush}>
          <Row lead={<Icon name={icons.shield} />} title={t('home.identityTitle')} sub={t('home.identityText')} href={href('verification/index')} chevron />
        </div>
      </Card>
    ) : review ? (
      <Card tight>
        <div className={css.flush}>
          <Review row={review} />
        </div>
      </Card>
    ) : plan ? (
      <Card tight>
        <div className={css.flush}>
          <Row
            lead={<Icon name="plans" />}
            title={t('home.planTitle')}
            sub={t('home.planText', { amount: hidden ? HIDDEN : amountText({ value: add(amount(plan.amount), amount(plan.total_interest)), code: plan.currency_name }, locale) })}
            href={href('finance/ordersPage')}
            chevron
          />
        </div>
      </Card>
    ) : asksForColours(asked) ? (
      <Colours />
    ) : user?.fund_password === 2 ? (
      <Card tight>
        <div className={css.flush}>
          <Row lead={<Icon name={icons.key} />} title={t('home.fundTitle')} sub={t('home.fundText')} href={href('settings/security/changePayPassword')} chevron />
        </div>
      </Card>
    ) : null;
  return card && <div className={css.attention}>{card}</div>;
}
