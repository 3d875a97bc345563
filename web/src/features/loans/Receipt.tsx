import type { Loan } from '../../generated/api';
import { t } from '../../lib/i18n';
import { ReceiptNumber } from '../../ui/ReceiptNumber';
import { balanceText, stateText } from './text';

/** The number of a loan, wherever it is shown; `what` names the action. */
export function LoanNumber({ loan, what }: { loan: Loan; what?: string }) {
  const share = [t('loans.title', { amount: balanceText(loan.amount, loan.currency_name) }), what ?? stateText(loan)];
  return <ReceiptNumber id={loan.id} of="loan" label={t('loans.number')} copy={t('loans.copyNumber')} share={share} />;
}
