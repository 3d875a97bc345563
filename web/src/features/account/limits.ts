import type { SelfLimits } from '../../generated/api';
import { amount, cmp } from '../../lib/money';

export type NumberLimit = 'option_stake_day' | 'loss_day' | 'leverage_max';
export type Limit = NumberLimit | 'pause_until_ms';

/** The value in force; null is no limit. */
export const valueOf = (limits: SelfLimits, field: Limit): string | null => (limits[field] === null ? null : String(limits[field]));

/** A looser value that is not in force yet. */
export const pendingOf = (limits: SelfLimits, field: Limit) => limits.pending.find((one) => one.field === field);

/** Whether a new value is tighter or looser: a smaller number and a later end are tighter, and no limit is loosest. */
export function direction(field: Limit, before: string | null, after: string | null): 'same' | 'tighter' | 'looser' {
  if (before === null || after === null) return before === after ? 'same' : before === null ? 'tighter' : 'looser';
  const order = cmp(amount(after), amount(before)) * (field === 'pause_until_ms' ? -1 : 1);
  return order === 0 ? 'same' : order < 0 ? 'tighter' : 'looser';
}
