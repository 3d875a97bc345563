import { useQuery } from '@tanstack/react-query';
import { create } from 'zustand';
import type { UserCenter } from '../generated/api';
import { api, resetSeq } from '../lib/http';
import { languageCode } from '../lib/i18n';
import { toLogin } from '../lib/nav';
import { connect } from '../lib/socket';
import { storage } from '../lib/storage';
import { nextUtcDay, serverNow } from '../lib/time';
import { forgetPrivate, queryClient, refresh, setOwner } from './query';

interface Session {
  user: UserCenter | null;
  token: string;
}

const stored = (): Session => storage.session.read<UserCenter>() ?? { user: null, token: '' };

/** Logged in means that both user and token are stored. */
export const useSession = create<Session>(stored);
setOwner(useSession.getState().user?.id);
useSession.subscribe(({ user, token }, before) => {
  setOwner(user?.id);
  const kept = storage.session.read()?.token;
  // Another tab may have just logged in or out; news of the previous session must not change that.
  if (!user || !token) {
    if (kept === before.token) storage.session.clear();
  } else if (kept === token || token !== before.token || !before.user) storage.session.write(user, token);
});

/** Another tab logged in or out, so this one does the same. `loggedOut` ends the session and shows a message. */
export const followOtherTabs = (loggedOut: () => void) =>
  addEventListener('storage', (event) => {
    if (event.key !== storage.session.key) return;
    const next = stored();
    if (!next.token) return loggedOut();
    if (next.token === useSession.getState().token) return useSession.setState(next);
    resetSeq();
    forgetPrivate();
    useSession.setState(next);
    begin();
  });

export const loggedIn = () => {
  const { user, token } = useSession.getState();
  return Boolean(user && token);
};
export const useLoggedIn = () => useSession(({ user, token }) => Boolean(user && token));

const reconnect = () => void connect({ token: useSession.getState().token, language: languageCode() });

function begin(): void {
  // Which products are offered depends on the member's country.
  void refresh(['config']);
  reconnect();
}

/** Takes the token of a login, reads the user, and stores both. */
export async function signIn(token: string): Promise<void> {
  resetSeq();
  forgetPrivate();
  useSession.setState({ user: null, token });
  try {
    const { message } = await api.get('user/center');
    useSession.setState({ user: message, token });
    queryClient.setQueryData(['me', 'center'], message);
  } catch (error) {
    // Another tab may have begun a session in the meantime.
    if (useSession.getState().token === token) endSession();
    throw error;
  }
  begin();
}

/** Clears token and user; screens show their guest state. */
export function endSession(): void {
  useSession.setState({ user: null, token: '' });
  resetSeq();
  forgetPrivate();
  begin();
}

let leaving = false;
/** The member is logging out, so the end of the session needs no message. */
export const isLeaving = () => leaving;

/** Longest wait for the server's answer to a logout, ms: the session on this device ends anyway. */
const PATIENCE = 3_000;

/** Ends the session here and on the server; also works offline. */
export async function signOut(): Promise<void> {
  leaving = true;
  const { token } = useSession.getState();
  await Promise.race([api.post('user/logout', {}, { quiet: true }).catch(() => {}), new Promise((done) => setTimeout(done, PATIENCE))]);
  // Another tab may have begun a session in the meantime.
  if (useSession.getState().token === token) endSession();
  leaving = false;
}

/**
 * The login check: true when logged in. Mode 2 returns false without a redirect, so that a page can show its guest state; otherwise login
 * opens with the present page as the way back.
 */
export function requireLogin(mode: 1 | 2 = 1): boolean {
  if (loggedIn()) return true;
  if (mode !== 2) toLogin();
  return false;
}

/** A freeze blocks everything that the member would open or move, not only withdrawals. */
export const useFrozen = (): boolean => useUser().data?.freeze_scope === 'all';

/** Reads the user's own record again. */
export const refreshUser = () => refresh(['me', 'center']);

/** The user's own record, kept up to date. */
export function useUser() {
  const enabled = useLoggedIn();
  const stored = useSession(({ user }) => user);
  return useQuery({
    queryKey: ['me', 'center'],
    enabled,
    queryFn: async () => {
      const { message } = await api.get('user/center');
      useSession.setState({ user: message });
      return message;
    },
    ...(stored && { placeholderData: stored }),
  });
}

export const OWN_LIMITS = ['me', 'limits'];
/** The limits that members set for themselves, with today's use. No event reports the end of a day or the start of a looser limit. */
export const useOwnLimits = () => useQuery({ queryKey: OWN_LIMITS, enabled: useLoggedIn(), refetchInterval: () => untilLimits(serverNow()), queryFn: async () => (await api.get('user/limits')).message });
/** Milliseconds until they are read again: a minute, or until a moment after the end of the UTC day whose use they count. */
export const untilLimits = (now: number) => Math.min(60_000, nextUtcDay(now) - now + 1_000);
