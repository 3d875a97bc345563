import { describe, expect, it, test } from 'vitest';
import type { QueueKind, QueueRow } from '../api';
import { areasOf, AREAS, acts, caseNumber, confirmers, mayConfirm, userActs } from './areas';
import { country, readsCountry } from './countries';
import { bound, KEYS } from './keys';
import { after, changed, checkText, deadline, hidesReason, isFor, matching, ordered, reads, reasonProblem, rejectionsOf, riskOf, sortedChecks, span, stateText, step, tally, toRead, turn, unseen } from './queue';
import { holding } from './search';
import { attempts, thread } from './lists';
import { changes, disagreeing, exact, flat, grouped, groups, inCase, instantOf, isDestination, isTime, label, like, path, shown, told, utcMinute, withCoins } from './values';

const HOUR = 3_600_000;
const NOW = 1_800_000_000_000;
const row = (part: Partial<QueueRow> = {}): QueueRow => ({
  kind: 'withdrawal', id: 1, version: 1, hash: 'aa', user_id: 7, user_mask: '77…18', summary: '300 USDT on TRC20', value_usdt: '300', needs: 2, approvals: [], failed_checks: [], late: 0, status: 'under_review', created_at: '', created_at_ms: NOW, first_by_ms: NOW + 3 * HOUR, promised_by_ms: NOW + 12 * HOUR, ...part,
});
const approved = (...ids: number[]) => ids.map((operator_id) => ({ operator_id, at_ms: NOW }));

describe('age against the promise', () => {
  it('is told in the two largest units', () => {
    expect([45_000, 12 * 60_000, 2 * HOUR + 51 * 60_000, 76 * HOUR, -5].map(span)).toEqual(['45 s', '12 m', '2 h 51 m', '3 d 4 h', '0 s']);
  });
  it('runs to the first decision, then to the promise', () => {
    expect(deadline(row(), NOW + HOUR)).toEqual({ text: 'in time', tone: 'plain' });
    expect(deadline(row(), NOW + 2 * HOUR + 51 * 60_000)).toEqual({ text: '9 m left', tone: 'caution' });
    expect(deadline(row(), NOW + 3 * HOUR)).toEqual({ text: '0 s late', tone: 'late' });
    expect(deadline(row({ approvals: approved(2) }), NOW + 4 * HOUR).tone).toBe('plain');
    expect(deadline(row({ approvals: approved(2) }), NOW + 12 * HOUR + 12 * 60_000)).toEqual({ text: '12 m late', tone: 'late' });
  });
  it('is late when the server says so, whatever the clock here', () => {
    expect(deadline(row({ late: 1 }), NOW).tone).toBe('late');
  });
  it('puts late cases on top, then the oldest', () => {
    const rows = [row({ id: 1, created_at_ms: NOW }), row({ id: 2, created_at_ms: NOW - HOUR }), row({ id: 3, late: 1, created_at_ms: NOW + 1 })];
    expect(ordered(rows, NOW + HOUR).map(({ id }) => id)).toEqual([3, 2, 1]);
  });
});

it('counts the proposals that wait for this very person', () => {
  const me = { id: 5, roles: ['market'] as const };
  const one = { kind: 'catalog', values: {}, state: 'waiting', proposer_id: 6, confirmer_id: null } as const;
  expect([mayConfirm(me, one), mayConfirm(me, { ...one, proposer_id: 5 }), mayConfirm(me, { ...one, confirmer_id: 7 }), mayConfirm(me, { ...one, kind: 'treasury_move' })]).toEqual([true, false, false, false]);
  const stop = (kind: string) => mayConfirm(me, { ...one, kind: 'stop', values: { id: 3, kind } });
  expect([stop('catalog'), stop('treasury_move'), stop('operator')]).toEqual([true, false, false]);
});

