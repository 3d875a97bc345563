import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Tree = { [key: string]: string | Tree };
const folder = `${process.cwd()}/src/locales/`;
const read = (name: string) => JSON.parse(readFileSync(folder + name, 'utf8')) as Tree;
const flatten = (tree: Tree, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) => (typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`)));

/** Names in braces, plural branches included. */
const names = (text: string) => [...new Set([...text.matchAll(/\{(\w+)(?=[},])/g)].map((match) => match[1]))].toSorted();

const english = new Map(flatten(read('en.json')));
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

describe.each(files)('%s', (file) => {
  const texts = new Map(flatten(read(file)));
  test('has exactly the keys of English', () => {
    expect([...texts.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });
  test('uses the same values', () => {
    const different = [...english].filter(([key, text]) => names(texts.get(key) ?? '').join() !== names(text).join()).map(([key]) => key);
    expect(different).toEqual([]);
  });
  test('has no empty text and no straight apostrophe', () => {
    expect([...texts].filter(([, text]) => text.trim() === '' || /\w'\w/.test(text)).map(([key]) => key)).toEqual([]);
  });
});

test('every page the app links to is in the route table', async () => {
  const { ROUTES } = await import('../app/routes');
  const root = `${folder}../`;
  const sources = (readdirSync(root, { recursive: true }) as string[])
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.|generated|^console\//.test(name))
    .map((name) => readFileSync(root + name, 'utf8'))
    .join('\n');
  const linked = [...sources.matchAll(/(?<![.\w])(?:href|go|replace)\('([a-z][a-zA-Z-/]+)'/g)].map((match) => match[1] ?? '');
  const guarded = [...sources.matchAll(/\bexists\('([a-zA-Z-/]+)'\)/g)].map((match) => match[1] ?? '');
  expect(linked.filter((path) => !Object.hasOwn(ROUTES, path) && !guarded.includes(path))).toEqual([]);
});

test('the help that comes with the release links to pages that exist and have a topic', async () => {
  const [{ isRoute }, { TOPICS, isAbout }] = await Promise.all([import('../app/routes'), import('../features/help/model')]);
  const articles = JSON.parse(readFileSync(`${process.cwd()}/../crates/store/content/en.json`, 'utf8')) as { link?: string }[];
  const links = articles.flatMap(({ link }) => link ?? []);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((link) => !isRoute(link) || !TOPICS.some((topic) => isAbout(topic, { link })))).toEqual([]);
});
