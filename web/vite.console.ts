import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { catalogue } from './build/catalogue.ts';
import { compress } from './build/compress.ts';

const server = process.env.MERIDIAN_URL ?? 'http://127.0.0.1:8080';

/** The operators' console: a build of its own, so that none of its code can reach a file that the app loads. */
export default defineConfig({
  base: '/console/',
  plugins: [catalogue(), react(), compress()],
  build: {
    outDir: 'dist/console',
    target: ['es2022', 'safari16.4', 'chrome111', 'firefox115'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: 'console.html',
      output: {
        entryFileNames: 'static/js/[name]-[hash].js',
        chunkFileNames: 'static/js/[name]-[hash].js',
        assetFileNames: 'static/asset/[name]-[hash][extname]',
      },
    },
  },
  server: { port: 5174, open: '/console/console.html', proxy: { '/operator': server, '/sandbox': server, '/api': server } },
});
