import { api } from '../../lib/http';
import { wire, type Amount } from '../../lib/money';
import type { Confirmed } from '../../lib/review';

/** What is sent; the worth of another coin moves with its price and is fixed by the server. */
export interface Reviewed {
  id: number;
  paid: Amount;
  coin: { id: number; name: string };
}
/** Pays for coins; it cannot be taken back. */
export const subscribe = ({ id, paid, coin }: Confirmed<Reviewed>) => api.post('lh/send/order', { config_id: id, amount: wire(paid), currency_id: coin.id }, { quiet: true, mask: true, kept: 'subscription' });
