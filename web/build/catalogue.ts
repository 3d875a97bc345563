import { readFileSync } from 'node:fs';
import { resolve, dirname } from 'node:path';
import type { Plugin } from 'vite';
import { compileMessage } from '@lingui/message-utils/compileMessage';

type Tree = { [key: string]: string | Tree };

/** Flattens `{area: {key: text}}` to `area.key` pairs. */
function flatten(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  );
}

/** Said when an act does not go its usual way; nothing acts before the first page is drawn. */
const AFTER_AN_ACT = ['review', 'pending'];
/** What a server refuses with. The app's own words for a lost connection, and what screens say before anybody is refused, stay with the first part. */
const isRefusal = (key: string) =>
  AFTER_AN_ACT.includes(key.split('.')[0] ?? '') || (key.startsWith('errors.E_') && !/_(NETWORK|OFFLINE|OUTCOME_UNKNOWN|COUNTRY|ACCOUNT_FROZEN)$/.test(key));

/** Areas of screens beside the daily ones; their words come with the first such screen (`withWords` in `lib/i18n.ts`). */
const LATER = ['profile', 'identity', 'cards', 'funding', 'deposit', 'withdraw', 'addresses', 'records', 'security', 'messages', 'chat', 'tickets', 'products'];
const isLater = (key: string) => LATER.includes(key.split('.')[0] ?? '');

const PARTS: Record<string, (key: string) => boolean> = { compiled: (key) => !isRefusal(key) && !isLater(key), refusals: isRefusal, later: isLater };
const QUERY = /\.json\?(compiled|refusals|later)$/;
const FILE = /\.json\.(compiled|refusals|later)\.js$/;

/** Compiles the ICU texts of `locales/*.json` in three parts, `?compiled`, `?refusals` and `?later`, so that the app ships no message parser. */
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
      const part = PARTS[FILE.exec(id)?.[1] ?? ''];
      if (!part) return null;
      const file = id.replace(FILE, '.json');
      this.addWatchFile(file);
      const texts = flatten(JSON.parse(readFileSync(file, 'utf8')) as Tree).filter(([key]) => part(key));
      return `export default ${JSON.stringify(Object.fromEntries(texts.map(([key, text]) => [key, compileMessage(text)])))};`;
    },
  };
}