describe('four eyes', () => {
  it('never gives one person the second turn', () => {
    expect(turn(row(), 5)).toBe('first');
    expect(turn(row({ approvals: approved(5) }), 5)).toBe('another');
    expect(turn(row({ approvals: approved(5) }), 6)).toBe('second');
    expect(turn(row({ approvals: approved(5, 6) }), 6)).toBe('done');
    expect(turn(row({ needs: 1 }), 6)).toBe('one');
  });
  it('asks nobody about a case that is decided', () => {
    expect(stateText(row(), 5)).toBe('1st approval');
    for (const status of ['rejected', 'cancelled', 'sent']) expect(turn(row({ status, approvals: approved(5) }), 6)).toBe('done');
    expect(stateText(row({ status: 'rejected' }), 6)).toBe('Rejected');
    expect(stateText(row({ status: 'passed', approvals: approved(5, 6) }), 6)).toBe('Approved, to pay');
    expect(stateText(row({ kind: 'deposit', status: 'passed', approvals: approved(5, 6) }), 6)).toBe('Approved');
  });
  it('counts for a person what that person can take on, also what needs an answer only', () => {
    expect([row(), row({ approvals: approved(5) }), row({ approvals: approved(5, 6) })].map((one) => isFor(one, 5))).toEqual([true, false, false]);
    expect(['open', 'answered', 'closed'].map((status) => isFor(row({ kind: 'ticket', needs: 0, status }), 5))).toEqual([true, false, false]);
  });
  it('hides the first reason from the second person while a check needs one', () => {
    const line = { at_ms: NOW, operator_id: 5, action: 'approve', reason: 'called back' };
    const bad = [{ name: 'old_enough', ok: 0 as const, known: 1 as const, detail: '' }];
    const half = row({ approvals: approved(5) });
    expect(hidesReason(line, half, bad, 6)).toBe(true);
    expect(hidesReason(line, half, bad, 5)).toBe(false);
    expect(hidesReason(line, half, [], 6)).toBe(false);
    expect(hidesReason({ ...line, operator_id: 9 }, half, bad, 6)).toBe(false);
  });
  it('sees a change of version, hash or approvals, and a new check, as another case', () => {
    expect(changed(row(), row({ late: 1 }))).toBe(false);
    expect(changed(row(), row({ version: 2 }))).toBe(true);
    expect(changed(row(), row({ hash: 'bb' }))).toBe(true);
    expect(changed(row(), undefined)).toBe(false);
    const seen = row({ approvals: approved(5), failed_checks: ['destination_old_enough'] });
    expect(changed(seen, { ...seen })).toBe(false);
    expect(changed(seen, { ...seen, approvals: [] })).toBe(true);
    expect(changed(seen, { ...seen, approvals: approved(6) })).toBe(true);
    expect(changed(seen, { ...seen, failed_checks: [] })).toBe(false);
    expect(changed(seen, { ...seen, failed_checks: ['destination_old_enough', 'no_security_hold'] })).toBe(true);
  });
});

