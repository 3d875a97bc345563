import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ACTS } from './acts';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
/** The engine's own list, which a test of the engine compares with the code. */
const LIST = read('crates/engine/tests/operators.txt');
const variants = (name: string): string[] => {
  const body = LIST.split(`enum ${name}\n`)[1]?.split(/\n(?! )/)[0] ?? '';
  return [...body.matchAll(/^ {2}([A-Z]\w+)/gm)].map(([, variant = '']) => `${name}.${variant}`);
};

type Act = (typeof ACTS)[keyof typeof ACTS][number];
/** The name of each on "Check us"; `null` if it occurs only with one of another enum, which has the name. */
const WORDS: Record<string, Act | null> = {
  'OperatorAct.Decide': null,
  'OperatorAct.EnterDeposit': 'enterDeposit',
  'OperatorAct.MarkSent': 'markSent',
  'OperatorAct.Freeze': 'freeze',
  'OperatorAct.Pause': 'pause',
  'OperatorAct.Propose': 'propose',
  'OperatorAct.Confirm': 'propose',
  'OperatorAct.CancelProposal': 'cancelProposal',
  'OperatorAct.Record': 'record',
  'OperatorAct.ReleaseOperator': 'releaseOperator',
  'Item.Deposit': 'deposit',
  'Item.Withdrawal': 'withdrawal',
  'Item.Identity': 'identity',
  'Item.Loan': 'loan',
  'Decision.Approve': null,
  'Decision.ApproveWith': null,
  'Decision.ApproveBank': null,
  'Decision.Reject': 'reject',
  'FreezeScope.Withdrawals': 'freeze',
  'FreezeScope.All': 'freeze',
  'Proposed.TreasuryMove': 'treasury',
  'Proposed.ChangeCatalog': null,
  'Proposed.ReverseDeposit': 'reverse',
  'Proposed.ReturnWithdrawal': 'returned',
  'Proposed.Unfreeze': 'unfreeze',
  'Proposed.RevokeIdentity': 'revoke',
  'Proposed.SetReferralRole': 'referral',
  'Proposed.SetOperator': 'operator',
  'Proposed.RetireMarket': 'retire',
  'Proposed.AppointOperator': 'operator',
  'Proposed.StopProposal': 'stop',
  'Proposed.UnmarkSent': 'unmark',
  'Proposed.LaunchOffering': 'launch',
  'CatalogChange.Fee': 'fee',
  'CatalogChange.MarketFilters': 'filters',
  'CatalogChange.Network': 'network',
  'CatalogChange.Bank': 'network',
  'CatalogChange.Limits': 'limits',
  'CatalogChange.IndexSources': 'index',
  'CatalogChange.Text': null,
  'CatalogChange.ListCoin': 'coin',
  'CatalogChange.ListMarket': 'pair',
  'CatalogChange.OptionDuration': 'option',
  'CatalogChange.OptionShared': 'option',
  'CatalogChange.ContractTerms': 'contract',
  'CatalogChange.ConversionTerms': 'conversion',
  'CatalogChange.LoanProduct': 'loanTerms',
  'CatalogChange.LoanShared': 'loanTerms',
  'CatalogChange.Offering': 'offering',
  'CatalogChange.Plan': 'plan',
  'TextKind.ReceivingKey': 'key',
  'TextKind.Country': 'country',
  'TextKind.RiskText': 'riskText',
  'TextKind.BankAccount': 'bankAccount',
  'TextKind.WhitePaper': 'whitePaper',
};
const ENUMS = ['OperatorAct', 'Item', 'Decision', 'FreezeScope', 'Proposed', 'CatalogChange', 'TextKind'];
const shown: readonly Act[] = Object.values(ACTS).flat();

test('every act of the engine’s closed list has words on "Check us", and nothing else has', () => {
  expect(ENUMS.flatMap(variants).toSorted()).toEqual(Object.keys(WORDS).toSorted());
  expect([...shown].toSorted()).toEqual([...new Set(Object.values(WORDS))].filter((act) => act !== null).toSorted());
  const words = JSON.parse(read('web/src/locales/journal/en.json')) as { acts: Record<string, string> };
  expect(Object.keys(words.acts).toSorted()).toEqual(['title', 'lead', 'note', ...Object.keys(ACTS), ...shown].toSorted());
});

test('the list has no other kinds of things in which an act could hide', () => {
  // The object of an act, and its extent; none of these is an act.
  const details = ['Product', 'ReferralRole', 'FirstReference', 'TieRule'];
  expect([...LIST.matchAll(/^enum (\w+)$/gm)].map(([, name]) => name).toSorted()).toEqual([...ENUMS, ...details].toSorted());
});

test('what is proposed is said to take two', () => {
  const proposed = ['Proposed', 'CatalogChange', 'TextKind'].flatMap(variants).flatMap((name) => WORDS[name] ?? []);
  const together: readonly Act[] = [...ACTS.two, ...ACTS.day];
  expect(proposed.filter((act) => !together.includes(act))).toEqual([]);
});

test('what waits a day is what the engine makes wait', () => {
  const code = read('crates/engine/src/engine/operations.rs').split('fn waits(')[1]?.split('=> false')[0] ?? '';
  const [always = '', unlessFirst = ''] = code.split('=> true');
  const named = (text: string) => ['CatalogChange', 'TextKind'].flatMap(variants).filter((name) => new RegExp(`${name.split('.')[1]}\\b`).test(text.split('=> {')[0] ?? ''));
  const waits = [...named(always), ...named(unlessFirst)].flatMap((name) => WORDS[name] ?? []);
  // A pair waits only if it has an index, as its text says; retiring one has a notice of its own.
  expect([...waits.filter((act) => act !== 'pair'), 'retire'].toSorted()).toEqual(ACTS.day.toSorted());
});
