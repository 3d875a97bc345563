import { useEffect, useRef } from 'react';
import { useNow } from '../../lib/clock';
import { useCoins } from '../../data/config';
import { useTicker } from '../../data/tickers';
import type { Loan } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { serverNow } from '../../lib/time';
import { Button } from '../../ui/Button';
import { Card } from '../../ui/Layout';
import { Note, StatusChip } from '../../ui/Status';
import { refreshLoans } from './api';
import { LtvLine } from './LtvLine';
import { daysLeft, healthOf, isRunning, periodOf, termsOf, type Health, type Sides } from './model';
import { balanceText, costText, dayText, levelText, instantText, stateText, TONES } from './text';
import css from './Loans.module.css';

/** The health of a loan at the present price, by its own terms. */
export function useHealth(loan: Loan): { health: Health | undefined; sides: Sides | undefined; price: string | undefined } {
  const coins = useCoins();
  const [lent, coin] = [coins.find(({ id }) => id === loan.currency_id), coins.find(({ id }) => id === loan.collateral_currency_id)];
  const pair = useTicker(lent && coin ? `${coin.code}/${lent.code}` : '');
  const price = pair?.index_price ?? undefined;
  const sides = lent && coin ? { lent, coin } : undefined;
  return { health: sides && healthOf(loan, sides, termsOf(loan), price), sides, price };
}

const HOUR = 3_600_000;

/** What a loan needs the member to do; nothing while all is well. */
export function Warning({ loan, health }: { loan: Loan; health: Health | undefined }) {
  if (loan.status === 5) {
    const until = loan.end_at_ms === null ? null : loan.end_at_ms + loan.grace_hours * HOUR;
    return <Note tone="danger">{t('loans.overdueText', { date: instantText(until) })}</Note>;
  }
  const called = loan.margin_call === 1 || (health?.level !== undefined && health.level !== 'ok');
  return called && isRunning(loan) ? <Note tone="caution">{t('loans.calledText', { price: levelText(health?.salePrice) })}</Note> : null;
}

export function leftText(loan: Loan): string {
  if (loan.end_at_ms === null) return '';
  const days = daysLeft(loan);
  return days < 0 ? t('loans.overdueBy', { days: -days }) : t('loans.daysLeft', { days });
}

/** Each period adds to the debt when it begins, so the loan is read again then, also if the clock jumps. */
export function useNewPeriods(loan: Loan): void {
  useNow();
  const period = periodOf(loan, serverNow());
  const known = useRef(period);
  useEffect(() => {
    if (known.current !== period) void refreshLoans();
    known.current = period;
  }, [period]);
}

export type Step = 'detail' | 'repay' | 'add' | 'cancel';

/** A waiting or running loan: its debt, its state, and its actions. */
export function LoanCard({ loan, onOpen }: { loan: Loan; onOpen: (step: Step) => void }) {
  useLocale();
  useNewPeriods(loan);
  const { health } = useHealth(loan);
  const running = isRunning(loan);
  return (
    <Card>
      <div className={css.card}>
        <div className={css.top}>
          <div>
            <div className="lab t2">{running ? t('loans.owed') : t('loans.one')}</div>
            <div className={`${css.owed} num`}>{running ? costText(loan.debt, loan.currency_name) : balanceText(loan.amount, loan.currency_name)}</div>
          </div>
          <StatusChip tone={TONES[loan.status] ?? 'info'}>{stateText(loan)}</StatusChip>
        </div>
        {running && (
          <>
            <p className="lab t2 num">
              {t('loans.due', { date: dayText(loan.end_at_ms) })}. {leftText(loan)}
            </p>
            <LtvLine ltv={health?.ltv} marks={loan} />
            <p className="lab t2 num">
              {t('loans.salePrice')} {levelText(health?.salePrice)}
            </p>
            <Warning loan={loan} health={health} />
          </>
        )}
        <div className={css.buttons}>
          {running && <Button kind="commit" small onClick={() => onOpen('repay')}>{t('loans.repay')}</Button>}
          {running && <Button small onClick={() => onOpen('add')}>{t('loans.add')}</Button>}
          {loan.status === 1 && <Button small onClick={() => onOpen('cancel')}>{t('loans.cancel')}</Button>}
          <Button kind="text" small onClick={() => onOpen('detail')}>
            {t('loans.details')}
          </Button>
        </div>
      </div>
    </Card>
  );
}
