// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import * as code from './code';
import { activate, has, languageCode, LANGUAGES, locale, placeholders, preferredLanguage, regional, t, withWords, type Key } from './i18n';
import { amount, format, parseInput, wire } from './money';

beforeAll(() => activate('en'));

test('a plural takes its exact number first, then the language, and writes # as a number', () => {
  const text = (day: number) => t('explain.plan.leave', { day });
  expect([0, 1, 2, 1_500].map(text)).toEqual(['Leave after no full day', 'Leave after 1 full day', 'Leave after 2 full days', 'Leave after 1,500 full days']);
});

test('values are put in; # outside a plural is a #', () => {
  expect(t('menu.uid', { id: '#7' })).toBe('UID #7');
  expect(placeholders('explain.plan.example')).toEqual(['amount', 'days', 'daily', 'damage']);
  expect(placeholders('ui.back')).toEqual([]);
});

test('an unknown name is its own text', () => {
  expect(has('errors.nothing')).toBe(false);
  expect(t('errors.nothing' as Key)).toBe('errors.nothing');
  expect(has('toString')).toBe(false);
});

test('words of refusals follow the first part', async () => {
  expect(has('errors.E_NETWORK')).toBe(true);
  await vi.waitFor(() => expect(has('errors.E_INSUFFICIENT')).toBe(true));
});

test('a language that is not there changes nothing', async () => {
  await expect(activate('xx' as 'en')).rejects.toThrow('no catalogue');
  expect(languageCode()).toBe('en');
  expect(preferredLanguage('xx', ['fi', 'en-GB'])).toBe('en');
});

test('the language that was chosen last stays, although an earlier one loads later', async () => {
  const slow = vi.spyOn(code, 'fetchCode');
  let arrive = () => {};
  slow.mockImplementationOnce(async (load) => {
    await new Promise<void>((done) => (arrive = done));
    return load();
  });
  const first = activate('deyu');
  await activate('fayu');
  arrive();
  await first;
  expect([languageCode(), t('tab.home'), document.documentElement.lang]).toEqual(['fayu', 'Accueil', 'fr']);
  await activate('en');
});

test('a screen beside the daily ones brings its words, and they follow the language', async () => {
  expect(has('funding.network')).toBe(false);
  expect(await withWords(async () => 'screen')()).toBe('screen');
  expect(t('funding.network')).toBe('Network');
  await activate('deyu');
  expect(t('funding.network')).toBe('Netzwerk');
  await activate('en');
});

test('the second catalogue comes with the first screen of a product, and follows the language', async () => {
  vi.resetModules();
  const fresh = await import('./i18n');
  await fresh.activate('en');
  expect(fresh.has('options.up')).toBe(false);
  expect(await fresh.withProductWords(async () => 'screen')()).toBe('screen');
  expect(fresh.t('options.up')).toBe('Up');
  await fresh.activate('deyu');
  expect(fresh.t('options.up')).toBe('Steigt');
  // A screen that opens during a language change gets the texts of the new language.
  const [, screen] = await Promise.all([fresh.activate('fayu'), fresh.withWords(async () => 'late')()]);
  expect([screen, fresh.t('options.up'), fresh.has('funding.network')]).toEqual(['late', 'Hausse', true]);
});

/** Runs the page's own script for the home page: what it preloads, and the texts it writes for a guest. */
function startPage(device: readonly string[], session = '') {
  const codes = (of: (code: string) => unknown) => JSON.stringify(Object.fromEntries(LANGUAGES.map(({ code }) => [code, of(code)])));
  const script = readFileSync('build/start.js', 'utf8')
    .replace('__LANGUAGES__', codes((code) => code))
    .replace('__HOME__', '["home.js", "home.css"]')
    .replace('__WORDS__', codes((code) => [`title ${code}`, `text ${code}`]));
  const links: { rel: string; as?: string; crossOrigin?: string; href: string }[] = [];
  const lines = [{ textContent: '' }, { textContent: '' }];
  const document = {
    documentElement: { dataset: {} },
    createElement: () => ({}),
    head: { appendChild: (link: (typeof links)[number]) => links.push(link) },
    querySelectorAll: () => lines,
    addEventListener: (_name: string, run: () => void) => run(),
  };
  const storage = { getItem: (key: string) => (key === 'meridian.session' ? session : null) };
  new Function('document', 'localStorage', 'matchMedia', 'location', 'navigator', script)(document, storage, () => ({}), { hash: '' }, { languages: device });
  return { links, words: lines.map(({ textContent }) => textContent) };
}

test.each([[['de-AT', 'en']], [['zh-TW']], [['zh-Hant']], [['zh-CN']], [['ZH-hk']], [['ja-JP']], [['pt-BR', 'it-CH']], [['TR-tr']], [['xx']], [[]]])('the page preloads the language that the app will choose for %j, and greets in it (F28)', (device) => {
  const code = preferredLanguage(undefined, device);
  expect(startPage(device)).toEqual({
    links: [
      { rel: 'modulepreload', href: code },
      { rel: 'modulepreload', href: 'home.js' },
      { rel: 'preload', as: 'style', crossOrigin: '', href: 'home.css' },
    ],
    words: [`title ${code}`, `text ${code}`],
  });
});

test('the page does not greet a member as a guest', () => {
  expect(startPage(['en'], '{"token":"t"}').words).toEqual(['', '']);
});

test('the words of refusals leave the line to what is needed first (F28)', async () => {
  vi.resetModules();
  const fresh = await import('./i18n');
  let done = () => {};
  fresh.refusalsAfter(new Promise<void>((go) => (done = go)));
  await fresh.activate('en');
  await new Promise((later) => setTimeout(later, 300));
  expect([fresh.has('ui.tryAgain'), fresh.has('errors.E_INSUFFICIENT')]).toEqual([true, false]);
  done();
  await vi.waitFor(() => expect(fresh.has('errors.E_INSUFFICIENT')).toBe(true));
});

test('numbers follow language and region, where the device names one', async () => {
  expect(['es-MX', 'es-419', 'es', 'fr-FR', 'esx-MX'].map((tag) => regional('es', [tag]))).toEqual(['es-MX', 'es-419', 'es', 'es', 'es']);
  expect(regional('de', ['en-US', 'de-Latn-CH', 'de-DE'])).toBe('de-Latn-CH');
  expect(regional('zh-Hans-CN', ['zh-Hans-SG'])).toBe('zh-Hans-CN');
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['es-MX', 'en']);
  await activate('esp');
  expect([locale(), languageCode(), document.documentElement.lang]).toEqual(['es-MX', 'esp', 'es']);
  expect(format(amount('1500.25'), locale())).toBe('1,500.25');
  const read = parseInput('1.500', locale(), 2);
  expect(read.ok ? wire(read.value) : read.reason).toBe('scale');
  vi.restoreAllMocks();
  await activate('en');
});
