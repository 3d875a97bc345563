import { useSession } from './session';

const LIFE = 600_000;

/**
 * Input survives leaving the page, a logout included, for ten minutes, and is never stored. It belongs to the person who typed it: a
 * guest's input passes to the member who logs in next, a member's to no one else.
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
      // A guest who logged in continues as the member.
      if (me() !== undefined) all.delete(slot(name, undefined));
    },
  };
}
