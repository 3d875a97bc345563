import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Tree = { [key: string]: string | Tree };
const folder = `${process.cwd()}/src/locales/`;
const read = (name: string) => JSON.parse(readFileSync(folder + name, 'utf8')) as Tree;
const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) => (typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`)));

/** Names in braces, including those in plural branches. */
const names = (text: string) => [...new Set([...text.matchAll(/\{(\w+)(?=[},])/g)].map((match) => match[1]))].toSorted();

const isCatalogue = (name: string) => name.endsWith('.json');
/** The folders of the second catalogue. */
const areas = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
const files = readdirSync(folder).filter(isCatalogue);
const all = [...files, ...areas.flatMap((area) => readdirSync(folder + area).filter(isCatalogue).map((name) => `${area}/${name}`))];

describe.each(all)('%s', (file) => {
  const english = new Map(flatten(read(file.replace(/\w+\.json$/, 'en.json'))));
  const texts = new Map(flatten(read(file)));
  test('has exactly the keys of English, in its order', () => {
    expect([...texts.keys()]).toEqual([...english.keys()]);
  });
  test('uses the same values', () => {
    const different = [...english].filter(([key, text]) => names(texts.get(key) ?? '').join() !== names(text).join()).map(([key]) => key);
    expect(different).toEqual([]);
  });
  test('has no empty text and no straight apostrophe', () => {
    expect([...texts].filter(([, text]) => text.trim() === '' || /\w'\w/.test(text)).map(([key]) => key)).toEqual([]);
  });
  test('leaves the percent sign to the formatter', () => {
    expect([...texts].filter(([, text]) => /\}\s?%|%\s?\{/.test(text)).map(([key]) => key)).toEqual([]);
  });
  test('leaves no sentence in English', () => {
    // A name or a unit may be equal; four equal words in a row are an untranslated sentence.
    const left = file.endsWith('en.json') ? [] : [...texts].filter(([key, text]) => text === english.get(key) && /^(\p{L}+[,.]? ){3}/u.test(text));
    expect(left.map(([key]) => key)).toEqual([]);
  });
});

test.each(areas)('the words of %s are there in every language, beside no area of the first catalogue', (area) => {
  expect(readdirSync(folder + area).toSorted()).toEqual(files.toSorted());
  expect(Object.keys(read('en.json'))).not.toContain(area);
});

test('every page the app links to is in the route table', async () => {
  const { ROUTES } = await import('./routes');
  const root = `${folder}../`;
  const sources = (readdirSync(root, { recursive: true }) as string[])
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|generated|^console\//.test(name))
    .map((name) => readFileSync(root + name, 'utf8'))
    .join('\n');
  const linked = [...sources.matchAll(/(?<![.\w])(?:href|go|replace)\('([a-z][a-zA-Z-/]+)'/g)].map((match) => match[1] ?? '');
  expect(linked.filter((path) => !Object.hasOwn(ROUTES, path))).toEqual([]);
});

test('the help that comes with the release links to pages that exist and have a topic', async () => {
  const [{ isRoute }, { TOPICS, isAbout }] = await Promise.all([import('./routes'), import('../features/help/model')]);
  const articles = JSON.parse(readFileSync(`${process.cwd()}/../crates/store/content/en.json`, 'utf8')) as { link?: string }[];
  const links = articles.flatMap(({ link }) => link ?? []);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((link) => !isRoute(link) || !TOPICS.some((topic) => isAbout(topic, { link })))).toEqual([]);
});

test.each([
  ['deyu', 'de'],
  ['fayu', 'fr'],
])('%s: a short day ends with a full stop, so it is not the end of a sentence of coins or plans', (code, tag) => {
  expect(new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short' }).format(new Date('2026-01-03'))).toMatch(/\.$/);
  const texts = ['coins', 'plans'].flatMap((area) => flatten(read(`${area}/${code}.json`)));
  expect(texts.flatMap(([key, text]) => (text.includes('{date}.') ? key : []))).toEqual([]);
});
