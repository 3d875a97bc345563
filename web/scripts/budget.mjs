/** Fails when a size budget is crossed. Sizes are gzip -9 in KB of 1024 bytes. */
import { readFileSync, readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
const manifest = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'));
const size = (data) => gzipSync(data, { level: 9 }).length / 1024;
const fileSize = (file) => size(readFileSync(new URL(file, dist)));

/** A chunk's file and those it imports statically. */
function closure(key, seen = new Set()) {
  if (seen.has(key)) return seen;
  seen.add(key);
  for (const child of manifest[key]?.imports ?? []) closure(child, seen);
  return seen;
}
const sum = (keys) => [...keys].reduce((total, key) => total + fileSize(manifest[key].file), 0);

const entryKey = Object.keys(manifest).find((key) => manifest[key].isEntry);
const initial = closure(entryKey);
const chunks = Object.keys(manifest).filter((key) => manifest[key].file?.endsWith('.js'));
const isLanguage = (key) => key.includes('src/locales/');
const isChart = (key) => /klinecharts|ui\/chart\/chart\.ts/.test(key + manifest[key].name);
const isLibrary = (key) => isChart(key) || /socket\.io/.test(key + manifest[key].name);
const screens = chunks.filter((key) => manifest[key].isDynamicEntry && !isLanguage(key) && !isLibrary(key));
const languages = chunks.filter(isLanguage);
const css = readdirSync(new URL('static/css/', dist)).filter((name) => name.endsWith('.css')).map((name) => `static/css/${name}`);
const page = readFileSync(new URL('index.html', dist), 'utf8');
const inlined = /<style>(.*?)<\/style>/s.exec(page)?.[1] ?? '';
if (!inlined || !languages.length) throw new Error('the build has no inlined CSS or no language: the budgets would measure nothing');

/** The parts of one language: three of the first catalogue, and four of the second. */
const PARTS = ['compiled', 'refusals', 'later', 'products', 'wealth', 'money', 'journal'];
const codes = new Set(languages.map((key) => manifest[key].name.split('.')[0]));
const part = (code, name) => {
  const key = languages.find((one) => manifest[one].name === `${code}.json.${name}`);
  if (!key) throw new Error(`the build has no part ${name} of ${code}: the total would not count it`);
  return fileSize(manifest[key].file);
};
const whole = Math.max(...[...codes].map((code) => PARTS.reduce((total, name) => total + part(code, name), 0)));
if (languages.length !== codes.size * PARTS.length) throw new Error('the build has a part of a language that the total does not count');
// The second catalogue comes with the first screen of a product, and the table of the later words after the first page.
const early = [...initial].filter((key) => isLanguage(key) || /lib\/words/.test(key));
if (early.length || !manifest['src/lib/words.ts']) throw new Error(`words in the first page that belong after it: ${early.join(', ')}`);

const own = (key) => [...closure(key)].filter((k) => !initial.has(k) && !isLibrary(k));
const rows = [
  ['Initial JS', sum(initial), 95],
  ['Inlined CSS', size(inlined), 6],
  // Every screen brings its own sheet when it is opened; nobody loads them all at once.
  ['Whole CSS', size(inlined) + css.filter((file) => !/\/index-/.test(file)).reduce((total, file) => total + fileSize(file), 0), 30],
  ...languages.map((key) => [`Language ${manifest[key].name}`, fileSize(manifest[key].file), 12]),
  ...screens.map((key) => [`Route ${manifest[key].name}`, sum(own(key)), 25]),
  ['Chart', chunks.filter(isChart).reduce((total, key) => total + fileSize(manifest[key].file), 0), 60],
  // Every product with its words: raised from 480 for plans, new coins, loans, conversion and invitations (decision 0048).
  ['All JS and both catalogues of one language', sum(chunks.filter((key) => !isLanguage(key))) + whole, 540],
];

let failed = false;
for (const [name, kb, limit] of rows) {
  const over = kb > limit;
  failed ||= over;
  console.log(`${over ? 'OVER' : ' ok '} ${kb.toFixed(1).padStart(6)} of ${String(limit).padStart(3)} KB  ${name}`);
}
process.exit(failed ? 1 : 0);
