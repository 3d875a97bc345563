import type * as wire from '../generated/api';
import { api, type Options, type Result } from '../lib/http';
import { Refusal } from '../lib/errors';

/**
 * Calls of the operator interface. The types are those of the wire; only what the wire leaves open (words of roles, values of any kind) is
 * named here. Decimals stay text, because the console does not compute with amounts.
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
/** The queue of subscriptions is part of its product. */
export type QueueKind = Exclude<wire.QueueKind, 'subscription'>;
export type QueueRow = Omit<wire.QueueRow, 'kind'> & { kind: QueueKind };
export type Operator = Omit<wire.Operator, 'roles'> & { roles: Role[] };
export type QueueItem = Omit<wire.QueueItem, 'row' | 'fields'> & { row: QueueRow; fields: Fields };
export type Proposal = Omit<wire.Proposal, 'values' | 'before'> & { values: Fields; before: Fields | null };
export type NewsDetail = wire.NewsDetail & { lang: string; link: string | null; sorts: number };
export const CATALOG_KINDS = ['fee', 'market', 'network', 'limit', 'index_source', 'country', 'coin', 'option_duration', 'contract', 'plan', 'loan_product', 'offering', 'white_paper', 'flash'] as const;
export type CatalogKind = (typeof CATALOG_KINDS)[number];
export type CatalogRow = {
  id: number;
  kind: CatalogKind;
  name: string;
  /** Of a new coin; other objects have none. */
  state: wire.OfferingState | null;
  version: number;
  since_ms: number | null;
  values: Fields;
  coming: { values: Fields; effective_ms: number | null; proposal_id: number }[];
};
export type LoggedIn = Omit<wire.OperatorLogin, 'operator'> & { operator: Operator };

type Path<M extends string> = keyof wire.Calls extends infer K ? (K extends `${M} /operator/api/${infer P}` ? P : never) : never;
/** An operator call as the server describes it. */
type Call<M extends string, P extends string> = wire.Calls[Extract<`${M} /operator/api/${P}`, keyof wire.Calls>];
/** The answer with the stricter types above; if these omit or rename a field, the compiler reports it. */
type Closer<T> =
  T extends wire.Paginator<infer R> ? wire.Paginator<Closer<R>>
  : T extends (infer R)[] ? Closer<R>[]
  : T extends wire.QueueItem ? QueueItem
  : T extends wire.QueueRow ? QueueRow
  : T extends wire.Proposal ? Proposal
  : T extends wire.Operator ? Operator
  : T extends wire.OperatorLogin ? LoggedIn
  : T extends wire.EditedNews ? NewsDetail
  : T extends { row: wire.QueueRow } ? Omit<T, 'row'> & { row: QueueRow }
  : T;

export type ReadPath = Path<'GET'>;
export type ReadParams<P extends ReadPath> = Call<'GET', P>['params'];
export type ReadAnswer<P extends ReadPath> = P extends 'catalog' ? CatalogRow[] : Closer<Call<'GET', P>['message']>;
export type WritePath = Path<'POST'>;
export type WriteParams<P extends WritePath> = Call<'POST', P>['params'];

/** The only access to the client of calls, which treats the path as plain text here. */
type Send = (path: string, params: object, options?: Options) => Promise<Result<unknown, unknown>>;
const [get, post] = [api.get as unknown as Send, api.post as unknown as Send];
const BASE = '/operator/api/';

export const ops = {
  get: async <P extends ReadPath>(path: P, params: ReadParams<P>, signal?: AbortSignal) => (await get(BASE + path, params, signal && { signal })).message as ReadAnswer<P>,
  /** Refusals are shown beside the action, so they make no toast. */
  post: <P extends WritePath>(path: P, params: WriteParams<P>) => post(BASE + path, params, { quiet: true }) as Promise<Result<Closer<Call<'POST', P>['message']>, Closer<Call<'POST', P>['data']>>>,
};

/** The names behind the numbers in cases and proposals. */
export const colleagues = async (signal: AbortSignal) => ((await get(`${BASE}me`, {}, { signal })).data as wire.Colleagues).colleagues;

export const appConfig = () => api.get('app/config');

/** A sandbox session for one role; live servers have no such path. */
export const sandboxOperator = (role: Role, name: string) =>
  post('/sandbox/operator', { role, name }, { quiet: true }) as Promise<Result<{ token: string } & LoggedIn, unknown>>;

/** A picture of an opened case. With the view's number, looking at it is part of the audited view. */
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
/** A coin's balance in each account: the name of the account, free and frozen. */
export const holdings = (row: wire.WalletRow): [string, string, string][] => [
  ['Spot', row.change_balance, row.lock_change_balance],
  ['Contracts', row.lever_balance, row.lock_lever_balance],
  ['Plans', row.trust_balance, row.lock_trust_balance],
  ['Options', row.micro_balance, row.lock_micro_balance],
];
