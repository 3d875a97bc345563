import { QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { Refusal } from '../lib/errors';
import { queryClient, refetchFailed } from './query';

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
