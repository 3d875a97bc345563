import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { catalogue } from './build/catalogue.ts';
import { chunks } from './build/chunks.ts';
import { shell } from './build/shell.ts';

const server = process.env.MERIDIAN_URL ?? 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/h5/',
  plugins: [catalogue(), react(), chunks(), shell()],
  css: { modules: { generateScopedName: '[name]_[local]_[hash:base64:4]' } },
  build: {
    target: ['es2022', 'safari15.4', 'chrome105', 'firefox104'],
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: {
      polyfill: false,
      // The entry's CSS is inlined in the page, so no lazy chunk may ask for it again.
      resolveDependencies: (_file, deps) => deps.filter((dep) => !/\/index-[^/]*\.css$/.test(dep)),
    },
    rollupOptions: {
      output: {
        entryFileNames: 'static/js/[name]-[hash].js',
        chunkFileNames: 'static/js/[name]-[hash].js',
        assetFileNames: ({ names }) =>
          names[0]?.endsWith('.css') ? 'static/css/[name]-[hash][extname]' : 'static/asset/[name]-[hash][extname]',
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': server, '/sandbox': server, '/files': server, '/socket.io': { target: server, ws: true } },
  },
  test: { environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'], restoreMocks: true },
});
