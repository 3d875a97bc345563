import { cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { unname, useNamedId, useReadOn } from './named';

const nav = vi.hoisted(() => ({ path: 'index/jied', query: 'id=7', replace: vi.fn() }));
vi.mock('./nav', async (original) => ({
  ...(await original<object>()),
  replace: nav.replace,
  current: () => ({ path: nav.path, query: new URLSearchParams(nav.query) }),
  usePlace: () => ({ path: nav.path, query: new URLSearchParams(nav.query) }),
}));

afterEach(() => {
  cleanup();
  nav.replace.mockReset();
});

test.each([
  ['id=7', 7],
  ['tab=mine', undefined],
  ['id=0', undefined],
  ['id=7x', undefined],
])('an address with "%s" names %s, to its own page alone', (query, id) => {
  nav.query = query;
  expect(renderHook(() => useNamedId('index/jied')).result.current).toBe(id);
  expect(renderHook(() => useNamedId('finance/ordersPage')).result.current).toBeUndefined();
});

test('what closes because a link in it was followed leaves the new address alone', async () => {
  // The sheet closes before the page knows where the link leads.
  nav.query = 'id=7';
  unname('index/jied');
  nav.path = 'help-center';
  await Promise.resolve();
  expect(nav.replace).not.toHaveBeenCalled();
  nav.path = 'index/jied';
  unname('index/jied');
  await Promise.resolve();
  expect(nav.replace).toHaveBeenCalledWith('index/jied', {});
});

test('what closes leaves the rest of the address, and an address that names nothing as it is', async () => {
  nav.query = 'tab=mine&id=7';
  unname('index/jied');
  await Promise.resolve();
  expect(nav.replace.mock.calls).toEqual([['index/jied', { tab: 'mine' }]]);
  nav.query = 'tab=mine';
  unname('index/jied');
  await Promise.resolve();
  expect(nav.replace).toHaveBeenCalledTimes(1);
});

test('a list is read on only while something is looked for, and not again after a page that failed', () => {
  const fetchNextPage = vi.fn();
  const list = { hasNextPage: true, isFetchingNextPage: false, isFetchNextPageError: false, fetchNextPage };
  const read = (searching: boolean, more: Partial<typeof list> = {}) => {
    fetchNextPage.mockReset();
    renderHook(() => useReadOn(searching, { ...list, ...more }));
    return fetchNextPage.mock.calls.length;
  };
  expect([read(true), read(false), read(true, { hasNextPage: false }), read(true, { isFetchingNextPage: true }), read(true, { isFetchNextPageError: true })]).toEqual([1, 0, 0, 0, 0]);
});
