import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { useSession } from '../data/session';
import type { UserCenter } from '../generated/api';
import { toast, Toasts } from '../ui/Toast';
import { clearForOthers } from './messages';

afterEach(cleanup);

const member = (id: number, nickname = '') => ({ user: { id, nickname } as unknown as UserCenter, token: `token of ${id}` });

test('a message, with its button, goes with the member whom it was for, and not before', async () => {
  clearForOthers();
  useSession.setState(member(1));
  render(<Toasts />);
  act(() => toast('ETH/USDT removed from the watchlist', { action: { label: 'Undo', run: () => {} } }));
  expect(await screen.findByText('Undo')).toBeTruthy();
  act(() => useSession.setState(member(1, 'Ann')));
  expect(screen.getByText('Undo')).toBeTruthy();
  act(() => {
    useSession.setState({ user: null, token: '' });
    toast('Logged out');
  });
  expect(screen.queryByText('Undo')).toBeNull();
  act(() => useSession.setState(member(2)));
  expect(document.body.textContent).toBe('Logged out');
});
