import { expect, test, vi } from 'vitest';
import type { Notification } from '../generated/api';
import { receiveNotice } from './notices';
import { queryClient } from './query';

test('news of the own papers, and of a coin that may be launched, change what is offered', async () => {
  const stale = (key: readonly string[]) => queryClient.getQueryState(key)?.isInvalidated;
  const tell = async (kind: Notification['kind']) => {
    queryClient.setQueryData(['config'], {});
    queryClient.setQueryData(['me', kind], {});
    receiveNotice({ kind } as Notification);
    await vi.waitFor(() => expect(stale(['me', kind])).toBe(true));
    return stale(['config']);
  };
  expect(await tell('deposit')).toBe(false);
  expect(await tell('identity')).toBe(true);
  expect(await tell('subscription')).toBe(true);
});
