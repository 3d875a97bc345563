import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Smaller files gain nothing that matters. */
const LEAST = 1024;

/** Writes `.br` and `.gz` beside every text file, as small as they get; the server sends the best that a browser takes. */
export function compress(): Plugin {
  let dist = '';
  return {
    name: 'meridian-compress',
    apply: 'build',
    configResolved(config) {
      dist = config.build.outDir;
    },
    // After the page was written, which another plugin's `writeBundle` may still change.
    closeBundle() {
      for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(js|css|html|svg)$/.test(name)) continue;
        const data = readFileSync(join(dist, name));
        if (data.length < LEAST) continue;
        writeFileSync(join(dist, `${name}.br`), brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: data.length } }));
        writeFileSync(join(dist, `${name}.gz`), gzipSync(data, { level: 9 }));
      }
    },
  };
}
