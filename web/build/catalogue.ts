import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Plugin } from 'vite';
import { compileMessage } from '@lingui/message-utils/compileMessage';

type Tree = { [key: string]: string | Tree };

/** Flattens `{area: {key: text}}` to `area.key` pairs. */
function flatten(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  );
}

/** Said when an act does not go its usual way, or why an order ended; nothing acts before the first page is drawn. */
const AFTER_AN_ACT = /^(review|pending|trade\.cancelled)\./;
/** What a server refuses with. The app's own words for a lost connection, and what screens say before anybody is refused, stay with the first part. */
const isRefusal = (key: string) =>
  AFTER_AN_ACT.test(key) || (key.startsWith('errors.E_') && !/_(NETWORK|OFFLINE|OUTCOME_UNKNOWN|COUNTRY|ACCOUNT_FROZEN)$/.test(key));

/** Areas of screens beside the daily ones; their words come with the first such screen (`withWords` in `lib/i18n.ts`). */
const LATER = ['profile', 'identity', 'cards', 'funding', 'deposit', 'withdraw', 'addresses', 'records', 'security', 'messages', 'chat', 'tickets', 'products'];
const isLater = (key: string) => LATER.includes(key.split('.')[0] ?? '');

/** Areas of the second catalogue that are parts of their own; every other one is of `products`. */
const WEALTH = ['plans', 'coins'];
const MONEY = ['convert', 'loans', 'invite'];
const JOURNAL = ['journal'];
const isOf = (areas: readonly string[]) => (key: string) => areas.includes(key.split('.')[0] ?? '');

const FIRST: Record<string, (key: string) => boolean> = { compiled: (key) => !isRefusal(key) && !isLater(key), refusals: isRefusal, later: isLater };
const SECOND: Record<string, (key: string) => boolean> = { products: (key) => !isOf([...WEALTH, ...MONEY, ...JOURNAL])(key), wealth: isOf(WEALTH), money: isOf(MONEY), journal: isOf(JOURNAL) };
const NAMES = [...Object.keys(FIRST), ...Object.keys(SECOND)].join('|');
const QUERY = new RegExp(`\\.json\\?(${NAMES})$`);
const FILE = new RegExp(`\\.json\\.(${NAMES})\\.js$`);

/** The first catalogue of a language, `locales/en.json`, and its second: `locales/options/en.json` and so on, whose texts are named after their folder. */
function files(first: string, isSecond: boolean): [file: string, prefix: string][] {
  if (!isSecond) return [[first, '']];
  const root = dirname(first);
  const areas = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return areas.map(({ name }) => [join(root, name, basename(first)), `${name}.`]);
}

/** Compiles the ICU texts of a language in three parts of its first catalogue and four of its second one, `?products`, `?wealth`, `?money` and `?journal`, so that the app ships no message parser. */
export function catalogue(): Plugin {
  return {
    name: 'meridian-catalogue',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !QUERY.test(source)) return null;
      const [file = '', part] = source.split('?');
      const path = file.startsWith('/src/') ? resolve(`.${file}`) : resolve(dirname(importer), file);
      return `${path}.${part}.js`;
    },
    load(id) {
      const name = FILE.exec(id)?.[1] ?? '';
      const part = FIRST[name] ?? SECOND[name];
      if (!part) return null;
      const texts = files(id.replace(FILE, '.json'), name in SECOND).flatMap(([file, prefix]) => {
        this.addWatchFile(file);
        return flatten(JSON.parse(readFileSync(file, 'utf8')) as Tree, prefix).filter(([key]) => part(key));
      });
      return `export default ${JSON.stringify(Object.fromEntries(texts.map(([key, text]) => [key, compileMessage(text)])))};`;
    },
  };
}
