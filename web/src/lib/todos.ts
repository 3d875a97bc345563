import type { UserCenter } from '../generated/api';

export type Todo = 'fund' | 'totp';
/** What would protect the account better, most important first. */
export function todos(user: Pick<UserCenter, 'fund_password' | 'totp'>): Todo[] {
  return [...(user.fund_password === 2 ? (['fund'] as const) : []), ...(user.totp ? [] : (['totp'] as const))];
}
