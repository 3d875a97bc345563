import type { Head } from '../../generated/api';

/** What this phone remembers of the log: the last signed head that it checked (`newest.ts`). */

const KEY = 'meridian.head';

export function keptHead(): Head | null {
  try {
    const head = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Head | null;
    return typeof head?.key === 'string' ? head : null;
  } catch {
    return null;
  }
}

export function keepHead(head: Head | null): void {
  try {
    if (head) localStorage.setItem(KEY, JSON.stringify(head));
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage every check is the first one.
  }
}

/** The venue's key as this phone knows it, from the first head that it checked. */
export const knownKey = (): string | undefined => keptHead()?.key;
