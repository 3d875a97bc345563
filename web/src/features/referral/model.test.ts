import { expect, test } from 'vitest';
import type { Rank, RebateRow } from '../../generated/api';
import { byFeeDay, dayStart, isOnBoard, linkOf } from './model';

test('a link can be opened by others, whether the server gives a path or an address', () => {
  expect(linkOf('/h5/#/pages/user/login/register?code=M7K2QD', 'https://x.example')).toBe('https://x.example/h5/#/pages/user/login/register?code=M7K2QD');
  expect(linkOf('https://y.example/h5/', 'https://x.example')).toBe('https://y.example/h5/');
});

test('rebates stand below the UTC day whose fees they are a part of', () => {
  const row = (id: number, day: string) => ({ id, day }) as RebateRow;
  expect(byFeeDay([row(3, '2026-11-25'), row(2, '2026-11-25'), row(1, '2026-11-24')]).map(({ day, rows }) => [day, rows.length])).toEqual([
    ['2026-11-25', 2],
    ['2026-11-24', 1],
  ]);
  expect([dayStart('2026-11-25'), dayStart('soon')]).toEqual([Date.UTC(2026, 10, 25), undefined]);
});

test('who is hidden on the board is nobody in particular', () => {
  const ranks = [{ rank: 1, user_id: 0 }, { rank: 2, user_id: 7 }] as Rank[];
  expect([isOnBoard(ranks, 7), isOnBoard(ranks, 8), isOnBoard(ranks, undefined)]).toEqual([true, false, false]);
});
