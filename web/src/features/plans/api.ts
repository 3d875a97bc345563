import { api } from '../../lib/http';
import { wire, type Amount } from '../../lib/money';

/** Buys a plan; refusals are shown by the sheet. */
export const buyPlan = (plan: number, amount: Amount) => api.post('lh/deposit', { config_id: plan, amount: wire(amount), agree: 1 }, { quiet: true, mask: true, kept: 'plan' });

/** Leaves a plan for what was shown: a higher deduction, on another day, is refused. */
export const redeemPlan = (order: number, fee: string) => api.post('lh/deposit/order/cancel', { id: order, max_fee: fee }, { quiet: true, mask: true, kept: 'redemption' });
