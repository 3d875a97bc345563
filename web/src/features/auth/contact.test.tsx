import { afterEach, expect, test } from 'vitest';
import { useSession } from '../../data/session';
import type { UserCenter } from '../../generated/api';
import { setContact, useContact } from './contact';

const member = (id: number) => useSession.setState({ user: { id } as UserCenter, token: `token ${id}` });
const typed = () => {
  const { phone, email, username } = useContact.getState();
  return { phone, email, username };
};
const NOTHING = { phone: '', email: '', username: '' };
const ADA = { phone: '15112345678', email: 'ada@example.org', username: 'ada' };

afterEach(() => useSession.setState({ user: null, token: '' }));

test('what was typed to log in is gone once somebody is logged in, and is not there for the next', () => {
  setContact({ way: 'email', ...ADA });
  // The token is there before the member is: the form may still need what it sent.
  useSession.setState({ user: null, token: 'token 1' });
  expect(typed()).toEqual(ADA);
  member(1);
  expect(typed()).toEqual(NOTHING);
  expect(useContact.getState().way).toBe('email');
});

test('a session of another tab takes what a guest had typed with it, and so does its end', () => {
  setContact(ADA);
  member(2);
  expect(typed()).toEqual(NOTHING);
  setContact(ADA);
  useSession.setState({ user: { id: 2, nickname: 'Ada' } as UserCenter });
  expect(typed()).toEqual(ADA);
  useSession.setState({ user: null, token: '' });
  expect(typed()).toEqual(NOTHING);
});
