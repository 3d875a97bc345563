import { CATALOG_KINDS, type QueueKind } from '../api';

/** Every word of the audit log for what was done, in the order of the filter. */
export const ACTIONS: readonly string[] =
  'view search approve reject refused confirm cancel release enter sent freeze pause reply save delete end_sessions propose propose_launch propose_move propose_return propose_unmark propose_reverse propose_retirement propose_revoke propose_role propose_unfreeze propose_stop log_in log_out set_up change_password add link import rescue sandbox'.split(' ');

const CASES: readonly QueueKind[] = ['deposit', 'bank_deposit', 'withdrawal', 'loan', 'identity', 'fund_reset', 'ticket', 'chat'];
/** And for what it was done to. */
export const OBJECTS: readonly string[] = [...CASES, 'observation', 'incident', 'file', 'user', 'treasury', 'proposal', 'queue', 'catalog', ...CATALOG_KINDS, 'news', 'operator', 'audit', 'console'];
