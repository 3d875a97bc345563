import { readdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Plugin } from 'vite';

/** 0 A, 25 Z, 26 BA: a name may not begin with a digit, and a number follows. The classes of every page, such as `h1`, are small. */
const letters = (n: number): string => (n < 26 ? '' : letters(Math.floor(n / 26))) + String.fromCharCode(65 + (n % 26));

/** Names classes by their sheet and their place in it, `C7`: shorter than a hash, and the same on every machine. */
export function classNames(root: string): (name: string, file: string) => string {
  const sheets = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.module.css'))
    .toSorted();
  const known = new Map<string, string[]>();
  return (name, file) => {
    const path = relative(resolve(root), file.split('?')[0] ?? '');
    const names = known.get(path) ?? [];
    known.set(path, names);
    if (!names.includes(name)) names.push(name);
    return letters(sheets.indexOf(path)) + names.indexOf(name);
  };
}

const IMPORT = /^import (\w+) from ('[^']+\.module\.css');$/gm;

/** Ships `css.row` as the class itself, without its sheet's table of names. A file that computes a name keeps the table. */
export function inlineClasses(): Plugin[] {
  return [
    {
      name: 'meridian-classes',
      apply: 'build',
      enforce: 'pre',
      transform(code, id) {
        if (!/\.tsx?$/.test(id) || !code.includes('.module.css')) return null;
        return code.replace(IMPORT, (line, name: string, file: string) => {
          const computed = new RegExp(`(?<![\\w./'-])${name}(?![\\w-]|\\.[a-zA-Z])`).test(code.replace(line, ''));
          return computed ? line : `import * as ${name} from ${file};`;
        });
      },
    },
    {
      name: 'meridian-sheets',
      apply: 'build',
      enforce: 'post',
      // A sheet belongs to its screen although nothing asks for its table any more.
      transform: (code, id) => (id.endsWith('.module.css') ? { code, map: null, moduleSideEffects: 'no-treeshake' } : null),
    },
  ];
}
