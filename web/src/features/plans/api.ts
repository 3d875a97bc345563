import type { Plan, RedeemPreview } from '../../generated/api';
import { api } from '../../lib/http';
import { wire, type Amount } from '../../lib/money';
import type { Confirmed } from '../../lib/review';

/** What is sent, and the terms it was reviewed with. */
export interface Reviewed {
  plan: Plan;
  value: Amount;
  /** When all of it is back if it is bought today, ms: it is a day later once the day has turned. */
  until: number;
}

/** Buys a plan under the rule that was shown, and no other; refusals are shown by the sheet. */
export const buyPlan = ({ plan, value }: Confirmed<Reviewed>) => api.post('lh/deposit', { config_id: plan.id, amount: wire(value), agree: 1, rule: plan.rule }, { quiet: true, mask: true, kept: 'plan' });

/** Leaves a plan for what was shown: a higher deduction, on another day, is refused. */
export const redeemPlan = ({ id, cancel_fee }: Confirmed<RedeemPreview>) => api.post('lh/deposit/order/cancel', { id, max_fee: cancel_fee }, { quiet: true, mask: true, kept: 'redemption' });
