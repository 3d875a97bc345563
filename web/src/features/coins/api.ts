import { api } from '../../lib/http';
import { wire, type Amount } from '../../lib/money';
import type { Confirmed } from '../../lib/review';

/** The request. The value of another coin moves with its price, and the server fixes it. */
export interface Reviewed {
  id: number;
  paid: Amount;
  coin: { id: number; name: string };
}
/** Pays for coins; this cannot be undone. */
export const subscribe = ({ id, paid, coin }: Confirmed<Reviewed>) => api.post('lh/send/order', { config_id: id, amount: wire(paid), currency_id: coin.id }, { quiet: true, mask: true, kept: 'subscription' });
