import { settledPosition } from '../../data/positions';
import type { Position } from '../../generated/api';
import { t } from '../../lib/i18n';
import { amount, sub } from '../../lib/money';
import { toast } from '../../ui/Toast';
import { cancelContract } from './api';
import { balance, quoteOf } from './text';

/** Cancels an order that waits and says what is free again; a refusal is shown by the connection. */
export async function cancel(position: Position): Promise<void> {
  try {
    const { data } = await cancelContract(position.id);
    settledPosition(data.position);
    toast(t('contracts.cancelled', { amount: balance(position.caution_money, quoteOf(position)) }));
  } catch {
    // The refusal was shown.
  }
}

/** What was won or lost with all fees: what came back, less the margin and the fee of opening. */
export function netOf(position: Position) {
  if (position.returned === null) return undefined;
  return sub(sub(amount(position.returned), amount(position.origin_caution_money)), amount(position.trade_fee));
}