describe('the list', () => {
  it('moves by keys and stays at its ends', () => {
    expect([step([4, 5, 6], null, 1), step([4, 5, 6], 5, 1), step([4, 5, 6], 6, 1), step([4, 5, 6], 4, -1), step([], 4, 1)]).toEqual([4, 6, 6, 4, null]);
    expect([after([4, 5, 6], 5), after([4, 5, 6], 6), after([4], 4)]).toEqual([6, 5, null]);
  });
  it('is searched by number, user and text', () => {
    const rows = [row({ id: 20418 }), row({ id: 2, user_id: 99, user_mask: '99…01', summary: '1 BTC' })];
    expect(matching(rows, 'W-20418').map(({ id }) => id)).toEqual([20418]);
    expect(matching(rows, ' btc ').map(({ id }) => id)).toEqual([2]);
    expect(matching(rows, '')).toHaveLength(2);
  });
  it('shows checks that need a person first', () => {
    const check = (name: string, ok: 0 | 1, known: 0 | 1 = 1) => ({ name, ok, known, detail: '' });
    const checks = [check('a', 1), check('minimum', 0, 0), check('minimum', 0)];
    expect(sortedChecks(checks).map(({ known, ok }) => [known, ok])).toEqual([[1, 0], [0, 0], [1, 1]]);
    expect(sortedChecks(checks).map(checkText)).toEqual(['Below the minimum', 'Minimum', 'A']);
    expect(toRead(checks)).toBe(1);
    expect(tally(checks)).toBe('1 to read, 1 passed, 1 not known yet');
  });
  it('tells a deposit without a payment from others', () => {
    const observed = (ok: 0 | 1) => [{ name: 'observed', ok, known: 1 as const, detail: '' }];
    const shown = (kind: QueueKind, ok: 0 | 1) => unseen({ row: row({ kind }), checks: observed(ok) });
    expect([shown('deposit', 0), shown('deposit', 1), shown('withdrawal', 0)]).toEqual([true, false, false]);
  });
});

it('takes reasons of 3 to 200 characters, counted as the server counts them', () => {
  expect(reasonProblem('ab ')).toBeDefined();
  expect(reasonProblem('abc')).toBeUndefined();
  expect(reasonProblem('😀'.repeat(200))).toBeUndefined();
  expect(reasonProblem('😀'.repeat(201))).toBe('1 characters too many');
});

describe('roles', () => {
  it('show what they may see and let act who may act', () => {
    const names = (...roles: Parameters<typeof areasOf>[0]) => areasOf(roles).map(({ name }) => name);
    expect(names('support')).toEqual(['ticket', 'chat', 'proposals', 'catalog', 'news', 'users', 'health']);
    expect(names('treasury')).toContain('withdrawal');
    expect(names('verifier')).not.toContain('withdrawal');
    expect(names('auditor')).toEqual(AREAS.map(({ name }) => name));
    expect(AREAS.filter((area) => acts(area, ['auditor']))).toEqual([]);
  });
  it('may confirm only what they could have proposed', () => {
    expect(confirmers('treasury_move')).toEqual(['treasury']);
    expect(confirmers('operator')).toEqual(['admin']);
    expect(confirmers('market_retire')).toEqual(['market']);
    expect(confirmers('offering_launch')).toEqual(['market']);
    expect(caseNumber('withdrawal', 20418)).toBe('W-20418');
  });
});

test.each([
  ['verifier', 0, ['freeze', 'end_sessions']],
  ['verifier', 1, ['freeze', 'end_sessions', 'unfreeze']],
  ['treasury', 2, ['freeze', 'end_sessions', 'unfreeze']],
  ['support', 2, ['freeze', 'end_sessions']],
  ['admin', 1, []],
] as const)('%s with a user in state %s may %j', (role, status, wanted) => {
  expect(userActs([role], { status, review_status: 0, review_status2: 0 })).toEqual(wanted);
  expect(userActs([role], { status, review_status: 2, review_status2: 0 }).includes('revoke')).toBe(role === 'verifier');
});

describe('keys', () => {
  const press = (key: string, more = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, isComposing: false, repeat: false, ...more });
  const free = { writing: false, control: false };
  const act = () => {};
  it('do nothing while a person writes, with a modifier, or when held', () => {
    expect(bound(press('a'), { a: act }, free)).toBe(act);
    expect(bound(press('A'), { a: act }, free)).toBe(act);
    expect(bound(press('a'), { a: act }, { writing: true, control: false })).toBeUndefined();
    expect(bound(press('a', { ctrlKey: true }), { a: act }, free)).toBeUndefined();
    expect(bound(press('r', { repeat: true }), { r: act }, free)).toBeUndefined();
    expect(bound(press('j', { repeat: true }), { j: act }, free)).toBe(act);
    expect(bound(press('Enter'), { Enter: act }, { writing: false, control: true })).toBeUndefined();
  });
  it('are all in the list of help', () => {
    expect(KEYS.flatMap(({ keys }) => keys)).toEqual(expect.arrayContaining(['J', 'K', 'Enter', 'A', 'R', 'H', '/', '?']));
  });
});

