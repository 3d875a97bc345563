import type { Loan } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount, sign } from '../../lib/money';
import { stamp } from '../../lib/time';
import { CostLines, StatusChip, type CostLine } from '../../ui/Status';
import { useHealth, Warning } from './LoanCard';
import { LtvLine } from './LtvLine';
import { isRunning } from './model';
import { LoanNumber } from './Receipt';
import { balanceText, costText, lateRateText, levelText, percentText, stateText, TONES } from './text';
import css from './Loans.module.css';

const more = (text: string | null) => text !== null && sign(amount(text)) > 0;

function lines(loan: Loan, locale: string): CostLine[] {
  const { currency_name: code, collateral_currency_name: coin } = loan;
  const all: (CostLine | false)[] = [
    { label: t('loans.principal'), value: balanceText(loan.amount, code) },
    loan.status !== 1 && loan.status !== 4 && { label: t('loans.outstanding'), value: costText(loan.outstanding, code) },
    isRunning(loan) && { label: t('loans.interestDue'), value: costText(loan.interest_due, code) },
    more(loan.penalty_due) && { label: t('loans.penaltyDue'), value: costText(loan.penalty_due, code) },
    more(loan.paid) && { label: t('loans.paid'), value: balanceText(loan.paid, code) },
    { label: t('loans.rate'), value: loan.status === 5 ? lateRateText(loan) : percentText(loan.interest_rate) },
    more(loan.collateral) && { label: t('loans.frozenCollateral'), value: balanceText(loan.collateral, coin) },
    loan.sold !== null && more(loan.sold) && { label: t('loans.sold'), value: costText(loan.sold, coin) },
    ...(loan.sale
      ? [
          { label: t('loans.soldAt'), value: levelText(amount(loan.sale.price)) },
          { label: t('loans.soldFor'), value: costText(loan.sale.debt, code) },
          { label: t('loans.saleFee'), value: `${costText(loan.sale.fee, code)} (${percentText(loan.liquidation_fee)})` },
          { label: t('loans.cameBack'), value: balanceText(loan.sale.returned, coin) },
        ]
      : []),
    { label: t('loans.appliedAt'), value: stamp(loan.created_at_ms, locale) },
    loan.start_at_ms !== null && { label: t('loans.startAt'), value: stamp(loan.start_at_ms, locale) },
    loan.end_at_ms !== null && { label: t('loans.dueAt'), value: stamp(loan.end_at_ms, locale) },
    loan.finished_at_ms !== null && { label: t('loans.endedAt'), value: stamp(loan.finished_at_ms, locale) },
    isRunning(loan) && { label: t('loans.owed'), value: costText(loan.debt, code), total: true },
  ];
  return all.filter((line): line is CostLine => Boolean(line));
}

/** All details of a loan: its state, and once it has ended, how and why. */
export function Detail({ loan }: { loan: Loan }) {
  const locale = useLocale();
  const { health } = useHealth(loan);
  return (
    <div className={css.stack}>
      <div className={css.result}>
        <StatusChip tone={TONES[loan.status] ?? 'info'}>{stateText(loan)}</StatusChip>
        {loan.reason && <p className="t2">{t(`loans.reason.${loan.reason}`)}</p>}
        {loan.note && (
          <p className="lab">
            {t('loans.note')}: {loan.note}
          </p>
        )}
        {loan.status === 1 && <p className="t2">{t('loans.appliedText')}</p>}
      </div>
      {isRunning(loan) && (
        <>
          <Warning loan={loan} health={health} />
          <LtvLine ltv={health?.ltv} marks={loan} />
          <CostLines
            lines={[
              { label: t('loans.salePrice'), value: <span className="caution">{levelText(health?.salePrice)}</span> },
              { label: t('loans.callPrice'), value: levelText(health?.callPrice) },
            ]}
          />
        </>
      )}
      <CostLines lines={lines(loan, locale)} />
      <LoanNumber loan={loan} />
    </div>
  );
}
