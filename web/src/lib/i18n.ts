import { useSyncExternalStore } from 'react';
import type english from '../locales/en.json';
import type alerts from '../locales/alerts/en.json';
import type coins from '../locales/coins/en.json';
import type contracts from '../locales/contracts/en.json';
import type convert from '../locales/convert/en.json';
import type invite from '../locales/invite/en.json';
import type journal from '../locales/journal/en.json';
import type loans from '../locales/loans/en.json';
import type options from '../locales/options/en.json';
import type plans from '../locales/plans/en.json';
import type proof from '../locales/proof/en.json';
import type risk from '../locales/risk/en.json';
import { fetchCode } from './code';
import { storage } from './storage';
import type { Part } from './words';

type Leaves<T, P extends string = ''> = { [K in keyof T & string]: T[K] extends string ? `${P}${K}` : Leaves<T[K], `${P}${K}.`> }[keyof T & string];
/** The second catalogue: the folders beside the first, each an area of its own. */
interface Products {
  alerts: typeof alerts;
  coins: typeof coins;
  contracts: typeof contracts;
  convert: typeof convert;
  invite: typeof invite;
  journal: typeof journal;
  loans: typeof loans;
  options: typeof options;
  plans: typeof plans;
  proof: typeof proof;
  risk: typeof risk;
}
/** Every text of the app; the English catalogues are the reference. */
export type Key = Leaves<typeof english> | Leaves<Products>;
export type Values = Record<string, string | number>;

/** A compiled text: literal text, names of values, and the branches of a plural or a choice. */
type Token = string | readonly [name: string, type?: 'plural' | 'select', branches?: Readonly<Record<string, Tokens>>];
type Tokens = string | readonly Token[];
export type Messages = Readonly<Record<string, Tokens>>;
export type Catalogue = { default: Messages };

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

let active: { code: LanguageCode; tag: string; messages: Messages } = { code: 'en', tag: 'en', messages: {} };
const listeners = new Set<() => void>();

const catalogues = import.meta.glob<Catalogue>('../locales/*.json', { query: '?compiled' });
const table = () => import('./words');
/** Reads a part of the texts that loads after the first page. */
const read = async (part: Part, code: string): Promise<Messages> => (await fetchCode(table)).wordsOf(part, code);
/** The parts that screens requested, with the language in which each is loaded. */
const asked = new Map<Part, string>();
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

/** A language in the reader's regional form: 1,500.25 in Mexico is 1.500,25 in Spain. A tag that names a region keeps it. */
export function regional(tag: string, device: readonly string[] = navigator.languages): string {
  const found = tag.includes('-') ? undefined : device.find((wanted) => new RegExp(`^${tag}-([a-z]{4}-)?([a-z]{2}|\\d{3})\\b`, 'i').test(wanted));
  return found ?? tag;
}

let turns = 0;
/** Loads a catalogue and switches to it, unless another was chosen meanwhile; a failed load keeps the old language and rejects. */
export async function activate(code: LanguageCode): Promise<void> {
  const own = ++turns;
  const load = loader(code);
  const language = LANGUAGES.find((l) => l.code === code);
  if (!load || !language) throw new Error(`no catalogue for ${code}`);
  const first = await fetchCode(load);
  const parts = new Map<Part, Messages>();
  // Iterating over a Map includes entries added meanwhile, for example when another screen requests its part.
  for (const part of asked.keys()) parts.set(part, await read(part, code));
  if (own !== turns) return;
  for (const part of parts.keys()) asked.set(part, code);
  active = { code, tag: regional(language.tag), messages: Object.assign({}, first.default, ...parts.values()) as Messages };
  document.documentElement.lang = language.tag;
  for (const listener of listeners) listener();
  refusalsIn = held
    .then(() => read('refusals', code))
    .then((words) => {
      if (active.code === code) active = { ...active, messages: { ...active.messages, ...words } };
    })
    .catch(() => {});
}

let held: Promise<unknown> = Promise.resolve();
/** The texts of refusals load after what is needed first. */
export const refusalsAfter = (first: Promise<unknown>): void => void (held = first);

let refusalsIn: Promise<void> | undefined;
/** A screen's code, once the texts shown after an act are loaded. */
export function afterAnAct<M>(load: () => Promise<M>): () => Promise<M> {
  return async () => {
    await refusalsIn;
    return fetchCode(load);
  };
}

/** A screen's code together with the texts of a part. */
const worded =
  (part: Part) =>
  <M>(load: () => Promise<M>): (() => Promise<M>) =>
  async () => {
    try {
      const [screen] = await Promise.all([fetchCode(load), bring(part)]);
      return screen;
    } catch (cause) {
      // Each part has its own file that may fail. If the whole named one, the retry would request that.
      throw new Error('screen with words', { cause });
    }
  };
/** A screen's code together with the texts that only the less frequent screens need. */
export const withWords = worded('later');
/** A screen's code together with the second catalogue, the texts of the products. */
export const withProductWords = worded('products');
/** Likewise with the texts of plans and new coins. */
export const withWealthWords = worded('wealth');
/** Likewise with the texts of converting, borrowing and inviting. */
export const withMoneyWords = worded('money');
/** Likewise with the texts of the public log, and those below a chart. */
export const withJournalWords = worded('journal');

async function bring(part: Part): Promise<void> {
  const code = languageCode();
  if (asked.get(part) === code) return;
  if (!asked.has(part)) asked.set(part, '');
  const words = await read(part, code);
  // The language may have changed in the meantime, and then other texts are needed.
  if (languageCode() !== code) return bring(part);
  active = { ...active, messages: { ...active.messages, ...words } };
  asked.set(part, code);
}

/** BCP 47 tag of the active language with the reader's region, for numbers and dates. */
export const locale = () => active.tag;
export const languageCode = (): LanguageCode => active.code;

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
/** True if the catalogue has the key; for names from the wire. */
export const has = (key: string): key is Key => Object.hasOwn(active.messages, key);

/** A sentence as the label of a button, without its full stop. */
export const withoutStop = <T>(label: T): T | string => (typeof label === 'string' ? label.replace(/[.。]$/, '') : label);

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
