import { useState } from 'react';
import type { Loan } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { refusalText } from '../../lib/refusal';
import { Button } from '../../ui/Button';
import { Sheet } from '../../ui/Sheet';
import { Note } from '../../ui/Status';
import { toast } from '../../ui/Toast';
import { cancelLoan, refreshLoans } from './api';
import { Detail } from './Detail';
import { useNewPeriods, type Step } from './LoanCard';
import { isRunning } from './model';
import { useAdd, useRepay, type Parts } from './Repay';
import { balanceText } from './text';
import css from './Loans.module.css';

interface Props {
  loan: Loan;
  open: boolean;
  step: Step;
  onStep: (step: Step) => void;
  onClose: () => void;
}

function useCancel(loan: Loan, onBack: () => void, onClose: () => void): Parts {
  const [state, setState] = useState<{ busy: boolean; error?: unknown }>({ busy: false });
  const held = balanceText(loan.collateral, loan.collateral_currency_name);
  const cancel = async () => {
    setState({ busy: true });
    try {
      await cancelLoan(loan.id);
      toast(t('loans.cancelled', { amount: held }));
      onClose();
      setState({ busy: false });
    } catch (error) {
      setState({ busy: false, error });
    }
    void refreshLoans();
  };
  return {
    title: t('loans.cancel'),
    onBack,
    gone: loan.status !== 1 && !state.busy,
    body: (
      <div className={css.stack}>
        <p>{t('loans.cancelAsk', { amount: held })}</p>
        {state.error !== undefined && (
          <div role="alert">
            <Note tone="danger">{refusalText(state.error)}</Note>
          </div>
        )}
      </div>
    ),
    footer: (
      <div className={css.buttons}>
        <Button onClick={onBack}>{t('loans.keepIt')}</Button>
        <Button kind="commit" loading={state.busy} onClick={() => void cancel()}>
          {t('loans.cancel')}
        </Button>
      </div>
    ),
  };
}

/** An action that was possible when the loan was opened, and no longer is. */
const over = (onBack: (() => void) | undefined, title: string): Parts => ({
  title,
  body: (
    <div role="alert">
      <Note tone="caution">{t('review.gone')}</Note>
    </div>
  ),
  footer: <Button onClick={onBack}>{t('loans.details')}</Button>,
});

/** One loan: its detail and its actions, in one sheet that changes in place. */
export function LoanSheet({ loan, open, step, onStep, onClose }: Props) {
  useLocale();
  useNewPeriods(loan);
  const back = () => onStep('detail');
  const props = { loan, onBack: back, onClose };
  const [repay, add, cancel] = [useRepay({ ...props, open: open && step === 'repay' }), useAdd({ ...props, open: open && step === 'add' }), useCancel(loan, back, onClose)];
  const detail: Parts = {
    title: t('loans.one'),
    body: <Detail loan={loan} />,
    footer: isRunning(loan) ? (
      <div className={css.buttons}>
        <Button kind="commit" onClick={() => onStep('repay')}>
          {t('loans.repay')}
        </Button>
        <Button onClick={() => onStep('add')}>{t('loans.add')}</Button>
      </div>
    ) : loan.status === 1 ? (
      <Button onClick={() => onStep('cancel')}>{t('loans.cancel')}</Button>
    ) : null,
  };
  const chosen = { detail, repay, add, cancel }[step];
  const parts = chosen.gone ? over(back, chosen.title) : chosen;
  return (
    <Sheet open={open} onClose={onClose} title={parts.title} onBack={parts.onBack} footer={parts.footer}>
      {parts.body}
    </Sheet>
  );
}
