import { useSyncExternalStore } from 'react';

/** A place in the console: `#/withdrawal/20418`, `#/setup/<link>`. */
export interface Place {
  area: string;
  id: string;
}

export function parse(hash: string): Place {
  const [area = '', id = ''] = hash.replace(/^#?\/?/, '').split('/');
  return { area, id: decode(id) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

export const href = (area: string, id: string | number = ''): string => `#/${area}${id === '' ? '' : `/${encodeURIComponent(id)}`}`;
export const number = (id: string): number | null => (/^\d{1,15}$/.test(id) ? parseInt(id, 10) : null);

/** Opens a place; `replace` replaces the present one in the history. */
export function go(area: string, id: string | number = '', replace = false): void {
  if (replace) {
    history.replaceState(null, '', href(area, id));
    dispatchEvent(new HashChangeEvent('hashchange'));
  } else location.hash = href(area, id);
}

/** Stays at this place until the returned function is called; the browser asks before the page is left. */
export function stay(): () => void {
  const here = location.href;
  const back = (event: Event) => {
    event.stopImmediatePropagation();
    history.pushState(null, '', here);
  };
  const ask = (event: Event) => event.preventDefault();
  // Before the listeners of the screens.
  addEventListener('hashchange', back, true);
  addEventListener('beforeunload', ask);
  return () => {
    removeEventListener('hashchange', back, true);
    removeEventListener('beforeunload', ask);
  };
}

const subscribe = (listener: () => void) => {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
};
export const usePlace = (): Place => parse(useSyncExternalStore(subscribe, () => location.hash));
