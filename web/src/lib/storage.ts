/**
 * Everything the app stores on the device: the session, the language with its mark, the appearance. Values of later screens are only named
 * here.
 */

export function read<T extends object>(key: string): Partial<T> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Partial<T>) : {};
  } catch {
    return {};
  }
}

/** An equal value is not written again: that would hide from this tab what another one stores at the same moment. */
export function write(key: string, value: object): void {
  try {
    const text = JSON.stringify(value);
    if (localStorage.getItem(key) !== text) localStorage.setItem(key, text);
  } catch {
    // Private mode without storage: the app works for this visit.
  }
}

function remove(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

export interface StoredLanguage {
  code: string;
  tag: string;
  mark: string;
}
export type Theme = 'dark' | 'light' | 'system';
export const PRESETS = ['green-red', 'red-green', 'red-blue', 'blue-orange'] as const;
export type Preset = (typeof PRESETS)[number];
export interface Appearance {
  theme: Theme;
  updown: Preset;
  hollow: boolean;
  hideAmounts: boolean;
  /** Whether the question about price colours was answered or skipped. */
  asked: boolean;
}

const SESSION = 'meridian.session';
export const SESSION_VERSION = '1.0.0';
const PENDING = 'meridian.pending';

export const storage = {
  session: {
    key: SESSION,
    read: <U>() => {
      const record = read<{ user: U; token: string; version: string }>(SESSION);
      return record.version === SESSION_VERSION && record.user && record.token ? { user: record.user, token: record.token } : null;
    },
    write: (user: unknown, token: string) => write(SESSION, { user, token, version: SESSION_VERSION }),
    clear: () => remove(SESSION),
  },
  /** In this browser tab: what was sent with an unknown outcome. */
  pending: {
    read: <P>(): P[] => {
      try {
        const all: unknown = JSON.parse(sessionStorage.getItem(PENDING) ?? '[]');
        return Array.isArray(all) ? (all as P[]) : [];
      } catch {
        return [];
      }
    },
    write: (all: readonly object[]) => {
      try {
        sessionStorage.setItem(PENDING, JSON.stringify(all));
      } catch {
        // Without storage they last as long as the page.
      }
    },
  },
  language: {
    read: () => read<StoredLanguage>('meridian.language'),
    write: (value: StoredLanguage) => write('meridian.language', value),
  },
  appearance: {
    read: (): Appearance => ({ theme: 'dark', updown: 'green-red', hollow: false, hideAmounts: false, asked: false, ...read<Appearance>('meridian.appearance') }),
    write: (value: Appearance) => write('meridian.appearance', value),
  },
};
