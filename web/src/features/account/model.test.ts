import { describe, expect, test } from 'vitest';
import { accessAct, accessKind, accessRoles, ago, contactFieldOf, contactReasons, fundFieldOf, fundReasons, isSecondFactor, isWeak, nicknameFits, recoveryFile, ticketOf, type ContactForm, type FundPasswords } from './model';
import { todos } from '../../lib/todos';

test.each([
  [2, 0, ['fund', 'totp']],
  [2, 1, ['fund']],
  [1, 0, ['totp']],
  [1, 1, []],
] as const)('fund password %s and authenticator %s leave %j to do', (fund_password, totp, left) => {
  expect(todos({ fund_password, totp })).toEqual(left);
});

describe('a change of contact', () => {
  const form = (part: Partial<ContactForm>): ContactForm => ({ way: 'email', email: 'a@example.org', phone: '', dial: '49', code: '123456', password: 'secret', otp: undefined, ...part });
  test.each([
    [{}, []],
    [{ email: '' }, ['auth.needEmail']],
    [{ email: 'a@b' }, ['errors.E_EMAIL']],
    [{ way: 'phone' as const }, ['auth.needPhone']],
    [{ way: 'phone' as const, phone: '15112345678' }, []],
    [{ way: 'phone' as const, phone: '1', dial: undefined }, ['auth.needCountry']],
    [{ code: '12345', password: '' }, ['security.needCode', 'security.needLogin']],
    [{ otp: '' }, ['auth.needOtp']],
    [{ otp: '123456' }, []],
  ])('%j', (part, texts) => {
    expect(contactReasons(form(part)).map(({ text }) => text)).toEqual(texts);
  });
  test.each([
    ['E_EMAIL', 'contact'],
    ['E_CODE_LOCKED', 'code'],
    ['E_PASSWORD_OLD', 'password'],
    ['E_2FA_REQUIRED', 'otp'],
    ['E_RATE', null],
  ])('%s is told at %s', (code, field) => {
    expect(contactFieldOf(code)).toBe(field);
  });
});

describe('a fund password', () => {
  const form = (part: Partial<FundPasswords>): FundPasswords => ({ old: '102938', login: 'secret', code: '123456', password: '847261', again: '847261', otp: undefined, ...part });
  test.each([
    ['set', {}, []],
    ['set', { old: '' }, []],
    ['set', { login: '', code: '' }, ['security.needLogin', 'security.needCode']],
    ['reset', { login: '' }, ['security.needLogin']],
    ['change', { login: '', code: '' }, []],
    ['change', { old: '1' }, ['security.needOldFund']],
    ['change', { password: '102938', again: '102938' }, ['security.fundSame']],
    ['set', { password: '12345' }, ['security.needFund', 'security.fundMismatch']],
    ['set', { again: '847262' }, ['security.fundMismatch']],
    ['set', { again: '' }, ['security.needRepeat']],
    ['set', { otp: '12' }, ['auth.needOtp']],
  ] as const)('%s %j', (mode, part, texts) => {
    expect(fundReasons(mode, form(part)).map(({ text }) => text)).toEqual(texts);
  });
  test.each([
    ['E_FUNDPW_LOCKED', 'old'],
    ['E_FUNDPW_SAME', 'password'],
    ['E_PASSWORD_OLD', 'login'],
    ['E_2FA_WRONG', 'otp'],
    ['E_NETWORK', null],
  ])('%s is told at %s', (code, field) => {
    expect(fundFieldOf(code)).toBe(field);
  });
  test.each([
    ['111111', true],
    ['123456', true],
    ['987654', true],
    ['121212', true],
    ['123123', true],
    ['12345', false],
    ['847261', false],
    ['135791', false],
  ])('%s is easy to guess: %s', (digits, weak) => {
    expect(isWeak(digits)).toBe(weak);
  });
});

test.each([
  ['123456', true],
  [' 123456 ', true],
  ['12345', false],
  ['abcd-efgh', true],
  ['', false],
])('"%s" may open the second step: %s', (typed, may) => {
  expect(isSecondFactor(typed)).toBe(may);
});

test.each([
  ['a', false],
  ['ab', true],
  ['  a ', false],
  ['é'.repeat(32), true],
  ['x'.repeat(33), false],
])('"%s" fits as a nickname: %s', (text, fits) => {
  expect(nicknameFits(text)).toBe(fits);
});

test('the file of recovery codes names the account and has one code a line', () => {
  expect(recoveryFile('M123', ['a', 'b'])).toBe('Meridian M123\n\na\nb\n');
});

test('a change is told in whole units of its age', () => {
  const minute = 60_000;
  expect(ago(0, 10_000, 'en')).toBe('1 minute ago');
  expect(ago(0, 59 * minute, 'en')).toBe('59 minutes ago');
  expect(ago(0, 25 * 60 * minute, 'en')).toBe('yesterday');
  expect(ago(0, 95 * 24 * 60 * minute, 'de')).toBe('vor 3 Monaten');
});

test('an answer of support has its ticket for a reason', () => {
  expect([{ kind: 'ticket', reason: '#12' }, { kind: 'ticket', reason: 'To answer #12' }, { kind: 'chat', reason: '#12' }].map(ticketOf)).toEqual(['12', undefined, undefined]);
});

describe('who looked', () => {
  test.each([
    ['view', 'user', 'security.act.view', 'profile.account'],
    ['propose_unfreeze', 'user', 'security.act.proposeUnfreeze', 'profile.account'],
    ['propose_return', 'withdrawal', 'security.act.proposeReturn', 'tickets.category.withdrawal'],
    ['approve', 'loan', 'security.act.approve', 'tickets.receipt.loan'],
    ['propose_reverse', 'observation', 'security.act.proposeReverse', 'security.kind.observation'],
    ['enter', 'observation', 'security.act.enter', 'security.kind.observation'],
    ['confirm', 'proposal', 'security.act.confirm', 'security.kind.proposal'],
    ['something_new', 'user', 'security.act.change', 'profile.account'],
  ])('%s of %s has its own words', (action, kind, act, object) => {
    expect([accessAct(action), accessKind(kind)]).toEqual([act, object]);
  });
  test('several roles are told each, those without a word of their own once', () => {
    expect(accessRoles('support, verifier')).toEqual(['security.role.support', 'security.role.verifier']);
    expect(accessRoles('market, treasury, admin')).toEqual(['security.role.other', 'security.role.treasury']);
  });
});
