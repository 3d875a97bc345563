import { i18n, type Messages } from '@lingui/core';
import { useSyncExternalStore } from 'react';
import type english from '../locales/en.json';
import { storage } from './storage';

type Leaves<T, P extends string = ''> = { [K in keyof T & string]: T[K] extends string ? `${P}${K}` : Leaves<T[K], `${P}${K}.`> }[keyof T & string];
/** Every text of the app; the English catalogue is the list. */
export type Key = Leaves<typeof english>;
export type Values = Record<string, string | number>;

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

const catalogues = import.meta.glob<Messages>('../locales/*.json', { query: '?compiled', import: 'default' });
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
  i18n.loadAndActivate({ locale: language.tag, messages: await load() });
  document.documentElement.lang = language.tag;
}

/** BCP 47 tag of the active language, for numbers and dates. */
export const locale = () => i18n.locale || 'en';
export const languageCode = (): LanguageCode => LANGUAGES.find((l) => l.tag === i18n.locale)?.code ?? 'en';

/** Text in the active language. */
export const t = (key: Key, values?: Values): string => i18n._(key, values);
/** True when the catalogue has the key; for names that come from the wire. */
export const has = (key: string): key is Key => key in i18n.messages;

/** Names of the values a text needs. */
export function placeholders(key: Key): string[] {
  const message = i18n.messages[key];
  if (!Array.isArray(message)) return [];
  return message.flatMap((part) => (Array.isArray(part) ? [part[0] as string] : []));
}

const subscribe = (listener: () => void) => i18n.on('change', listener);

/** Re-renders the component when the language changes; returns its tag. */
export function useLocale(): string {
  return useSyncExternalStore(subscribe, locale);
}
