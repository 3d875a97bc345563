import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Plugin } from 'vite';

const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const source = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

/**
 * Puts the start script, the entry's CSS and the skeleton into index.html, and writes `csp.json`:
 * the hashes a server must name in its content security policy.
 */
export function shell(): Plugin {
  let base = '/';
  const hashes = { script: [] as string[], style: [] as string[] };
  return {
    name: 'meridian-shell',
    configResolved(config) {
      base = config.base;
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const languages: Record<string, string> = {};
        const home = new Set<string>();
        /** What a guest reads on top of the home page, by language. */
        const words: Record<string, readonly string[]> = {};
        let table = '';
        let css = '';
        /** A screen's files: what it imports, and their sheets. */
        const gather = (name: string): void => {
          const file = bundle?.[name];
          if (file?.type !== 'chunk' || file.isEntry || home.has(base + name)) return;
          home.add(base + name);
          for (const sheet of file.viteMetadata?.importedCss ?? []) home.add(base + sheet);
          file.imports.forEach(gather);
        };
        for (const file of Object.values(bundle ?? {})) {
          const name = file.type === 'chunk' ? /locales\/(\w+)\.json\.compiled/.exec(file.facadeModuleId ?? '')?.[1] : undefined;
          if (name) {
            languages[name] = base + file.fileName;
            const texts = JSON.parse(source(`../src/locales/${name}.json`)) as { home: { guestTitle: string; guestText: string } };
            words[name] = [texts.home.guestTitle, texts.home.guestText];
          }
          if (file.type === 'chunk' && file.facadeModuleId?.endsWith('/features/home/Home.tsx')) gather(file.fileName);
          if (file.type === 'chunk' && file.facadeModuleId?.endsWith('/app/screens.ts')) table = base + file.fileName;
          if (file.type === 'asset' && /\/index-[^/]*\.css$/.test(file.fileName)) css += file.source;
        }
        const script = source('start.js').replace('__LANGUAGES__', JSON.stringify(languages)).replace('__HOME__', JSON.stringify([...home])).replace('__TABLE__', JSON.stringify(table)).replace('__WORDS__', () => JSON.stringify(words)).trim();
        hashes.script = [sha256(script)];
        let page = html
          .replace('<!--start-->', () => `<script>${script}</script>`)
          .replace('<!--shell-->', () => source('shell.html').replace(/>\s+</g, '><').trim());
        if (bundle) {
          hashes.style = [sha256(css)];
          page = page
            .replace(/<link rel="stylesheet"[^>]*\/index-[^>]*\.css">/, '')
            .replace('<!--style-->', () => `<style>${css}</style>`);
        }
        return page;
      },
    },
    writeBundle({ dir }) {
      if (dir) writeFileSync(`${dir}/csp.json`, JSON.stringify(hashes));
    },
  };
}
