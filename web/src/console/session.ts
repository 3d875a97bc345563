import { create } from 'zustand';
import type { Operator } from './api';

/** The operator's session: in this browser tab only, and separate from the app's. */
export interface Session {
  token: string;
  operator: Operator | null;
  /** Why the last session ended, for the log-in screen. */
  ended: string;
}

const KEY = 'meridian.console';
const VERSION = '1';

function stored(): Session {
  try {
    const record = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { version?: string; token?: string; operator?: Operator };
    if (record.version === VERSION && record.token && record.operator) return { token: record.token, operator: record.operator, ended: '' };
  } catch {
    // Nothing is stored, or storage is off: log in.
  }
  return { token: '', operator: null, ended: '' };
}

export const useSession = create<Session>(stored);
useSession.subscribe(({ token, operator }) => {
  try {
    if (token && operator) sessionStorage.setItem(KEY, JSON.stringify({ version: VERSION, token, operator }));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Without storage the session lasts as long as the page.
  }
});

export const begin = (token: string, operator: Operator): void => useSession.setState({ token, operator, ended: '' });
export const end = (why = ''): void => useSession.setState({ token: '', operator: null, ended: why });

/** The logged-in operator. Only screens behind the log-in use it. */
export function useMe(): Operator {
  const operator = useSession((state) => state.operator);
  if (!operator) throw new Error('nobody is logged in');
  return operator;
}
