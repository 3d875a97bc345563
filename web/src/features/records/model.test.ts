import { expect, test } from 'vitest';
import { depositStages, depositStatus, withdrawStatus } from './model';

const row = (part: object = {}) => ({ status: 1 as const, is_bank: 0 as const, img: '/files/1', confirmations: null, confirmations_needed: null, ...part });
const told = (part: object = {}) => depositStages(row(part)).map(({ title, state }) => `${title.split('.')[1]} ${state}`);

test.each([
  [{}, ['told done', 'unseen now', 'inReview next', 'credited next']],
  [{ confirmations: 4, confirmations_needed: 20 }, ['told done', 'seen now', 'inReview next', 'credited next']],
  [{ confirmations: 20, confirmations_needed: 20 }, ['told done', 'seen done', 'inReview now', 'credited next']],
  [{ status: 2, confirmations: 20, confirmations_needed: 20 }, ['told done', 'seen done', 'inReview done', 'credited done']],
  [{ status: 2 }, ['told done', 'inReview done', 'credited done']],
  [{ status: 3 }, ['told done', 'rejected failed']],
  [{ status: 3, confirmations: 2, confirmations_needed: 20 }, ['told done', 'seen done', 'rejected failed']],
  [{ img: '', confirmations: 4, confirmations_needed: 20 }, ['seen now', 'inReview next', 'credited next']],
  [{ is_bank: 1 }, ['told done', 'inReview now', 'credited next']],
  [{ is_bank: 1, status: 2 }, ['told done', 'inReview done', 'credited done']],
])('deposit %o', (part, expected) => expect(told(part)).toEqual(expected));

test('the confirmations are told', () => {
  expect(depositStages(row({ confirmations: 4, confirmations_needed: 20 }))[1]?.values).toEqual({ seen: 4, needed: 20 });
});

test('every state has its word and a look that is not a direction', () => {
  expect(([1, 2, 3] as const).map((status) => depositStatus({ status }).tone)).toEqual(['info', 'done', 'danger']);
  expect((['under_review', 'passed', 'sent', 'rejected', 'cancelled', 'returned'] as const).map((state) => withdrawStatus({ state }).tone)).toEqual(['info', 'info', 'done', 'danger', 'caution', 'caution']);
});
