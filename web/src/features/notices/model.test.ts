import { expect, test } from 'vitest';
import { pageOf } from './model';

test.each([
  ['withdrawal', 7, { path: 'assets/withdraw/detail', query: { id: 7 } }],
  ['withdrawal', null, { path: 'assets/record', query: {} }],
  ['ticket', 3, { path: 'help/center/ticket', query: { id: 3 } }],
  ['chat', 9, { path: 'help/center/chat', query: {} }],
  ['security', null, { path: 'settings/security/index', query: {} }],
  ['system', 1, undefined],
] as const)('a message about %s %s leads to its page', (kind, object, page) => {
  expect(pageOf(kind, object)).toEqual(page);
});
