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

/** Compiles the ICU texts of `locales/*.json?compiled`, so that the app ships no message parser. */
export function catalogue(): Plugin {
  const suffix = '.compiled.js';
  return {
    name: 'meridian-catalogue',
    enforce: 'pre',
    resolveId(source, importer) {
      if (!importer || !source.endsWith('.json?compiled')) return null;
      const file = source.slice(0, -'?compiled'.length);
      const path = file.startsWith('/src/') ? resolve(`.${file}`) : resolve(dirname(importer), file);
      return path + suffix;
    },
    load(id) {
      if (!id.endsWith(`.json${suffix}`)) return null;
      const file = id.slice(0, -suffix.length);
      this.addWatchFile(file);
      const messages: Record<string, unknown> = {};
      for (const [key, text] of flatten(JSON.parse(readFileSync(file, 'utf8')) as Tree)) messages[key] = compileMessage(text);
      return `export default ${JSON.stringify(messages)};`;
    },
  };
}
