import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { catalogue } from '../build/catalogue.ts';

/** The tests of rules: screens take longer, and notice little of a figure. */
export default defineConfig({
  plugins: [catalogue(), react()],
  test: { environment: 'jsdom', include: ['src/{lib,features}/**/*.test.ts'], restoreMocks: true },
});
