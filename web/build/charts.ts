import type { Plugin } from 'vite';

/** What the chart offers; VOL is its volume. */
const KEPT = ['bollingerBands', 'exponentialMovingAverage', 'movingAverage', 'movingAverageConvergenceDivergence', 'relativeStrengthIndex', 'stoch', 'volume'];

/** The library registers all it has, 27 indicators and 16 drawing tools, so no bundler can leave any out; we draw with a few and with a tool of our own. */
export function leanCharts(): Plugin {
  return {
    name: 'meridian-charts',
    apply: 'build',
    transform: {
      filter: { id: /klinecharts\/dist\/index\.esm\.js/ },
      handler(code) {
        const lists: [RegExp, string][] = [
          [/var extensions\$2 = \[\s+averagePrice,[\s\w,]+\];/, `var extensions$2 = [${KEPT.join(', ')}];`],
          [/var extensions = \[fibonacciLine,[\s\w,]+\];/, 'var extensions = [];'],
        ];
        let lean = code;
        for (const [list, few] of lists) {
          if (!list.test(lean)) throw new Error('klinecharts is another version: build/charts.ts does not know its lists');
          lean = lean.replace(list, () => few);
        }
        return { code: lean, map: null };
      },
    },
  };
}
