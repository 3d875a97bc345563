import { useSyncExternalStore } from 'react';
import type english from '../locales/en.json';
import { fetchCode } from './code';
import { storage } from './storage';

type Leaves<T, P extends string = ''> = { [K in keyof T & string]: T[K] extends string ? `${P}${K}` : Leaves<T[K], `${P}${K}.`> }[keyof T & string];
/** Every text of the app; the English catalogue is the list. */
export type Key = Leaves<typeof english>;
export type Values = Record<string, string | number>;

/** A compiled text: words, names of values, and the branches of a plural or a choice. */
type Token = string | readonly [name: string, type?: 'plural' | 'select', branches?: Readonly<Record<string, Tokens>>];
type Tokens = string | readonly Token[];
type Messages = Readonly<Record<string, Tokens>>;
type Catalogue = { default: Messages };

/** Language codes of the wire, in the order they are offered. */
export const LANGUAGES = [
  { code: 'en', tag: 'en', name: 'English' },
  { code: 'jp', tag: 'ja', name: '日本語' },
  { code: 'kr', tag: 'ko', name: '한국어' },
  { code: 'esp', tag: 'es', name: 'Español' },
  { code: 'zh', tag: 'zh-Hans-CN', name: '简体中文' },
  { code: 'hk', tag: 'zh-Hant-HK', name: '繁體中文' },
  { code: 'th', tag: 'th', name: 'ไทย' },
  { code: 'teq', tag: 'tr', name: 'Türkçe' },
  { code: 'ydl', tag: 'it', name: 'Italiano' },
  { code: 'deyu', tag: 'de', name: 'Deutsch' },
  { code: 'fayu', tag: 'fr', name: 'Français' },
] as const;
export type LanguageCode = (typeof LANGUAGES)[number]['code'];

let active: { tag: string; messages: Messages } = { tag: 'en', messages: {} };
const listeners = new Set<() => void>();

const catalogues = import.meta.glob<Catalogue>('../locales/*.json', { query: '?compiled' });
/** Words for the server's refusals; read after the first page, until then a refusal shows the server's own. */
const refusals = import.meta.glob<Catalogue>('../locales/*.json', { query: '?refusals' });
/** Words of the screens beside the daily ones. */
const later = import.meta.glob<Catalogue>('../locales/*.json', { query: '?later' });
let wantsLater = false;
/** The language whose later words are in. */
let worded: string | undefined;
const loader = (code: string) => catalogues[`../locales/${code}.json`];

/** The languages that have a catalogue. */
export const languages = () => LANGUAGES.filter(({ code }) => loader(code));

/** The stored language, else the device's best match, else English. */
export function preferredLanguage(stored = storage.language.read().code, device: readonly string[] = navigator.languages): LanguageCode {
  const offered = languages();
  const known = offered.find((l) => l.code === stored);
  if (known) return known.code;
  for (const wanted of device) {
    const traditional = /^zh-(Hant|HK|TW|MO)/i.test(wanted);
    const match = offered.find((l) => (traditional ? l.code === 'hk' : l.tag.split('-')[0] === wanted.split('-')[0]?.toLowerCase()));
    if (match) return match.code;
  }
  return 'en';
}

/** Loads a catalogue and switches to it; a failed load keeps the old language and rejects. */
export async function activate(code: LanguageCode): Promise<void> {
  const load = loader(code);
  const language = LANGUAGES.find((l) => l.code === code);
  if (!load || !language) throw new Error(`no catalogue for ${code}`);
  const first = await fetchCode(load);
  const more = wantsLater ? later[`../locales/${code}.json`] : undefined;
  const messages = more ? { ...first.default, ...(await fetchCode(more)).default } : first.default;
  worded = more && code;
  active = { tag: language.tag, messages };
  document.documentElement.lang = language.tag;
  for (const listener of listeners) listener();
  refusalsIn = held
    .then(refusals[`../locales/${code}.json`])
    .then((more) => {
      if (more && active.tag === language.tag) active = { tag: language.tag, messages: { ...active.messages, ...more.default } };
    })
    .catch(() => {});
}

let held: Promise<unknown> = Promise.resolve();
/** The words of refusals leave the line to what is needed first. */
export const refusalsAfter = (first: Promise<unknown>): void => void (held = first);

let refusalsIn: Promise<void> | undefined;
/** A screen's code, once the words are in that are said after an act. */
export function afterAnAct<M>(load: () => Promise<M>): () => Promise<M> {
  return async () => {
    await refusalsIn;
    return fetchCode(load);
  };
}

/** A screen's code together with the words that only such screens need. */
export function withWords<M>(load: () => Promise<M>): () => Promise<M> {
  return async () => {
    try {
      const [screen] = await Promise.all([fetchCode(load), wordsOfLater()]);
      return screen;
    } catch (cause) {
      // Each part keeps its own file that failed; a whole that named one would be fetched from there.
      throw new Error('screen with words', { cause });
    }
  };
}

async function wordsOfLater(): Promise<void> {
  wantsLater = true;
  const code = languageCode();
  const more = later[`../locales/${code}.json`];
  if (!more || worded === code) return;
  const { default: words } = await fetchCode(more);
  // The language may have changed in the meantime; then other words are needed.
  if (languageCode() !== code) return wordsOfLater();
  active = { tag: active.tag, messages: { ...active.messages, ...words } };
  worded = code;
}

/** BCP 47 tag of the active language, for numbers and dates. */
export const locale = () => active.tag;
export const languageCode = (): LanguageCode => LANGUAGES.find((l) => l.tag === active.tag)?.code ?? 'en';

/** Writes a compiled text; `#` in a branch is the number that chose it. */
function write(tokens: Tokens, values: Values, number = '#'): string {
  if (typeof tokens === 'string') return tokens;
  const parts = tokens.map((token) => {
    if (typeof token === 'string') return token === '#' ? number : token;
    const [name, type, branches] = token;
    const value = values[name] ?? '';
    if (!branches) return value;
    if (type === 'plural' && typeof value === 'number') {
      const branch = branches[value] ?? branches[new Intl.PluralRules(active.tag).select(value)] ?? branches.other ?? '';
      return write(branch, values, new Intl.NumberFormat(active.tag).format(value));
    }
    return write(branches[value] ?? branches.other ?? '', values, number);
  });
  return parts.join('');
}

/** Text in the active language. */
export const t = (key: Key, values: Values = {}): string => write(active.messages[key] ?? key, values);
/** True when the catalogue has the key; for names that come from the wire. */
export const has = (key: string): key is Key => Object.hasOwn(active.messages, key);

/** Names of the values a text needs. */
export function placeholders(key: Key): string[] {
  const message = active.messages[key] ?? '';
  return typeof message === 'string' ? [] : message.flatMap((part) => (typeof part === 'string' ? [] : [part[0]]));
}

/** Re-renders the component when the language changes; returns its tag. */
export function useLocale(): string {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, locale);
}
