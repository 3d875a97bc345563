import type * as wire from '../generated/api';
import { api, type Options, type Result } from '../lib/http';
import { Refusal } from '../lib/errors';

/**
 * Calls of the operator interface. The types are those of the wire; only what the wire leaves open (words of roles, values of any
 * kind) is named here. Decimals stay text: the console computes with no amount.
 */

export type Role = 'support' | 'verifier' | 'treasury' | 'market' | 'auditor' | 'admin';
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
export type Fields = { [name: string]: Json };

export type {
  AuditRow,
  Dispute,
  Flag,
  Incident,
  ItemCheck as Check,
  ItemFile as Picture,
  ItemHistory as HistoryLine,
  Observation,
  OperatorMark as Approval,
  OperatorSetup as Setup,
  Pool,
  PriceSource,
  PriceSources,
  Settlement,
  SettlementFeed as Feed,
  UserDetail,
  UserRow,
} from '../generated/api';
/** The queue of subscriptions comes with its product. */
export type QueueKind = Exclude<wire.QueueKind, 'subscription'>;
export type QueueRow = Omit<wire.QueueRow, 'kind'> & { kind: QueueKind };
export type Operator = Omit<wire.Operator, 'roles'> & { roles: Role[] };
export type QueueItem = Omit<wire.QueueItem, 'row' | 'fields'> & { row: QueueRow; fields: Fields };
export type Proposal = Omit<wire.Proposal, 'values' | 'before'> & { values: Fields; before: Fields | null };
export type NewsDetail = wire.NewsDetail & { lang: string; link: string | null; sorts: number };
export const CATALOG_KINDS = ['fee', 'market', 'network', 'limit', 'index_source', 'country', 'coin', 'option_duration', 'contract', 'plan', 'loan_product', 'offering', 'flash'] as const;
export type CatalogKind = (typeof CATALOG_KINDS)[number];
export interface CatalogRow {
  id: number;
  kind: CatalogKind;
  name: string;
  version: number;
  since_ms: number | null;
  values: Fields;
  coming: { values: Fields; effective_ms: number | null; proposal_id: number }[];
}
export type LoggedIn = Omit<wire.OperatorLogin, 'operator'> & { operator: Operator };
type Params = Record<string, Json | undefined>;

interface Reads {
  me: Operator;
  queue: wire.Paginator<QueueRow>;
  item: QueueItem;
  observations: wire.Paginator<wire.Observation>;
  incidents: wire.Paginator<wire.Incident>;
  disputes: wire.Paginator<wire.Dispute>;
  treasury: wire.Pool[];
  proposals: wire.Paginator<Proposal>;
  catalog: CatalogRow[];
  news: wire.Paginator<NewsDetail>;
  'user/search': wire.Paginator<wire.UserRow>;
  'user/detail': wire.UserDetail;
  operators: Operator[];
  audit: wire.Paginator<wire.AuditRow>;
  settlement: wire.Settlement;
  sources: wire.PriceSources;
}
interface Writes {
  login: [string, LoggedIn];
  setup: [wire.OperatorSetup, unknown];
  logout: [string, unknown];
  password: [string, unknown];
  decide: [string, { row: QueueRow; done: wire.Flag }];
  observation: [wire.Observation, unknown];
  'observation/reverse': [Proposal, unknown];
  'withdrawal/sent': [string, { row: QueueRow }];
  'withdrawal/returned': [Proposal, unknown];
  'withdrawal/unmark': [Proposal, unknown];
  'treasury/move': [Proposal, unknown];
  'proposal/confirm': [Proposal, unknown];
  'proposal/stop': [Proposal, unknown];
  'proposal/cancel': [Proposal, unknown];
  'catalog/propose': [Proposal, unknown];
  'catalog/pause': [string, unknown];
  'market/retire': [Proposal, unknown];
  'offering/launch': [Proposal, unknown];
  'news/save': [NewsDetail, unknown];
  'news/delete': [string, unknown];
  'user/freeze': [string, unknown];
  'user/end_sessions': [string, { revoked: number }];
  'user/unfreeze': [Proposal, unknown];
  'user/kyc_revoke': [Proposal, unknown];
  'user/role': [Proposal, unknown];
  'ticket/reply': [unknown, unknown];
  'chat/reply': [unknown, unknown];
  'operator/save': [Proposal, unknown];
  'operator/release': [Operator, unknown];
}
export type ReadPath = keyof Reads;
export type ReadAnswer<P extends ReadPath> = Reads[P];
export type WritePath = keyof Writes;

type Send = (path: string, params: Params, options?: Options) => Promise<Result<unknown, unknown>>;
const [get, post] = [api.get as unknown as Send, api.post as unknown as Send];
const BASE = '/operator/api/';

export const ops = {
  get: async <P extends ReadPath>(path: P, params: Params = {}, signal?: AbortSignal) =>
    (await get(BASE + path, params, signal && { signal })).message as Reads[P],
  /** Refusals are shown where the act was, so they make no toast. */
  post: <P extends WritePath>(path: P, params: Params = {}) =>
    post(BASE + path, params, { quiet: true }) as Promise<Result<Writes[P][0], Writes[P][1]>>,
};

/** Who the numbers in cases and proposals are. */
export const colleagues = async (signal: AbortSignal) => ((await get(`${BASE}me`, {}, { signal })).data as wire.Colleagues).colleagues;

export const appConfig = () => api.get('app/config');

/** A session of the sandbox for one role; live servers have no such path. */
export const sandboxOperator = (role: Role, name: string) =>
  post('/sandbox/operator', { role, name }, { quiet: true }) as Promise<Result<{ token: string } & LoggedIn, unknown>>;

/** A picture of an opened case; the view's number makes the look at it part of the audited view. */
export async function pictureOf(key: string, view: number, token: string, signal: AbortSignal): Promise<Blob> {
  const query = new URLSearchParams({ key, view_id: String(view) });
  const answer = await fetch(`${BASE}file?${query}`, { headers: { authorization: token }, cache: 'no-store', signal });
  const kind = answer.headers.get('content-type') ?? '';
  if (!answer.ok || !kind.startsWith('image/')) throw new Refusal('E_FILE', 'The picture did not load');
  return answer.blob();
}

/** An account by its number in the log, in the words of the screen. */
const NUMBERED: Record<number, string> = { 2: 'Spot', 3: 'Contracts', 4: 'Options', 5: 'Plans' };
export const accountName = (number: number): string => NUMBERED[number] ?? '';
/** What a coin has in each account: the name of the account, free and frozen. */
export const holdings = (row: wire.WalletRow): [string, string, string][] => [
  ['Spot', row.change_balance, row.lock_change_balance],
  ['Contracts', row.lever_balance, row.lock_lever_balance],
  ['Plans', row.trust_balance, row.lock_trust_balance],
  ['Options', row.micro_balance, row.lock_micro_balance],
];
