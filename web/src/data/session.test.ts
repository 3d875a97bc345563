// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from 'vitest';
import { Refusal } from '../lib/errors';
import { storage } from '../lib/storage';
import { queryClient } from './query';
import { toggleFavourite } from './favourites';
import { endSession, followOtherTabs, isLeaving, signIn, signOut, untilLimits, useSession } from './session';

const connect = vi.hoisted(() => vi.fn());
vi.mock('../lib/socket', () => ({ connect }));
const { get, post } = vi.hoisted(() => ({ get: vi.fn(), post: vi.fn() }));
vi.mock('../lib/http', async (original) => ({ ...(await original<object>()), api: { get, post } }));
const loggedOut = vi.fn();
followOtherTabs(loggedOut);

const user = (id: number) => ({ id }) as never;
/** Something that another tab wrote, with its storage event. */
function elsewhere(write: () => void): void {
  write();
  dispatchEvent(new StorageEvent('storage', { key: storage.session.key }));
}

beforeEach(() => {
  useSession.setState({ user: user(1), token: 'one' });
  queryClient.setQueryData(['me', 'wallet'], 'of one');
  queryClient.setQueryData(['config'], {});
  vi.clearAllMocks();
});

test('a log-in in another tab takes over here with all that belongs to it', () => {
  elsewhere(() => storage.session.write(user(2), 'two'));
  expect(useSession.getState()).toEqual({ user: user(2), token: 'two' });
  expect(queryClient.getQueryData(['me', 'wallet'])).toBeUndefined();
  expect(queryClient.getQueryState(['config'])?.isInvalidated).toBe(true);
  expect(connect.mock.lastCall?.[0]).toMatchObject({ token: 'two' });
});

test('a log-out in another tab ends the session here, while it is still known', () => {
  loggedOut.mockImplementation(() => expect(useSession.getState().token).toBe('one'));
  elsewhere(() => storage.session.clear());
  expect(loggedOut).toHaveBeenCalledTimes(1);
});

test('news of the same person disturb nothing', () => {
  elsewhere(() => storage.session.write({ id: 1, unread: 3 }, 'one'));
  expect(useSession.getState().user).toEqual({ id: 1, unread: 3 });
  expect(queryClient.getQueryData(['me', 'wallet'])).toBe('of one');
  expect(connect).not.toHaveBeenCalled();
});

test('a late answer to the session before changes nothing of what another tab left', () => {
  storage.session.write(user(2), 'two');
  useSession.setState({ user: { id: 1, unread: 4 } as never });
  expect(storage.session.read()).toEqual({ user: user(2), token: 'two' });
  useSession.setState({ user: null, token: '' });
  expect(storage.session.read()).toEqual({ user: user(2), token: 'two' });
});

test('news that say the same store nothing: what another tab stores at that moment would not be seen', () => {
  const stored = vi.spyOn(Storage.prototype, 'setItem');
  useSession.setState({ user: user(1) });
  expect(stored).not.toHaveBeenCalled();
  useSession.setState({ user: { id: 1, unread: 4 } as never });
  expect(stored).toHaveBeenCalledTimes(1);
  stored.mockRestore();
});

test('what is kept of one member is not found by the next', () => {
  useSession.setState({ user: user(2), token: 'two' });
  expect(queryClient.getQueryData(['me', 'wallet'])).toBeUndefined();
  useSession.setState({ user: user(1), token: 'one' });
  expect(queryClient.getQueryData(['me', 'wallet'])).toBe('of one');
});

test('a log-in that comes too late does not end the session that began meanwhile (F30)', async () => {
  get.mockImplementation(async () => {
    elsewhere(() => storage.session.write(user(2), 'two'));
    throw new Refusal('E_SESSION', '');
  });
  await expect(signIn('late')).rejects.toMatchObject({ code: 'E_SESSION' });
  expect(useSession.getState()).toEqual({ user: user(2), token: 'two' });
  expect(storage.session.read()).toEqual({ user: user(2), token: 'two' });
});

test('a log-out ends after three seconds without an answer', async () => {
  vi.useFakeTimers();
  post.mockReturnValue(new Promise(() => {}));
  const left = signOut();
  await vi.advanceTimersByTimeAsync(2_999);
  expect([useSession.getState().token, isLeaving()]).toEqual(['one', true]);
  await vi.advanceTimersByTimeAsync(1);
  await left;
  expect([useSession.getState(), storage.session.read(), isLeaving()]).toEqual([{ user: null, token: '' }, null, false]);
  vi.useRealTimers();
});

test('a log-out does not end the session that another tab began meanwhile', async () => {
  post.mockImplementation(async () => elsewhere(() => storage.session.write(user(2), 'two')));
  await signOut();
  expect([useSession.getState(), isLeaving()]).toEqual([{ user: user(2), token: 'two' }, false]);
  expect(storage.session.read()).toEqual({ user: user(2), token: 'two' });
});

test('which products are offered is read again for a guest, once a session has ended', () => {
  endSession();
  expect(queryClient.getQueryState(['config'])?.isInvalidated).toBe(true);
  expect(connect.mock.lastCall?.[0]).toMatchObject({ token: '' });
});

test('a star that one member set is not taken back from the next (F30)', async () => {
  queryClient.setQueryData(['me', 'favourites'], [7]);
  post.mockImplementation(async () => {
    useSession.setState({ user: user(2), token: 'two' });
    queryClient.setQueryData(['me', 'favourites'], [1, 2]);
    throw new Refusal('E_SESSION', '');
  });
  await toggleFavourite(8);
  expect(queryClient.getQueryData(['me', 'favourites'])).toEqual([1, 2]);
});

test('own limits are read again soon after the UTC day ends, and every minute otherwise', () => {
  const midnight = Date.UTC(2026, 10, 29);
  expect([30_000, 5_000, 1].map((before) => untilLimits(midnight - before))).toEqual([31_000, 6_000, 1_001]);
  expect([midnight, midnight - 3_600_000].map(untilLimits)).toEqual([60_000, 60_000]);
});
