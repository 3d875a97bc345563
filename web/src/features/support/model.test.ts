import { expect, test } from 'vitest';
import { draftReasons, messageReason, stateOf } from './model';

test.each([
  ['', 'tickets.needText'],
  ['  \n ', 'tickets.needText'],
  ['help', undefined],
  ['é'.repeat(2_000), undefined],
  ['x'.repeat(2_001), 'tickets.longText'],
])('a message of %s letters', (text, reason) => {
  expect(messageReason(text)).toBe(reason);
});

test.each([
  [{ title: '', content: '' }, ['title', 'content']],
  [{ title: 'x'.repeat(101), content: 'a' }, ['title']],
  [{ title: 'Deposit', content: ' ' }, ['content']],
  [{ title: 'Deposit', content: 'It has not arrived' }, []],
])('a ticket %#', (draft, fields) => {
  expect(draftReasons(draft).map(({ field }) => field)).toEqual(fields);
});

test('an unknown state reads as open', () => {
  expect([1, 2, 3, 9].map((status) => stateOf(status).text)).toEqual(['tickets.open', 'tickets.answered', 'tickets.closed', 'tickets.open']);
});
