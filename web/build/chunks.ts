import type { Plugin } from 'vite';

/** A module this many screens need is worth sharing in one file. */
const SHARED_BY = 20;
/** The index of the library names them, so the entry reaches them; only screens with lists of pages use them. */
const OF_LISTS = /\/(infiniteQueryBehavior|infiniteQueryObserver|useInfiniteQuery)\.js$/;
/** What many screens need and most do not: in the kit every screen would bring it. */
const OF_SOME = /\/src\/(data\/funding|ui\/(Picker|Secret)\.|lib\/search)/;
/** An order's rules and words, and the market as it is: the form needs them at once, its review and the book later. Beside the form they would count as part of these. */
const ORDER = /\/src\/features\/trade\/(order|model|lines|live|book)\.ts/;
/** Likewise what an option's tab shares with its purchase and its receipt. */
const OPTION = /\/src\/features\/option\/(model|text|api|samples|Option\.module)\./;
/** The same of contracts, and the look of lists of orders: what a screen shares with a part that is fetched later, without what that needs in turn. */
const CONTRACT = /\/src\/(features\/contracts\/(terms|position|text|api|cancel|Contracts\.module)|ui\/positionText)\.(ts|css)/;
/** Running options and open positions, which every total counts: it needs nothing else of these products. */
const OPTIONS = /\/src\/data\/options\.ts/;
const POSITIONS = /\/src\/(data\/positions|lib\/position)\.ts/;
/** The arithmetic of contracts, which the check of a receipt needs without the rest. */
const FORMULAS = /\/src\/lib\/contracts\.ts/;
/** What most forms of an order share. */
const FORM = /\/src\/(data\/draft|ui\/AmountField)\.tsx?/;
/** What reviews watch, and say when a write does not go through. */
const OUTCOME = /\/src\/(lib\/moved|ui\/(CommitNote|Outcome|ReviewNote))\.tsx?/;
/** The end of a receipt, and copying, which screens with addresses and codes need as well: apart they would be two very small files. */
const RECEIPT = /\/src\/ui\/(copy|ReceiptNumber)\./;
/** The form of an address and its look, and the choice of its coin: apart they would be very small files. */
const ADDRESS = /\/src\/(lib\/address|ui\/(AddressText|CoinSelect))\./;
const ROWS = /\/src\/features\/trade\/OrderList\.module\.css/;

/** What the page of a pair shares with its sheets and with what lies below the form: in the page's own file it would bring them the whole page. */
const CHART = /\/src\/(ui\/chart\/(look|Notes|Chart\.module)|data\/alerts)/;
/** Figures of a chart as text. A group takes along what its modules need, and these need the arithmetic that all screens share. */
const FIGURES = /\/src\/ui\/chart\/chartText/;

/** What every field reads with, what every sheet waits for, what a review holds, and whether a product is open; the first page has room for it, and the page of a pair has none. */
const EARLY = /\/src\/(lib\/(digits|review)|ui\/secondTap|data\/productContext)\.ts/;

/**
 * Decides the files of the build. What the entry imports statically is one file, and what many screens share is
 * another. Left alone, the bundler cuts along every set of screens that shares a module, and many small files
 * compress worse and cost more round trips.
 */
export function chunks(): Plugin {
  const initial = new Set<string>();
  const screens = new Map<string, number>();
  return {
    name: 'meridian-chunks',
    buildEnd() {
      const reach = (id: string, seen: Set<string>): Set<string> => {
        if (!seen.has(id)) {
          seen.add(id);
          for (const child of this.getModuleInfo(id)?.importedIds ?? []) reach(child, seen);
        }
        return seen;
      };
      const ids = [...this.getModuleIds()];
      for (const id of ids) if (this.getModuleInfo(id)?.isEntry) reach(id, initial);
      for (const id of ids) if (OF_LISTS.test(id)) initial.delete(id);
      for (const id of ids) {
        if (!/\/src\/features\//.test(id) || !this.getModuleInfo(id)?.dynamicImporters.length) continue;
        for (const needed of reach(id, new Set())) screens.set(needed, (screens.get(needed) ?? 0) + 1);
      }
    },
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                // Before the kit, which would take it along: whatever reads anything imports the index.
                { name: (id) => (OF_LISTS.test(id) ? 'lists' : OPTIONS.test(id) ? 'options' : null), includeDependenciesRecursively: false },
                { name: (id) => (initial.has(id) || EARLY.test(id) ? 'app' : ((screens.get(id) ?? 0) >= SHARED_BY && !OF_SOME.test(id)) || FIGURES.test(id) ? 'kit' : ORDER.test(id) ? 'order' : CHART.test(id) ? 'chart-look' : OPTION.test(id) ? 'option' : null) },
                { name: (id) => (FORMULAS.test(id) ? 'formulas' : POSITIONS.test(id) ? 'positions' : CONTRACT.test(id) ? 'contract' : ADDRESS.test(id) ? 'address' : ROWS.test(id) ? 'rows' : FORM.test(id) ? 'form' : OUTCOME.test(id) ? 'outcome' : RECEIPT.test(id) ? 'receipt' : null), includeDependenciesRecursively: false },
              ],
            },
          },
        },
      },
    }),
  };
}
