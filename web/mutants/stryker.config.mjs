import { readFileSync } from 'node:fs';

/** Small changes to the order rules of the app, each held against the tests of rules. `make mutants` runs it, in the folder `web`. */

const files = ['src/features/trade/order.ts', 'src/features/trade/book.ts', 'src/lib/money.ts', 'src/lib/review.ts'];

/** About so many changes, as a text: a stretch of lines that begins anywhere. There are about three changes in two lines. */
function stretch(count) {
  const all = files.flatMap((file) => readFileSync(file, 'utf8').split('\n').map((_, at) => [file, at + 1]));
  const first = Math.floor(Math.random() * all.length);
  const drawn = Array.from({ length: Math.ceil((count * 2) / 3) }, (_, at) => all[(first + at) % all.length]);
  return files.flatMap((file) => {
    const lines = drawn.filter(([of]) => of === file).map(([, line]) => line);
    return lines.length > 0 ? [`${file}:${Math.min(...lines)}-${Math.max(...lines)}`] : [];
  });
}

const count = process.env.MUTANTS ?? 'all';
const mutate = count === 'all' ? files : stretch(count);
console.log(mutate.join('\n'));

export default {
  mutate,
  // A word is one of a type: another one does not compile.
  mutator: { excludedMutations: ['StringLiteral'] },
  plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
  testRunner: 'vitest',
  vitest: { configFile: 'mutants/vitest.config.ts' },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  // TypeScript 7 has no interface for rewriting its settings, and vitest needs none of them.
  tsconfigFile: 'none',
  disableTypeChecks: false,
  ignorePatterns: ['mutants/node_modules', 'dist', '.vite'],
  tempDirName: 'dist/mutants',
  reporters: ['progress-append-only', 'clear-text'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  thresholds: { break: 98 },
};
