import type { SpotOrder } from '../../generated/api';
import { toast } from '../../ui/Toast';
import { cancelOrder } from './api';
import { freedText } from './text';

/** Cancels and says what is free again; the connection shows a refusal. */
export async function cancel(order: SpotOrder): Promise<void> {
  try {
    await cancelOrder(order.id);
    toast(freedText(order));
  } catch {
    // The refusal was shown.
  }
}
