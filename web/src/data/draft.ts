import { useSession } from './session';

const LIFE = 600_000;

/**
 * What was typed survives leaving the page, a logout included, for ten minutes; it is never stored. It is for the one who typed
 * it: what a guest typed goes on with whoever logs in, what a member typed with nobody else.
 */
export function draft<T>() {
  const all = new Map<string, { value: T | undefined; at: number }>();
  const slot = (name: string, user: number | undefined) => `${user ?? ''} ${name}`;
  const me = () => useSession.getState().user?.id;
  const young = (name: string, user: number | undefined) => {
    const kept = all.get(slot(name, user));
    return kept && Date.now() - kept.at < LIFE ? kept : undefined;
  };
  return {
    read: (name = '') => (young(name, me()) ?? young(name, undefined))?.value,
    keep: (value: T | undefined, name = '') => {
      all.set(slot(name, me()), { value, at: Date.now() });
      // A guest who logged in goes on as the member.
      if (me() !== undefined) all.delete(slot(name, undefined));
    },
  };
}
