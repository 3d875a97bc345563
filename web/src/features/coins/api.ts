import { api } from '../../lib/http';
import { wire, type Amount } from '../../lib/money';

/** Pays for coins; it cannot be taken back. */
export const subscribe = (offering: number, value: Amount, coin: number) => api.post('lh/send/order', { config_id: offering, amount: wire(value), currency_id: coin }, { quiet: true, mask: true, kept: 'subscription' });
