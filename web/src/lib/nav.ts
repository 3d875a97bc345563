import { useSyncExternalStore } from 'react';

/** Hash navigation. The query stays inside the hash, sheets are history entries, and back never leaves the app unexpectedly. */

export interface Place {
  /** Route below `pages/`, for example `trade/kline`; system pages keep their leading slash. */
  path: string;
  query: URLSearchParams;
  /** The hash itself identifies the place. */
  hash: string;
}
type Query = Record<string, string | number | undefined>;

export const TABS = ['index/index', 'trade/index', 'option/detail', 'finance/index', 'assets/index'] as const;
export type Tab = (typeof TABS)[number];
const HOME: Tab = 'index/index';
export const isTab = (path: string): path is Tab => (TABS as readonly string[]).includes(path);

export function parse(hash: string): Place {
  const [rawPath = '', rawQuery = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const path = rawPath === '' ? HOME : rawPath.startsWith('pages/') ? rawPath.slice(6) : `/${rawPath}`;
  return { path, query: new URLSearchParams(rawQuery), hash };
}

/** `href('trade/kline', {symbol: 'BTC/USDT'})` for links. */
export function href(path: string, query: Query = {}): string {
  const filled = Object.entries(query).filter((entry): entry is [string, string | number] => entry[1] !== undefined && entry[1] !== '');
  const text = new URLSearchParams(filled.map(([name, value]) => [name, String(value)])).toString();
  return `#/pages/${path}${text ? `?${text}` : ''}`;
}

/** The number of an object in an address; 0, which no object has, for anything else. */
export const idInAddress = (text: string | null): number => (text && /^\d{1,15}$/.test(text) ? parseInt(text, 10) : 0);

// ---- history ----------------------------------------------------------------

interface Entry {
  index: number;
  layer?: number;
}
const listeners = new Set<() => void>();
let place = parse(typeof location === 'undefined' ? '' : location.hash);
let index = 0;
let known: (path: string) => boolean = () => false;

interface Layer {
  id: number;
  close: () => void;
}
/** The sheets in the history, lowest first. */
let layers: Layer[] = [];
let nextLayer = 1;

/** Changes of the history run one after another: a step back takes a while, and the next change must not overtake it. */
let turn: Promise<unknown> = Promise.resolve();
function inTurn(change: () => unknown): void {
  turn = turn.then(change, change);
}

/** If the browser does not report a step back within this time, there was none. */
const STEP = 3_000;
const stepBack = () =>
  new Promise<void>((done) => {
    addEventListener('popstate', () => done(), { once: true });
    setTimeout(done, STEP);
    history.back();
  });

const entry = () => (history.state as Entry | null) ?? null;

function sync(): void {
  const state = entry();
  if (!state) {
    // The address was typed or a plain link was followed: number the new entry.
    index += 1;
    history.replaceState({ index } satisfies Entry, '');
  } else index = state.index;
  const keep = state?.layer ?? 0;
  const gone = layers.filter((layer) => layer.id > keep);
  layers = layers.filter((layer) => layer.id <= keep);
  for (const layer of gone.toReversed()) layer.close();
  if (location.hash !== place.hash) {
    place = parse(location.hash);
    for (const listener of listeners) listener();
  }
  // A plain link in a sheet leaves the entry of the sheet below its page.
  inTurn(leaveClosed);
}

/** Starts listening; `isRoute` knows the route table. */
export function startNav(isRoute: (path: string) => boolean): void {
  known = isRoute;
  if (!entry()) history.replaceState({ index: 0 } satisfies Entry, '');
  index = entry()?.index ?? 0;
  addEventListener('popstate', sync);
  addEventListener('hashchange', sync);
  // A reload closed the sheets whose entries are still in the history.
  inTurn(leaveClosed);
}

export const current = () => place;
export function usePlace(): Place {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
}

function move(target: string, replace: boolean): void {
  // Open sheets belong to the previous page.
  const open = layers;
  layers = [];
  for (const layer of open) layer.close();
  if (replace || open.length) history.replaceState({ index } satisfies Entry, '', target);
  else {
    index += 1;
    history.pushState({ index } satisfies Entry, '', target);
  }
  place = parse(location.hash);
  for (const listener of listeners) listener();
}

/** Opens a page after a closing sheet has left the history. */
export function go(path: string, query?: Query): void {
  inTurn(() => move(href(path, query), false));
}
export function replace(path: string, query?: Query): void {
  inTurn(() => move(href(path, query), true));
}

/** Back in the app's own history, else to Home. */
export function back(): void {
  inTurn(() => (index > 0 ? stepBack() : move(href(HOME), true)));
}

/** Removes the history entries of closed sheets. */
async function leaveClosed(): Promise<void> {
  const id = entry()?.layer;
  if (id === undefined || layers.some((layer) => layer.id === id)) return;
  await stepBack();
  if (entry()?.layer !== id) await leaveClosed();
}

/** Moves the focus to an element, or, if that is gone, to the heading of a page; a hidden page takes none. */
export function focusOn(element: Element | null, page: ParentNode = document): void {
  const preventScroll = true;
  if (element instanceof HTMLElement && element.isConnected) return element.focus({ preventScroll });
  for (const heading of page.querySelectorAll('h1')) {
    heading.tabIndex = -1;
    heading.focus({ preventScroll });
  }
}

/** Adds a sheet to the history; the returned function removes it. */
export function openLayer(close: () => void): () => void {
  let layer: Layer | undefined;
  let left = false;
  inTurn(() => {
    if (left) return;
    layer = { id: nextLayer++, close };
    layers.push(layer);
    index += 1;
    history.pushState({ index, layer: layer.id } satisfies Entry, '');
  });
  return () => {
    left = true;
    if (!layer || !layers.includes(layer)) return;
    layers = layers.filter((other) => other !== layer);
    inTurn(leaveClosed);
  };
}

// ---- login return -----------------------------------------------------------

/** The page that a login returns to, only if it is in the route table; never an external address. */
export function safeBackpage(value: string | null): { path: string; query: Query } {
  const home = { path: HOME, query: {} };
  if (!value || value.length > 512 || !/^\/?pages\/[A-Za-z-]+(\/[A-Za-z-]+)*(\?[^#]*)?$/.test(value)) return home;
  const target = parse(`#${value.startsWith('/') ? '' : '/'}${value}`);
  if (!known(target.path) || target.path.startsWith('user/login/')) return home;
  return { path: target.path, query: Object.fromEntries(target.query) };
}

const LOCK = 1_000;
let lockedUntil = 0;

/**
 * Opens login with the present page as the way back, at most once a second. Returns after how many milliseconds to call again; 0 if
 * nothing is left to do.
 */
export function toLogin(target: 'login' | 'choose' = 'login', asReplacement = false): number {
  if (place.path.startsWith('user/login/')) return 0;
  const wait = lockedUntil - Date.now();
  if (wait > 0) return wait;
  lockedUntil = Date.now() + LOCK;
  const backpage = place.hash.replace(/^#\/?/, '/') || '/';
  const query = { backpage: backpage === '/' ? `/pages/${HOME}` : backpage, backtype: isTab(place.path) ? 2 : 1 };
  const path = `user/login/${target}`;
  if (asReplacement) replace(path, query);
  else go(path, query);
  return 0;
}

/** Leads a guest from a page to login as soon as a redirect is allowed again; the returned function cancels that. */
export function leadToLogin(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = () => {
    const wait = toLogin('login', true);
    if (wait > 0) timer = setTimeout(ask, wait);
  };
  ask();
  return () => clearTimeout(timer);
}

/**
 * After login, to the page that asked. `backtype` 1 replaces the login entry; 2 leaves it and switches to the tab, which is usually right
 * below. Back never leads to login.
 */
export function fromLogin(): void {
  inTurn(async () => {
    // A second call finds the page already there.
    if (!place.path.startsWith('user/login/')) return;
    const { path, query } = safeBackpage(place.query.get('backpage'));
    const leaves = place.query.get('backtype') === '2' && isTab(path) && index > 0;
    if (leaves) await stepBack();
    if (!leaves || place.path !== path) move(href(path, query), !leaves);
  });
}