describe('values as they are signed', () => {
  it('leave nothing out and round nothing', () => {
    const fields = { amount: '18500.000001', at: '2026', at_ms: NOW, destination: { bank_account: 'DE89370400440532013000', iban: null }, messages: [] };
    expect(flat(fields)).toEqual([['amount', '18500.000001'], ['at_ms', NOW], ['destination.bank_account', 'DE89370400440532013000'], ['destination.iban', null]]);
    // A coin is shown by its code, and by its number only if no code comes with it.
    expect(flat({ currency_id: 3, currency_name: 'USDT', collateral_currency_id: 1, collateral_currency_name: 'BTC', paid: { currency_id: 3 } })).toEqual([['currency_name', 'USDT'], ['collateral_currency_name', 'BTC'], ['paid.currency_id', 3]]);
    expect(path('destination.bank_account')).toBe('Destination, bank account');
    expect(flat({ observation: { entries: [{ operator_id: 2, at_ms: NOW }, { operator_id: 3, at_ms: NOW }] } }).map(([name]) => path(name))).toEqual(['Observation, entries, 1, operator ID', 'Observation, entries, 1, at', 'Observation, entries, 2, operator ID', 'Observation, entries, 2, at']);
    expect([path('observation.currency_id'), label('owner_coin_and_network'), label('sub_escrow'), told('watched', 0)]).toEqual(['Observation, coin number', 'Owner, coin and network', 'Subscription escrow', 'no']);
    expect([path('live_loans'), label('live_loans')]).toEqual(['Open loans of this member', 'Open loans of a member, at most']);
    expect(label('expected_at_ms')).toBe('Expected at');
    expect(shown([{ currency_id: 1, min: '0.00005000', open_max: '0.05000000' }])).toBe('Coin number 1 · Smallest 0.00005000 · Open at most 0.05000000');
    expect([label('min', 'offering'), shown({ btc: '10' })]).toEqual(['Smallest subscription, USDT', 'BTC 10']);
    expect([shown(null), shown(0), shown(false), shown(['a', 1])]).toEqual(['—', '0', 'no', 'a, 1']);
    expect([exact('10000000.000000'), exact('0.00000001'), exact('-1234')]).toEqual(['10,000,000.000000', '0.00000001', '−1,234']);
    expect(groups('abcdefghij')).toEqual(['abcd', 'efgh', 'ij']);
    expect([isDestination('submitted.address', '1 High Street'), isDestination('destination.address', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8')]).toEqual([false, true]);
    expect(isTime('at_ms', NOW)).toBe(true);
    expect(isTime('age_ms', 250)).toBe(false);
  });
  it('are read as words and figures, and what somebody wrote stays as it is', () => {
    expect([inCase('amount', '88346.772321'), inCase('observation.amount', '1000000.5'), inCase('state', 'under_review'), inCase('end', 'LIQUIDATED')]).toEqual(['88,346.772321', '1,000,000.5', 'under review', 'liquidated']);
    expect([inCase('claimed_tx', '88346.772321'), inCase('notes', '2026.11'), inCase('received', null)]).toEqual(['88346.772321', '2026.11', '—']);
    expect(grouped('88346.772321 of 90000.000000, since 1800000000000, 999.5')).toBe('88,346.772321 of 90,000.000000, since 1800000000000, 999.5');
    expect([told('tie_rule', 'refund'), told('tie_rule', 'lose'), told('tie_rule', 'other')]).toEqual(['stake is paid back', 'stake is lost', 'other']);
  });
  it('tell what changes, what stays and what falls away', () => {
    expect(changes({ fee: '0.2', on: 1 }, { fee: '0.1', on: 1, old: 'x' })).toEqual([
      { name: 'fee', before: '0.1', after: '0.2', same: false },
      { name: 'on', before: 'yes', after: 'yes', same: true },
      { name: 'old', before: 'x', after: '—', same: false },
    ]);
    expect(changes({ a: 1 }, null)).toEqual([{ name: 'a', before: null, after: '1', same: false }]);
  });
  it('keep their form when edited', () => {
    expect(like(5, '7')).toEqual({ ok: true, value: 7 });
    expect(like(5, '7.5')).toEqual({ ok: false });
    expect(like('0.10', '0.20')).toEqual({ ok: true, value: '0.20' });
    expect(like(['a'], '["b"]')).toEqual({ ok: true, value: ['b'] });
    expect(like(['a'], '[')).toEqual({ ok: false });
  });
  it('read the other attempts of a case, which are no field of it', () => {
    const past = { id: 7, level: 1, status: 'rejected', submitted_at_ms: NOW - 1, changed_at_ms: NOW, approved_by: [], reason: 'Too dark' };
    expect(attempts({ past: [past, { ...past, id: 9, level: 2, status: 'passed', approved_by: [1, 2], reason: null }] })).toEqual([
      { id: 7, level: 'basic', status: 'rejected', changed: NOW, approvedBy: [], reason: 'Too dark' },
      { id: 9, level: 'advanced', status: 'passed', changed: NOW, approvedBy: [1, 2], reason: '' },
    ]);
    expect(attempts({})).toEqual([]);
    expect(flat({ level: 1, past: [past] })).toEqual([['level', 1]]);
  });
  it('read the messages of a case', () => {
    expect(thread({ messages: [{ from: 'user', content: 'hi', at_ms: NOW }] })).toEqual([{ from: 'user', content: 'hi', at: NOW }]);
    expect(thread({})).toEqual([]);
  });
});

it('compares the two entries of an observation field by field', () => {
  expect(disagreeing({ tx: 'ab', amount: '1' }, { tx: 'ab ', amount: '2' })).toEqual(['amount']);
});

it('finds rows that hold every word', () => {
  const rows = ['view withdrawal 4', 'approve withdrawal 5'];
  expect(holding(rows, 'withdrawal approve', (text) => [text])).toEqual(['approve withdrawal 5']);
  expect(holding(rows, ' ', (text) => [text])).toHaveLength(2);
});

describe('what needs a person', () => {
  it('makes a withdrawal risky by its number', () => {
    expect([[], ['verified'], ['verified', 'not_frozen'], ['a', 'b', 'c']].map((failed_checks) => riskOf({ failed_checks }))).toEqual(['low', 'medium', 'high', 'high']);
  });
  it('orders a page by age, value or risk', () => {
    const rows = [row({ id: 1, created_at_ms: NOW - HOUR, value_usdt: '9.5' }), row({ id: 2, created_at_ms: NOW, value_usdt: '10', failed_checks: ['verified'] }), row({ id: 3, created_at_ms: NOW - 2 * HOUR, value_usdt: null })];
    const ids = (by: 'oldest' | 'newest' | 'value' | 'risk') => ordered(rows, NOW, by).map(({ id }) => id);
    expect(ids('oldest')).toEqual([3, 1, 2]);
    expect(ids('newest')).toEqual([2, 1, 3]);
    expect(ids('value')).toEqual([2, 1, 3]);
    expect(ids('risk')).toEqual([2, 1, 3]);
  });
  it('compares what is read with what was typed', () => {
    expect(reads('Ada Example', '')).toBeUndefined();
    expect(reads('Ada Example', 'ADA  EXAMPLE')).toBe(true);
    expect(reads('X-123 45', 'x12345')).toBe(true);
    expect(reads('X12345', 'X12346')).toBe(false);
  });
  it('reads a country as a word or as the letters of documents', () => {
    expect(['Germany', 'GERMANY', 'DE', 'DEU', 'D', 'D<<', 'deu'].map((text) => readsCountry('DE', text))).toEqual(Array(7).fill(true));
    expect(['DEN', 'DNK', 'Denmark', 'AUT', 'B'].map((text) => readsCountry('DE', text))).toEqual(Array(5).fill(false));
    expect([readsCountry('FR', 'FRA'), readsCountry('fr', 'F'), readsCountry('XK', 'RKS'), readsCountry('DK', 'D')]).toEqual([true, false, true, false]);
    expect([readsCountry('DE', ''), readsCountry('DE', '<<'), readsCountry('', 'DEU'), readsCountry('—', 'x')]).toEqual([undefined, undefined, false, false]);
    expect([country('DE'), country('fr'), country('—')]).toEqual(['Germany (DE, DEU)', 'France (FR, FRA)', '—']);
  });
});

it('a proposal tells flags and instants in words', () => {
  expect(told('deposit_on', 1)).toBe('yes');
  expect(told('deposit_on', 0)).toBe('no');
  expect(told('effective_ms', 0)).toBe('as soon as it is confirmed');
  expect(told('confirmations', 1)).toBe('1');
  expect(told('at_ms', Date.UTC(2026, 10, 27, 17, 29, 30))).toMatch(/^1795800570000 \(2[78] Nov 2026, \d\d:\d9:30 \(UTC.*\)\)$/);
  expect(['start_ms', 'launch_ms'].map((name) => told(name, Date.UTC(2026, 10, 27, 17, 29, 30)))).toEqual(['2026-11-27 17:29:30 UTC', '2026-11-27 17:29:30 UTC']);
  expect([told('close_ms', Date.UTC(2026, 10, 27) + 7), told('close_ms', 0)]).toEqual(['2026-11-27 00:00:00.007 UTC', '—']);
  expect(label('effective_ms')).toBe('Takes effect');
  expect(changes({ withdraw_on: 0, effective_ms: 0 }, { withdraw_on: 1 })).toEqual([
    { name: 'withdraw_on', before: 'yes', after: 'no', same: false },
    { name: 'effective_ms', before: '—', after: 'as soon as it is confirmed', same: false },
  ]);
});

test('a rejection at the basic level speaks of no photo, because it has none', () => {
  expect(rejectionsOf('identity', 1).some((text) => /photo|corner/.test(text))).toBe(false);
  expect(rejectionsOf('identity', 2).some((text) => /photo/.test(text))).toBe(true);
  for (const level of [1, 2]) expect(rejectionsOf('identity', level).length).toBeGreaterThan(2);
});

test('an instant of a new coin is typed as date and time in UTC, and keeps its seconds while nobody touches it', () => {
  const at = Date.UTC(2026, 10, 27, 17, 29, 30);
  expect([utcMinute(at), utcMinute(0)]).toEqual(['2026-11-27T17:29', '']);
  expect([instantOf('2026-11-27T17:29', at), instantOf('', 0)]).toEqual([at, 0]);
  expect([instantOf('2026-11-27T17:30', at), instantOf('', at), instantOf('soon', at)]).toEqual([Date.UTC(2026, 10, 27, 17, 30), undefined, undefined]);
});

test('a coin among the terms of a product is named by its code', () => {
  const code = (id: number) => `C${id}`;
  expect(withCoins({ currency_id: 3, day: 7 }, code)).toEqual({ currency_name: 'C3', day: 7 });
  expect(withCoins({ currency_id: 0 }, code)).toEqual({ currency_id: 0 });
  expect(told('collateral', withCoins({ collateral: [{ currency_id: 1 }, { currency_id: 2 }] }, code).collateral)).toBe('Coin C1, Coin C2');
  expect(withCoins({ currency_id: 3, currency_name: 'USDT' }, code)).toEqual({ currency_id: 3, currency_name: 'USDT' });
});
