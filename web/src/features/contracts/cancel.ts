import { settledPosition } from '../../data/positions';
import type { Position } from '../../generated/api';
import { t } from '../../lib/i18n';
import { toast } from '../../ui/Toast';
import { quoteOf } from '../../ui/positionText';
import { cancelContract } from './api';
import { balance } from './text';

/** Cancels a waiting order and says what is free again; the connection shows a refusal. */
export async function cancel(position: Position): Promise<void> {
  try {
    const { data } = await cancelContract(position.id);
    settledPosition(data.position);
    toast(t('contracts.cancelled', { amount: balance(position.caution_money, quoteOf(position)) }));
  } catch {
    // The refusal was shown.
  }
}
