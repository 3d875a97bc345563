import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useSession } from '../../data/session';
import type { UserCenter } from '../../generated/api';
import { validate, type OrderContext } from './order';
import { market } from './testing';
import { usedMultiple, useOrderForm } from './useOrder';

afterEach(cleanup);

const ANYONE = { loggedIn: true, online: true, open: true, positions: 0, maxPositions: 50 } as OrderContext;

const shown = () => renderHook(() => useOrderForm(market(), 'short', false));

test('the multiple that one member used is not proposed to the next', () => {
  const be = (id: number) => act(() => useSession.setState({ user: { id } as UserCenter, token: `token ${id}` }));
  be(1);
  usedMultiple(10);
  expect(shown().result.current.multiple).toBe(10);
  cleanup();
  be(2);
  expect(shown().result.current.multiple).toBe(5);
  cleanup();
  be(1);
  expect(shown().result.current.multiple).toBe(10);
  cleanup();
  act(() => useSession.setState({ user: null, token: '' }));
});

test('what was typed is there when the form opens again; what was sent is not, and never more than 10 times', () => {
  const first = shown();
  expect(first.result.current.multiple).toBe(5);
  act(() => {
    first.result.current.setKind('limit');
    first.result.current.setMultiple(20);
    first.result.current.limit.setText('101000');
    first.result.current.lots.setText('5');
  });
  first.unmount();
  const again = shown();
  expect(again.result.current.draft).toMatchObject({ kind: 'limit', multiple: 20, limit: { ok: true }, lots: { ok: true } });
  act(() => {
    usedMultiple(20);
    again.result.current.clear();
  });
  again.unmount();
  const next = shown();
  expect(next.result.current.draft).toMatchObject({ kind: 'limit', multiple: 5, limit: { ok: false, reason: 'empty' }, lots: { ok: false, reason: 'empty' } });
});

test.each([
  ['long', 20],
  ['long', 50],
  ['short', 20],
  ['short', 50],
] as const)('a reviewed %s of %i times keeps the stop and profit that were proposed while the price moves, and they stay possible', (side, multiple) => {
  const { result, rerender } = renderHook(({ index, held }) => useOrderForm(market(index), side, held), { initialProps: { index: '100000.00', held: false } });
  act(() => {
    result.current.setKind('market');
    result.current.setMultiple(multiple);
    result.current.lots.setText('5');
  });
  const { stop, profit } = result.current.draft;
  for (const index of ['100001.00', '99999.00', '100499.00', '99501.00']) {
    rerender({ index, held: true });
    expect(result.current.draft).toMatchObject({ stop, profit });
    expect(validate(result.current.draft, market(index), ANYONE).filter(({ field }) => field === 'stop' || field === 'profit')).toEqual([]);
  }
});
