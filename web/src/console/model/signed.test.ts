import { expect, it, test } from 'vitest';
import type { Fields } from '../api';
import { isAbout, signedWords } from './signed';

const told = (kind: string, values: Fields, before: Fields | null = null, subject: string | null = null) => {
  const { title, first, lines } = signedWords({ kind, subject, values, before });
  return [title, first, ...lines.map((line) => line.join(': '))];
};

it('names the pair whose fees change, and only what changes', () => {
  const before = { maker_fee: '0.08', taker_fee: '0.1' };
  expect(told('catalog', { kind: 'fee', id: 1, effective_ms: 0, maker_fee: '0.08', taker_fee: '0.12' }, before, 'BTC/USDT')).toEqual(['Fees of BTC/USDT', 'Taker fee, %: 0.1 → 0.12']);
});

it('counts several changes before it lists them, and leaves out what is empty', () => {
  const before = { currency_id: 3, deposit_on: 1, withdraw_fee: '1.000000', memo: null };
  expect(told('catalog', { kind: 'network', id: 5, effective_ms: 0, currency_id: 3, deposit_on: 0, withdraw_fee: '1000.500000', memo: '' }, before, 'USDT TRC20')).toEqual([
    'Deposits and withdrawals, USDT TRC20',
    '2 values change',
    'Deposits open: yes → no',
    'Fee of a withdrawal (bank: %): 1 → 1,000.5',
  ]);
});

it('tells a new object by all of its values', () => {
  expect(told('catalog', { kind: 'plan', id: 9, effective_ms: 0, day: 30, title: null }, null, '30 days')).toEqual(['Locked plan, 30 days', 'Days: 30', 'Days: 30']);
  expect(told('catalog', { kind: 'flash', id: 1, effective_ms: 0 }, {}, 'conversions')).toEqual(['Terms of conversions', 'Nothing changes']);
});

test.each<[string, Fields, Fields | null, string[]]>([
  ['treasury_move', { from: 'house_capital', to: 'option_pool', amount: '250000.000000', currency_id: 3, currency_name: 'USDT' }, { from_free: '900000.000000', to_free: '0.000000' }, ['Move 250,000 USDT of the house', '250,000 USDT', 'From: House capital, 900,000 USDT free now', 'To: Option pool, 0 USDT free now']],
  ['observation_reverse', { id: 4, user_id: 7, currency_name: 'BTC', amount: '0.50000000', chain: 'BTC' }, { state: 'credited' }, ['Take back 0.5 BTC of member 7', '0.5 BTC', 'Payment: 4 on BTC', 'Now: Credited']],
  ['withdrawal_returned', { id: 12, user_id: 7, currency_name: 'USDT', amount: '20.000000' }, null, ['Return W-12 to member 7', '20 USDT']],
  ['withdrawal_unmark', { id: 12, user_id: 7, currency_name: 'USDT', amount: '20.000000' }, { state: 'sent' }, ['Take back the mark of W-12', '20 USDT', 'Of: member 7', 'Now: Sent']],
  ['unfreeze', { user_id: 7 }, { status: 1 }, ['Lift the freeze of member 7', 'Number 7 may act again']],
  ['kyc_revoke', { user_id: 7, level: 2 }, null, ['Revoke the advanced level of member 7', 'Number 7, advanced level']],
  ['user_role', { user_id: 7, role: 'partner' }, { role: 'user' }, ['Referral role of member 7', 'Partner', 'Now: User']],
  ['operator', { id: 1004, name: 'eva', roles: ['market', 'admin'], active: 1 }, { roles: ['market'], active: 1 }, ['Operator eva', 'market, admin', 'Now: market']],
  ['operator', { id: 1004, roles: ['market'], active: 0 }, null, ['Operator 1004', 'No longer active']],
  ['stop', { id: 3, kind: 'market_retire', effective_ms: null }, null, ['Stop P-3', 'P-3 never acts', 'What it would do: Market retire', 'It would act: —']],
  ['market_retire', { match_id: 4, symbol: 'TOK/USDT', at_ms: 1_800_000_000_000 }, { status: 'open' }, ['Retire TOK/USDT', 'TOK/USDT ends', 'At: 1800000000000', 'Now: Open']],
  ['offering_launch', { id: 1, new_currency_name: 'TOK', sold: '1000' }, null, ['Launch TOK', '1,000 TOK allotted']],
  ['new_kind', {}, null, ['New kind', 'New kind']],
])('%s is told in words', (kind, values, before, words) => {
  expect(told(kind, values, before)).toEqual(words);
});

it('is about one object as long as it waits for a second person', () => {
  const proposal = { kind: 'catalog', values: { kind: 'fee', id: 2 }, state: 'waiting', confirmer_id: null } as const;
  expect([isAbout(proposal, 'fee', 2), isAbout(proposal, 'fee', 3), isAbout(proposal, 'market', 2), isAbout({ ...proposal, confirmer_id: 4 }, 'fee', 2)]).toEqual([true, false, false, false]);
});
