import { expect, test } from 'vitest';
import { EMPTY, fieldOf, ibanProblem, isBankCode, lastFour, reasonsOf, sent } from './model';

test.each([
  ['DE89 3704 0044 0532 0130 00', undefined],
  ['gb82west12345698765432', undefined],
  ['FR1420041010050500013M02606', undefined],
  ['NO9386011117947', undefined],
  ['DE89 3704 0044 0532 0130 01', 'errors.E_IBAN'],
  ['DE89 3704 0044 0532 0130', 'cards.ibanLength'],
  ['ZZ12', 'errors.E_IBAN'],
  ['', 'errors.E_IBAN'],
])('IBAN %s: %s', (iban, problem) => {
  expect(ibanProblem(iban)?.text).toBe(problem);
});

test.each([
  ['DEUTDEFF', true],
  ['deutdeff500', true],
  ['021000021', true],
  ['021000022', false],
  ['DEUTDEF', false],
  ['', false],
])('bank code %s: %s', (code, right) => {
  expect(isBankCode(code)).toBe(right);
});

const local = { ...EMPTY, bank_account: '1234 5678 9012', bank_name: 'First Bank', bank_branch: 'Main' };
const abroad = { ...local, bank_address: '1 High St', swift_code: 'deutdeff', iban: 'de89 3704 0044 0532 0130 00', residence_address: '2 Low St', postal_code: '10115' };

test('every field is needed, and each is named', () => {
  expect(reasonsOf(EMPTY, false).map(({ field }) => field)).toEqual(['bank_account', 'bank_name', 'bank_branch']);
  expect(reasonsOf(EMPTY, true)).toHaveLength(8);
  expect(reasonsOf(local, false)).toEqual([]);
  expect(reasonsOf(abroad, true)).toEqual([]);
  expect(reasonsOf({ ...abroad, bank_account: '1234567', iban: 'DE1', swift_code: 'x', postal_code: 'x'.repeat(101) }, true).map(({ text }) => text)).toEqual([
    'cards.numberForm',
    'errors.E_SWIFT',
    'cards.ibanLength',
    'funding.tooLong',
  ]);
});

test('a local card sends nothing of the other form', () => {
  expect(sent(abroad, false)).toEqual({ bank_account: '123456789012', bank_name: 'First Bank', bank_branch: 'Main' });
  expect(sent(abroad, true)).toMatchObject({ iban: 'DE89370400440532013000', swift_code: 'DEUTDEFF', postal_code: '10115' });
});

test('a refusal finds its field', () => {
  expect([fieldOf('E_IBAN', undefined), fieldOf('E_FIELD', 'postal_code'), fieldOf('E_FIELD', 'x'), fieldOf('E_HOLDER', undefined)]).toEqual(['iban', 'postal_code', undefined, undefined]);
  expect(lastFour('•••• •••• 4821')).toBe('4821');
});
