import { describe, expect, test } from 'vitest';
import { secondsUntil } from '../../lib/clock';
import { isEmail, isPhone } from '../../lib/input';
import { changeReasons, contactReason, fieldOf, registerReasons, strength, target, type Contact } from './model';

const rules = { min: 6, max: 128 };
const contact = (part: Partial<Contact>): Contact => ({ way: 'phone', iso: 'TH', phone: '', email: '', username: '', ...part });

test.each([
  ['66', '81 234 5678', true],
  ['66', '812-345-678', true],
  ['66', '123', false],
  ['66', '12345678901234', false],
  [undefined, '812345678', false],
])('phone +%s %s is valid: %s', (dial, phone, valid) => {
  expect(isPhone(dial, phone)).toBe(valid);
});

test.each([
  ['anna@mail.example', true],
  [' anna.k+x@sub.mail.example ', true],
  ['anna@mail', false],
  ['anna@@mail.example', false],
  ['an na@mail.example', false],
  ['anna@10.0.0.1', false],
  ['@mail.example', false],
  ['ü@x.de', false],
  ['a@münchen.de', false],
  ['a..b@mail.example', false],
  ['.a@mail.example', false],
  ['a@-mail.example', false],
  ["o'neill@mail.example", true],
])('email %s is valid: %s', (text, valid) => {
  expect(isEmail(text)).toBe(valid);
});

test.each([
  [contact({}), undefined, 'auth.needCountry'],
  [contact({}), '66', 'auth.needPhone'],
  [contact({ phone: '12' }), '66', 'errors.E_PHONE'],
  [contact({ phone: '81 234 5678' }), '66', undefined],
  [contact({ way: 'email' }), undefined, 'auth.needEmail'],
  [contact({ way: 'email', email: 'x' }), undefined, 'errors.E_EMAIL'],
  [contact({ way: 'email', email: 'a@b.co' }), undefined, undefined],
  [contact({ way: 'username', username: ' ' }), undefined, 'auth.needUsername'],
  [contact({ way: 'username', username: '10482207' }), undefined, undefined],
])('contact %# asks for %s', (given, dial, text) => {
  expect(contactReason(given, dial)?.text).toBe(text);
});

test('who joins by e-mail names a country, who joins by phone or logs in does not', () => {
  const mail = contact({ way: 'email', email: 'a@b.co' });
  expect(contactReason(mail, undefined, true)?.text).toBe('auth.needResidence');
  expect(contactReason(mail, '66', true)).toBeNull();
  expect(contactReason(contact({ way: 'email', email: 'x' }), undefined, true)?.text).toBe('errors.E_EMAIL');
  expect(contactReason(contact({ phone: '81 234 5678' }), '66', true)).toBeNull();
});

test('the address goes to the server as digits, or trimmed', () => {
  expect(target(contact({ phone: '81 234 5678' }), '66')).toEqual({ user_string: '812345678', area_code: '66' });
  expect(target(contact({ way: 'email', email: ' a@b.co ' }), '66')).toEqual({ user_string: 'a@b.co' });
});

describe('new password', () => {
  test.each([
    ['', '', false, ['auth.needPassword', 'auth.needRepeat', 'auth.needTerms']],
    ['abc', 'abc', true, ['auth.shortPassword']],
    ['a'.repeat(129), 'a'.repeat(129), true, ['auth.longPassword']],
    ['secret1', 'secret2', true, ['auth.mismatch']],
    ['secret1', 'secret1', false, ['auth.needTerms']],
    ['secret1', 'secret1', true, []],
    // Characters count, not UTF-16 units.
    ['🔒🔒🔒', '🔒🔒🔒', true, ['auth.shortPassword']],
  ])('%s, %s, terms %s', (password, again, agreed, texts) => {
    expect(registerReasons({ password, again, agreed }, rules).map((reason) => reason.text)).toEqual(texts);
  });
  test.each([
    [{ old: '', password: 'secret1', again: 'secret1' }, ['auth.needOld']],
    [{ old: 'secret1', password: 'secret1', again: 'secret1' }, ['auth.samePassword']],
    [{ old: 'secret0', password: 'secret1', again: 'secret1' }, []],
  ])('change %#', (form, texts) => {
    expect(changeReasons(form, rules).map((reason) => reason.text)).toEqual(texts);
  });
});

test.each([
  ['', null],
  ['abc', 'auth.strengthShort'],
  ['aaaaaaaaaaaaaa', 'auth.strengthWeak'],
  ['123456', 'auth.strengthWeak'],
  ['12345678', 'auth.strengthWeak'],
  ['0987654321', 'auth.strengthWeak'],
  ['qwertyuiop', 'auth.strengthWeak'],
  ['1q2w3e4r5t', 'auth.strengthWeak'],
  ['Qwerty123!', 'auth.strengthWeak'],
  ['Password2024', 'auth.strengthWeak'],
  ['P@ssw0rd', 'auth.strengthWeak'],
  ['123123123', 'auth.strengthWeak'],
  ['meridian12', 'auth.strengthWeak'],
  ['river12', 'auth.strengthFew'],
  ['river 12', 'auth.strengthFair'],
  ['river crossing 12', 'auth.strengthGood'],
])('strength of %s', (password, text) => {
  expect(strength(password, 6)).toBe(text);
});

test.each([
  [10_000, 9_001, 1],
  [10_000, 10_000, 0],
  [10_000, 12_000, 0],
  [10_000, 0, 10],
])('seconds until %i at %i', (at, now, seconds) => {
  expect(secondsUntil(at, now)).toBe(seconds);
});

test.each([
  ['E_PHONE', 'contact'],
  ['E_CODE_LOCKED', 'code'],
  ['E_PASSWORD_SAME', 'password'],
  ['E_PASSWORD_OLD', 'old'],
  ['E_INVITE', null],
])('%s belongs to %s', (code, field) => {
  expect(fieldOf(code)).toBe(field);
});
