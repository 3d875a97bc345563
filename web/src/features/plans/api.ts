import type { Plan, RedeemPreview } from '../../generated/api';
import { api } from '../../lib/http';
import { wire, type Amount } from '../../lib/money';
import type { Confirmed } from '../../lib/review';

/** The request, and the terms it was reviewed with. */
export interface Reviewed {
  plan: Plan;
  value: Amount;
  /** When everything is back if bought today, ms; a day later once the day has changed. */
  until: number;
}

/** Buys a plan under the displayed rule and no other; the sheet shows refusals. */
export const buyPlan = ({ plan, value }: Confirmed<Reviewed>) => api.post('lh/deposit', { config_id: plan.id, amount: wire(value), agree: 1, rule: plan.rule }, { quiet: true, mask: true, kept: 'plan' });

/** Redeems a plan early on the displayed terms: a higher deduction, on another day, is refused. */
export const redeemPlan = ({ id, cancel_fee }: Confirmed<RedeemPreview>) => api.post('lh/deposit/order/cancel', { id, max_fee: cancel_fee }, { quiet: true, mask: true, kept: 'redemption' });
