import type { Plugin } from 'vite';

type Change = readonly [before: string, after: string];
/** What of the library is read in which file, and what it becomes. */
const FILES: Record<string, readonly Change[]> = {
  // Writes go through our own outbox: the client's cache of mutations stays empty, which no bundler can see.
  queryClient: [
    ['import { MutationCache } from "./mutationCache.js";', 'const MutationCache = class { clear() {} getAll() { return []; } findAll() { return []; } resumePausedMutations() { return Promise.resolve(); } };'],
  ],
  // Pages of a list are read by those who watch the list: how comes with these, not with the first page.
  query: [
    ['import { infiniteQueryBehavior } from "./infiniteQueryBehavior.js";', ''],
    ['(this.#queryType === "infinite" ? infiniteQueryBehavior(this.options.pages) : this.options.behavior)?.', 'this.options.behavior?.'],
  ],
  infiniteQueryObserver: [
    ['import { hasNextPage, hasPreviousPage } from "./infiniteQueryBehavior.js";', 'import { hasNextPage, hasPreviousPage, infiniteQueryBehavior } from "./infiniteQueryBehavior.js";\nconst behavior = /* @__PURE__ */ infiniteQueryBehavior();'],
    ['options._type = "infinite";', 'options._type = "infinite"; options.behavior = behavior;'],
  ],
};
const FILE = /query-core\/build\/modern\/(queryClient|query|infiniteQueryObserver)\.js/;

/** The query library's client carries what the app never asks for, or not on its first page. */
export function leanQueries(): Plugin {
  return {
    name: 'meridian-queries',
    apply: 'build',
    transform: {
      filter: { id: FILE },
      handler(code, id) {
        let lean = code;
        for (const [before, after] of FILES[FILE.exec(id)?.[1] ?? ''] ?? []) {
          if (!lean.includes(before)) throw new Error('query-core is another version: build/queries.ts does not know it');
          lean = lean.replaceAll(before, () => after);
        }
        return { code: lean, map: null };
      },
    },
  };
}
