import { expect, test } from 'vitest';
import type { VerificationRow } from '../../generated/api';
import { canSend, detailsOf, fieldOf, isBlank, newestFirst, NO_DETAILS, reasonsOf, sent, sideOf } from './model';

test('the advanced level waits for the basic one', () => {
  const can = (review_status: 0 | 1 | 2 | 3, review_status2: 0 | 1 | 2 | 3) => [canSend(1, { review_status, review_status2 }), canSend(2, { review_status, review_status2 })];
  expect([can(0, 0), can(1, 0), can(2, 0), can(3, 0), can(2, 1), can(2, 2), can(2, 3)]).toEqual([
    [true, false],
    [false, false],
    [false, true],
    [true, false],
    [false, false],
    [false, false],
    [false, true],
  ]);
});

const full = { ...NO_DETAILS, country: 'DE', name: ' Ada Example ', card_id: 'X123', address: '1 High St' };

test('the same address counts for both', () => {
  expect(reasonsOf(full)).toEqual([]);
  expect(sent(full)).toEqual({ country: 'DE', name: 'Ada Example', card_id: 'X123', address: '1 High St', residence_address: '1 High St' });
  expect(sent({ ...full, same: false, residence_address: '2 Low St' }).residence_address).toBe('2 Low St');
});

test('what was sent before is what the form holds again', () => {
  for (const residence_address of ['1 High St', '2 Low St']) {
    const typed = { ...sent(full), residence_address };
    expect(detailsOf(typed).same).toBe(residence_address === '1 High St');
    expect(sent(detailsOf(typed))).toEqual(typed);
  }
  expect([isBlank(NO_DETAILS), isBlank({ ...NO_DETAILS, same: false }), isBlank({ ...NO_DETAILS, name: 'A' })]).toEqual([true, true, false]);
});

test('what is missing or too long is told at its field', () => {
  expect(reasonsOf(NO_DETAILS).map(({ field }) => field)).toEqual(['country', 'name', 'card_id', 'address']);
  expect(reasonsOf({ ...full, same: false }).map(({ field, text }) => [field, text])).toEqual([['residence_address', 'funding.needed']]);
  expect(reasonsOf({ ...full, name: 'x'.repeat(101) })).toEqual([{ field: 'name', text: 'funding.tooLong', values: { max: 100 } }]);
  expect(reasonsOf({ ...full, name: '  ' }).map(({ field }) => field)).toEqual(['name']);
  expect([fieldOf('card_id'), fieldOf('other')]).toEqual(['card_id', undefined]);
});

test('a refusal names its photo', () => {
  expect(['front_pic', 'reverse_pic', 'hand_pic', 'card_id', undefined].map(sideOf)).toEqual(['front', 'back', 'hand', undefined, undefined]);
});

test('the newest attempt is first', () => {
  const rows = [1, 3, 2].map((id) => ({ id, create_time_ms: id }) as VerificationRow);
  expect(newestFirst(rows).map(({ id }) => id)).toEqual([3, 2, 1]);
});
