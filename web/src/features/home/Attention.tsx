import { setAppearance, useAppearance, useHidden } from '../../data/appearance';
import { useProduct, useReach } from '../../data/config';
import { useWithdrawals } from '../../data/funding';
import { useHostings } from '../../data/plans';
import { useFollowPositions, usePositions } from '../../data/positions';
import { useUser } from '../../data/session';
import { usePrices } from '../../data/tickers';
import { useRunningLoans } from '../../data/total';
import type { Loan, WithdrawRow } from '../../generated/api';
import { useNow } from '../../lib/clock';
import { languageCode, t, useLocale } from '../../lib/i18n';
import { add, amount, cmp, formatPercent } from '../../lib/money';
import { href } from '../../lib/nav';
import { distanceOf, isNear } from '../../lib/position';
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

/** Of the open positions near liquidation, the nearest. One whose pair has no price is not known to be near. */
function useNear() {
  useFollowPositions();
  const open = usePositions(1, useReach()('lever/index')).data ?? [];
  const prices = usePrices([...new Set(open.map(({ symbol }) => symbol))]);
  const near = open.flatMap((position) => {
    const mark = prices.get(position.symbol);
    const distance = mark === undefined ? mark : distanceOf(position, amount(mark));
    return isNear(distance) ? { symbol: position.symbol, distance } : [];
  });
  return near.toSorted((a, b) => cmp(a.distance, b.distance))[0];
}

/**
 * At most one item that needs the member: a frozen account, an overdue or called loan, a position near liquidation, a rejected identity, a
 * withdrawal under review, a plan that pays out at the end of the day, once the price colours, then a missing fund password.
 */
export default function Attention() {
  const locale = useLocale();
  const asked = useAppearance((state) => state.asked);
  const user = useUser().data;
  const review = useWithdrawals(user !== undefined).data?.pages[0]?.data.find((row) => row.state === 'under_review');
  const plan = useHostings(useProduct('plan')).data?.find((order) => order.end_at_ms <= nextUtcDay(serverNow()));
  const { hidden } = useHidden();
  const loan = useRunningLoans().data?.find(({ status, margin_call: called }) => status === 5 || called === 1);
  const near = useNear();
  const asks = asksForColours(asked);
  const row =
    user && user.status !== 0 ? (
      <Row lead={<Icon name="lock" />} title={t('errors.E_ACCOUNT_FROZEN')} href={href('settings/security/index')} chevron />
    ) : loan ? (
      <Owed loan={loan} />
    ) : near ? (
      <Row lead={<Icon name="warn" />} title={t('home.near', { symbol: near.symbol, percent: formatPercent(near.distance, locale, { min: 2, max: 2 }) })} href={href('lever/index')} chevron />
    ) : user && (user.review_status === 3 || user.review_status2 === 3) ? (
      <Row lead={<Icon name={icons.shield} />} title={t('home.identityTitle')} sub={t('home.identityText')} href={href('verification/index')} chevron />
    ) : review ? (
      <Review row={review} />
    ) : plan ? (
      <Row
        lead={<Icon name="plans" />}
        title={t('home.planTitle')}
        sub={t('home.planText', { amount: hidden ? HIDDEN : amountText({ value: add(amount(plan.amount), amount(plan.total_interest)), code: plan.currency_name }, locale) })}
        href={href('finance/ordersPage')}
        chevron
      />
    ) : !asks && user?.fund_password === 2 ? (
      <Row lead={<Icon name={icons.key} />} title={t('home.fundTitle')} sub={t('home.fundText')} href={href('settings/security/changePayPassword')} chevron />
    ) : undefined;
  if (!row && !asks) return null;
  return (
    <div className={css.attention}>
      {row ? (
        <Card tight>
          <div className={css.flush}>{row}</div>
        </Card>
      ) : (
        <Colours />
      )}
    </div>
  );
}
