import { expect, test } from 'vitest';
import type { Notification } from '../generated/api';
import { receiveNotice } from './notices';
import { queryClient } from './query';

const stale = (kind: Notification['kind']) => {
  queryClient.setQueryData(['config'], {});
  receiveNotice({ kind } as Notification);
  return queryClient.getQueryState(['config'])?.isInvalidated;
};

test('news of the own papers change what is offered', () => {
  expect(stale('deposit')).toBe(false);
  expect(stale('identity')).toBe(true);
});
