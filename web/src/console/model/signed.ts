import * as money from '../../lib/money';
import type { CatalogKind, Fields, Json, Proposal } from '../api';
import { inWords, type Words } from './listing';
import { accountWord, changes, label, shown, told, type Change } from './values';

/** What two operators sign, in words: the subject, the decisive figure, and only the changes. */

type SignedFields = Pick<Proposal, 'kind' | 'subject' | 'values' | 'before'>;

/** The title of a catalog change, before the name of its object. */
const CHANGES: Readonly<Record<CatalogKind, string>> = {
  fee: 'Fees of',
  market: 'Order limits of',
  network: 'Deposits and withdrawals,',
  limit: 'House limits,',
  index_source: 'Price sources of',
  country: 'Products in',
  coin: 'Coin',
  option_duration: 'Options,',
  contract: 'Contracts on',
  plan: 'Locked plan,',
  loan_product: 'Loans,',
  offering: 'Offering of',
  white_paper: 'White paper of',
  flash: 'Terms of',
};
const isKind = (kind: Json | undefined): kind is CatalogKind => typeof kind === 'string' && kind in CHANGES;
/** Shown elsewhere on the sheet. */
const APART = ['kind', 'id', 'effective_ms', 'text'];

/** A figure with grouped thousands; anything else as it is. */
const exact = (value: Json | undefined): string => (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? money.format(money.trim(money.amount(value)), 'en') : shown(value));
const coins = ({ amount, currency_name }: Fields): string => `${exact(amount)} ${shown(currency_name)}`;
const member = ({ user_id }: Fields): string => `member ${shown(user_id)}`;
const or = (text: string, other: string): string => (text === '—' ? other : text);

const changeLine = ({ name, before, after }: Change, had: boolean, kind: Json | undefined): readonly [string, string] => {
  const [was, is] = [before === null ? null : exact(before), exact(after)];
  return [label(name, kind), had && was !== null ? `${or(was, 'nothing')} → ${or(is, 'nothing')}` : is];
};

function catalog(subject: string | null, values: Fields, before: Fields | null): Words {
  const title = [isKind(values.kind) ? CHANGES[values.kind] : 'Catalog,', subject === 'all' ? 'shared terms' : (subject ?? shown(values.id))].join(' ').replace(/, $/, '');
  const lines = changes(values, before)
    .filter(({ name, same, before: was, after }) => !same && !APART.includes(name) && !(after === '—' && (was ?? '—') === '—'))
    .map((change) => changeLine(change, before !== null, values.kind));
  const [only] = lines;
  const first = lines.length === 1 && only ? `${only[0]}: ${only[1]}` : before === null ? title : lines.length ? `${lines.length} values change` : 'Nothing changes';
  return { title, first, lines: lines.length === 1 && before !== null ? [] : lines };
}

/** A proposal in words. */
export function signedWords({ kind, subject, values, before }: SignedFields): Words {
  const listed = inWords(values);
  if (listed) return listed;
  const now = (name: string): (readonly [string, string])[] => (before?.[name] === undefined ? [] : [['Now', label(shown(before[name]))]]);
  switch (kind) {
    case 'catalog':
      return catalog(subject, values, before);
    case 'treasury_move': {
      const [from, to] = [label(accountWord(values.from ?? null)), label(accountWord(values.to ?? null))];
      const free = (name: string): string => (before?.[name] === undefined ? '' : `, ${exact(before[name])} ${shown(values.currency_name)} free now`);
      return { title: `Move ${coins(values)} of the house`, first: coins(values), lines: [['From', `${from}${free('from_free')}`], ['To', `${to}${free('to_free')}`]] };
    }
    case 'observation_reverse':
      return { title: `Take back ${coins(values)} of ${member(values)}`, first: coins(values), lines: [['Payment', `${shown(values.id)} on ${shown(values.chain)}`], ...now('state')] };
    case 'withdrawal_returned':
      return { title: `Return W-${shown(values.id)} to ${member(values)}`, first: coins(values), lines: now('state') };
    case 'withdrawal_unmark':
      return { title: `Take back the mark of W-${shown(values.id)}`, first: coins(values), lines: [['Of', member(values)], ...now('state')] };
    case 'unfreeze':
      return { title: `Lift the freeze of ${member(values)}`, first: `Number ${shown(values.user_id)} may act again`, lines: [] };
    case 'kyc_revoke':
      return { title: `Revoke the ${values.level === 1 ? 'basic' : 'advanced'} level of ${member(values)}`, first: `Number ${shown(values.user_id)}, ${values.level === 1 ? 'basic' : 'advanced'} level`, lines: [] };
    case 'user_role':
      return { title: `Referral role of ${member(values)}`, first: label(shown(values.role)), lines: now('role') };
    case 'operator': {
      const roles = values.active === 0 ? 'No longer active' : shown(values.roles);
      const was: Words['lines'] = before === null ? [] : [['Now', before.active === 0 ? 'Not active' : shown(before.roles)]];
      return { title: `Operator ${or(shown(values.name), shown(values.id))}`, first: roles, lines: was };
    }
    case 'market_retire':
      return { title: `Retire ${shown(values.symbol)}`, first: `${shown(values.symbol)} ends`, lines: [['At', shown(values.at_ms)], ...now('status')] };
    case 'stop':
      return { title: `Stop P-${shown(values.id)}`, first: `P-${shown(values.id)} never acts`, lines: [['What it would do', label(shown(values.kind))], ['It would act', told('effective_ms', values.effective_ms)]] };
    case 'offering_launch':
      return { title: `Launch ${shown(values.new_currency_name)}`, first: `${exact(values.sold)} ${shown(values.new_currency_name)} allotted`, lines: [] };
    default:
      return { title: label(kind), first: label(kind), lines: [] };
  }
}

/** Whether a proposal waits for a second person about this object of the catalog. */
export const isAbout = ({ kind, values, state, confirmer_id }: Pick<Proposal, 'kind' | 'values' | 'state' | 'confirmer_id'>, of: CatalogKind, id: number): boolean =>
  kind === 'catalog' && state === 'waiting' && confirmer_id === null && values.kind === of && values.id === id;
