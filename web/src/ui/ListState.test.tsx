import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Refusal } from '../lib/errors';
import { activate } from '../lib/i18n';
import { setServerTime } from '../lib/time';
import { ListState } from './ListState';

const at = new Date(2026, 10, 22, 21, 8, 14).getTime();
const show = (isError: boolean, dataUpdatedAt?: number) =>
  render(
    <ListState query={{ data: 'rows', isError, isPending: false, refetch: () => {}, ...(dataUpdatedAt !== undefined && { dataUpdatedAt }) }} errorTitle="Orders did not load">
      {(data) => <p>{data}</p>}
    </ListState>,
  );
const line = (on: boolean) =>
  act(() => {
    Object.defineProperty(navigator, 'onLine', { value: on, configurable: true });
    dispatchEvent(new Event(on ? 'online' : 'offline'));
  });

beforeEach(() => activate('en'));
afterEach(() => {
  line(true);
  cleanup();
});

test('rows that are fresh say no time', () => {
  show(false, at);
  expect(screen.queryByText(/As of/)).toBeNull();
});

test('rows that could not be read again say of when they are', () => {
  show(true, at);
  expect(screen.getByRole('status').textContent).toBe('Orders did not loadAs of 21:08:14Try again');
  expect(screen.getByText('rows').closest('.dimmed, [class*=dimmed]')).toBeNull();
});

test('without a connection the rows stay, are dimmed, and say of when they are', () => {
  show(false, at);
  const rows = screen.getByText('rows');
  line(false);
  expect(screen.getByText('As of 21:08:14')).toBeTruthy();
  expect(screen.getByText('rows')).toBe(rows);
  expect(rows.closest('[class*=dimmed]')).toBeTruthy();
  line(true);
  expect(rows.closest('[class*=dimmed]')).toBeNull();
});

test('rows of an unknown time say none', () => {
  show(true);
  expect(screen.queryByText(/As of/)).toBeNull();
});

test('of when they are is told by the clock of the server, as all other times are', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  setServerTime(Date.now() + 3_600_000, 0);
  vi.useRealTimers();
  show(true, at);
  expect(screen.getByText('As of 22:08:14')).toBeTruthy();
});

test('what does not exist says so, and offers no other try', () => {
  const failed = (code: string) =>
    render(
      <ListState<string> query={{ data: undefined, isError: true, error: new Refusal(code, ''), isPending: false, refetch: () => {} }} errorTitle="Options did not load">
        {(data) => data}
      </ListState>,
    );
  const { unmount } = failed('E_NOT_FOUND');
  expect(screen.getByRole('heading').textContent).toBe('We can’t find that page');
  expect(screen.queryByRole('button')).toBeNull();
  unmount();
  failed('E_NETWORK');
  expect(screen.getByRole('heading').textContent).toBe('Options did not load');
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
});
