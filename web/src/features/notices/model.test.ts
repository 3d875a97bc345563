import { expect, test } from 'vitest';
import { pageOf } from './model';

test.each([
  ['withdrawal', 7, { path: 'assets/withdraw/detail', query: { id: 7 } }],
  ['withdrawal', null, { path: 'assets/record', query: {} }],
  ['ticket', 3, { path: 'help/center/ticket', query: { id: 3 } }],
  ['chat', 9, { path: 'help/center/chat', query: {} }],
  ['security', null, { path: 'settings/security/index', query: {} }],
  ['order', 9, { path: 'index/orderlist', query: { id: 9 } }],
  ['contract', 12, { path: 'lever/index', query: { order: 12 } }],
  ['option', 8, { path: 'option/detail', query: { order: 8 } }],
  ['plan', 5, { path: 'finance/ordersPage', query: {} }],
  ['loan', 4, { path: 'index/jied', query: { id: 4 } }],
  ['loan', null, { path: 'index/jied', query: {} }],
  ['subscription', 6, { path: 'publication/index', query: {} }],
  ['system', 1, undefined],
] as const)('a message about %s %s leads to its page', (kind, object, page) => {
  expect(pageOf(kind, object)).toEqual(page);
});
