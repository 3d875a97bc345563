import { expect, test } from 'vitest';
import { useSession } from '../../data/session';
import { useDetails } from './api';
import { NO_DETAILS } from './model';

const log = (id?: number) => useSession.setState({ user: id === undefined ? null : ({ id } as never), token: id === undefined ? '' : `token ${id}` });

test('papers that one member typed are gone when another has logged in, also from another tab', () => {
  log(1);
  const typed = { ...NO_DETAILS, name: 'Ada Example', card_id: 'X123' };
  useDetails.setState(typed);
  // The user's own record is read repeatedly.
  useSession.setState({ user: { id: 1, nickname: 'ada' } as never });
  expect(useDetails.getState()).toEqual(typed);
  // The session of another tab replaces this one at once.
  log(2);
  expect(useDetails.getState()).toEqual(NO_DETAILS);
  useDetails.setState(typed);
  log();
  expect(useDetails.getState()).toEqual(NO_DETAILS);
});
