import type { Proposal, QueueKind, Role, UserRow } from '../api';
import type { IconName } from '../../ui/Icon';
import * as icons from '../../ui/icons';

/** Which areas the console shows to whom. The server decides; this only omits what it would refuse. */
export type AreaName = QueueKind | 'proposals' | 'observations' | 'treasury' | 'catalog' | 'news' | 'users' | 'operators' | 'audit' | 'health' | 'me';

export interface Area {
  name: AreaName;
  title: string;
  icon: IconName;
  group: 'Review' | 'Control' | 'Records';
  /** Roles that may view it. Empty: every operator. */
  sees: readonly Role[];
  /** Roles that may act; others get no buttons. */
  acts: readonly Role[];
}

/** The props of an area's screen. */
export interface AreaProps {
  id: string;
  /** Whether the operator's roles may act here; otherwise the screen is read-only. */
  may: boolean;
}

const queue = (name: QueueKind, title: string, icon: IconName, acts: readonly Role[]): Area => ({ name, title, icon, group: 'Review', sees: [...acts, 'auditor'], acts });

export const AREAS: readonly Area[] = [
  queue('withdrawal', 'Withdrawals', 'withdraw', ['treasury']),
  queue('deposit', 'Deposits', 'deposit', ['treasury']),
  queue('bank_deposit', 'Bank deposits', 'assets', ['treasury']),
  queue('loan', 'Loans', icons.bank, ['treasury']),
  queue('identity', 'Identity', icons.person, ['verifier']),
  queue('fund_reset', 'Fund passwords', icons.key, ['verifier']),
  queue('ticket', 'Tickets', icons.mail, ['support']),
  queue('chat', 'Chats', icons.help, ['support']),
  { name: 'proposals', title: 'Proposals', icon: 'check', group: 'Control', sees: [], acts: ['verifier', 'treasury', 'market', 'admin'] },
  { name: 'observations', title: 'Observations', icon: 'eye', group: 'Control', sees: ['treasury', 'auditor'], acts: ['treasury'] },
  { name: 'treasury', title: 'Treasury', icon: 'lock', group: 'Control', sees: ['treasury', 'auditor'], acts: ['treasury'] },
  { name: 'catalog', title: 'Catalog', icon: icons.settings, group: 'Control', sees: [], acts: ['market'] },
  { name: 'news', title: 'News', icon: 'bell', group: 'Control', sees: ['support', 'market', 'auditor'], acts: ['support', 'market'] },
  { name: 'users', title: 'Users', icon: icons.person, group: 'Records', sees: ['support', 'verifier', 'treasury', 'auditor'], acts: ['support', 'verifier', 'treasury', 'admin'] },
  { name: 'audit', title: 'Audit log', icon: icons.history, group: 'Records', sees: ['auditor', 'admin'], acts: [] },
  { name: 'operators', title: 'Operators', icon: icons.shield, group: 'Records', sees: ['admin', 'auditor'], acts: ['admin'] },
  { name: 'health', title: 'System', icon: icons.list, group: 'Records', sees: [], acts: [] },
];

/** The roles that can make and confirm a proposal of a kind. */
const PROPOSERS: Readonly<Record<string, readonly Role[]>> = {
  treasury_move: ['treasury'],
  observation_reverse: ['treasury'],
  withdrawal_returned: ['treasury'],
  withdrawal_unmark: ['treasury'],
  catalog: ['market'],
  market_retire: ['market'],
  offering_launch: ['market'],
  unfreeze: ['verifier', 'treasury'],
  kyc_revoke: ['verifier'],
  user_role: ['admin'],
  operator: ['admin'],
};

export const has = (roles: readonly Role[], wanted: readonly Role[]): boolean => wanted.some((role) => roles.includes(role));
export const sees = (area: Area, roles: readonly Role[]): boolean => area.sees.length === 0 || has(roles, area.sees);
export const acts = (area: Area, roles: readonly Role[]): boolean => has(roles, area.acts);
export const areasOf = (roles: readonly Role[]): Area[] => AREAS.filter((area) => sees(area, roles));

export type UserAct = 'freeze' | 'end_sessions' | 'unfreeze' | 'revoke';
/** What these roles may do to a member. A member's own freeze is lifted here too, and a freeze of withdrawals can be extended. */
export function userActs(roles: readonly Role[], user: Pick<UserRow, 'status' | 'review_status' | 'review_status2'>): UserAct[] {
  const possible: Record<UserAct, boolean> = {
    freeze: has(roles, ['support', 'verifier', 'treasury']),
    end_sessions: has(roles, ['support', 'verifier', 'treasury']),
    unfreeze: has(roles, confirmers('unfreeze')) && user.status !== 0,
    revoke: has(roles, confirmers('kyc_revoke')) && (user.review_status === 2 || user.review_status2 === 2),
  };
  return (['freeze', 'end_sessions', 'unfreeze', 'revoke'] as const).filter((act) => possible[act]);
}

/** Roles that may confirm a proposal; the server judges a kind that is not known here. */
export const confirmers = (kind: string): readonly Role[] => PROPOSERS[kind] ?? ['verifier', 'treasury', 'market', 'admin'];

/** Whoever could confirm a proposal can also confirm stopping it. */
export const confirmersOf = ({ kind, values }: Pick<Proposal, 'kind' | 'values'>): readonly Role[] => confirmers(kind === 'stop' ? String(values.kind) : kind);

/** Whether an operator can be the second person for a proposal. */
export const mayConfirm = (me: { id: number; roles: readonly Role[] }, proposal: Pick<Proposal, 'kind' | 'values' | 'state' | 'proposer_id' | 'confirmer_id'>): boolean =>
  proposal.state === 'waiting' && proposal.confirmer_id === null && proposal.proposer_id !== me.id && has(me.roles, confirmersOf(proposal));

const QUEUES: readonly AreaName[] = ['withdrawal', 'deposit', 'bank_deposit', 'loan', 'identity', 'fund_reset', 'ticket', 'chat'];
export const isQueue = (name: AreaName): name is QueueKind => QUEUES.includes(name);
/** Letter before the number of a case. */
const LETTERS: Record<QueueKind, string> = { withdrawal: 'W', deposit: 'D', bank_deposit: 'B', loan: 'L', identity: 'K', fund_reset: 'F', ticket: 'T', chat: 'C' };
export const caseNumber = (kind: QueueKind, id: number): string => `${LETTERS[kind]}-${id}`;
