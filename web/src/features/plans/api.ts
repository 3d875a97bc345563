import type { Plan } from '../../generated/api';
import { api } from '../../lib/http';
import { wire, type Amount } from '../../lib/money';

/** Buys a plan under the rule that was shown, and no other; refusals are shown by the sheet. */
export const buyPlan = ({ id, rule }: Pick<Plan, 'id' | 'rule'>, amount: Amount) => api.post('lh/deposit', { config_id: id, amount: wire(amount), agree: 1, rule }, { quiet: true, mask: true, kept: 'plan' });

/** Leaves a plan for what was shown: a higher deduction, on another day, is refused. */
export const redeemPlan = (order: number, fee: string) => api.post('lh/deposit/order/cancel', { id: order, max_fee: fee }, { quiet: true, mask: true, kept: 'redemption' });
