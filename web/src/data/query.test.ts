import { QueryObserver } from '@tanstack/react-query';
import { beforeEach, expect, test, vi } from 'vitest';
import { Refusal } from '../lib/errors';
import { queryClient, refetchFailed, refreshSoon } from './query';

beforeEach(() => vi.useRealTimers());

test('what could not be read is read again, what was read is not', async () => {
  const failing = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Refusal('E_NOT_READY', '')).mockResolvedValue('news');
  const good = vi.fn(async () => 'good');
  const failed = new QueryObserver(queryClient, { queryKey: ['failed'], queryFn: failing });
  const fine = new QueryObserver(queryClient, { queryKey: ['fine'], queryFn: good });
  const leave = [failed, fine].map((observer) => observer.subscribe(() => {}));
  await vi.waitFor(() => expect(failed.getCurrentResult().isError && fine.getCurrentResult().isSuccess).toBe(true));
  refetchFailed();
  await vi.waitFor(() => expect(failed.getCurrentResult().data).toBe('news'));
  expect(good).toHaveBeenCalledTimes(1);
  for (const go of leave) go();
});

test('a read that was one too many is repeated as soon as the server allows it', async () => {
  const read = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Refusal('E_RATE', '', { retry_ms: 20 })).mockRejectedValueOnce(new Refusal('E_RATE', '', { retry_ms: 20 })).mockResolvedValue('rows');
  const busy = new QueryObserver(queryClient, { queryKey: ['busy'], queryFn: read });
  vi.useFakeTimers();
  const leave = busy.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(100);
  expect(busy.getCurrentResult().data).toBe('rows');
  leave();
});

test('many events have a list read once, and once more if one came while it was read', async () => {
  let done: (rows: string) => void = () => {};
  const read = vi.fn(() => new Promise<string>((give) => (done = give)));
  const list = new QueryObserver(queryClient, { queryKey: ['me', 'list'], queryFn: read, initialData: 'old' });
  const leave = list.subscribe(() => {});
  done('first');
  const calls = () => read.mock.calls.length;
  const before = calls();
  for (let event = 0; event < 50; event += 1) refreshSoon(['me', 'list']);
  await vi.waitFor(() => expect(calls()).toBe(before + 1));
  for (let event = 0; event < 50; event += 1) refreshSoon(['me', 'list']);
  await new Promise((wake) => setTimeout(wake, 500));
  expect(calls()).toBe(before + 1);
  done('second');
  await vi.waitFor(() => expect(calls()).toBe(before + 2));
  done('third');
  await vi.waitFor(() => expect(list.getCurrentResult().data).toBe('third'));
  await new Promise((wake) => setTimeout(wake, 500));
  expect(calls()).toBe(before + 2);
  leave();
});
