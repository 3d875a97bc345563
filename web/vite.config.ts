import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { catalogue } from './build/catalogue.ts';
import { leanCharts } from './build/charts.ts';
import { chunks } from './build/chunks.ts';
import { classNames, inlineClasses } from './build/classes.ts';
import { compress } from './build/compress.ts';
import { leanQueries } from './build/queries.ts';
import { shell } from './build/shell.ts';

const server = process.env.MERIDIAN_URL ?? 'http://127.0.0.1:8080';

export default defineConfig(({ command }) => ({
  base: '/h5/',
  plugins: [catalogue(), inlineClasses(), react(), leanCharts(), leanQueries(), chunks(), shell(), compress()],
  // Names of classes are read by people only while developing; they are a tenth of a screen's code.
  css: { modules: { generateScopedName: command === 'build' ? classNames('src') : '[name]_[local]' } },
  build: {
    // The oldest that know `color-mix()` and `toSorted`, which the app needs anyway.
    target: ['es2022', 'safari16.4', 'chrome111', 'firefox115'],
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: {
      polyfill: false,
      // The entry's CSS is inlined in the page, so no lazy chunk may ask for it again; the bundler's helpers come with the entry.
      resolveDependencies: (_file, deps) => deps.filter((dep) => !/\/index-[^/]*\.css$|\/helpers-[^/]*\.js$/.test(dep)),
    },
    rolldownOptions: {
      // A screen carries the icons it shows, not all of them.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        // The entry lists every file, so their names are as short as they may be; the manifest says which is which.
        entryFileNames: 'static/js/[hash:7].js',
        chunkFileNames: ({ name }) => `static/js/${name === 'rolldown-runtime' ? 'helpers-' : ''}[hash:7].js`,
        assetFileNames: ({ names }) =>
          !names[0]?.endsWith('.css') ? 'static/asset/[name]-[hash][extname]' : `static/css/${names[0] === 'index.css' ? 'index-' : ''}[hash:7][extname]`,
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': server, '/sandbox': server, '/files': server, '/socket.io': { target: server, ws: true } },
  },
  test: {
    restoreMocks: true,
    setupFiles: './build/patience.ts',
    testTimeout: 60_000,
    // A document takes a second to make. A test that renders is a `.test.tsx` and has one; any other says in its first line that it needs one.
    projects: [
      { extends: true, test: { name: 'rendered', environment: 'jsdom', include: ['src/**/*.test.tsx'] } },
      { extends: true, test: { name: 'plain', environment: 'node', include: ['src/**/*.test.ts'] } },
    ],
  },
}));
