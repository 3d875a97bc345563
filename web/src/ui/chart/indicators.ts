import type { Chart } from 'klinecharts';
import { LINE_TOKENS, OVERLAYS, PANE_HEIGHT, PANES, type Look } from './look';

/** The indicators of one chart: chosen, changed and read without a new chart. */

/** The values of an indicator at one candle. */
export interface Reading {
  title: string;
  value: number;
  token: string;
}

const TITLES: Record<string, readonly string[]> = { BOLL: ['UP', 'MID', 'DN'], MACD: ['DIF', 'DEA', 'MACD'], KDJ: ['K', 'D', 'J'] };
const title = (name: string, params: readonly unknown[], n: number) => TITLES[name]?.[n] ?? `${name} ${String(params[n])}`;

const MAIN = 'candle_pane';
const BELOW = 'indicator';
/** Space above the lines of a pane for its name, as a share of their range. */
const NAME_ROOM = 0.5;

export function indicatorKeeper(chart: Pick<Chart, 'createIndicator' | 'removeIndicator' | 'getIndicators' | 'setPaneOptions' | 'overrideYAxis'>, line: boolean) {
  let shown: Pick<Look, 'overlay' | 'pane'> = { overlay: 'none', pane: 'none' };
  const set = ({ overlay, pane }: Pick<Look, 'overlay' | 'pane'>) => {
    // The time line shows closes of a day, and only its own average belongs to it.
    if (!line && overlay !== shown.overlay) {
      if (shown.overlay !== 'none') chart.removeIndicator({ paneId: MAIN, name: shown.overlay });
      if (overlay !== 'none') chart.createIndicator({ name: overlay, calcParams: [...OVERLAYS[overlay]], paneId: MAIN }, true);
    }
    if (pane !== shown.pane) {
      if (shown.pane !== 'none') chart.removeIndicator({ paneId: BELOW });
      if (pane !== 'none') {
        chart.createIndicator({ name: pane, calcParams: [...PANES[pane]], paneId: BELOW });
        chart.setPaneOptions({ id: BELOW, height: PANE_HEIGHT, minHeight: 32, dragEnabled: false });
        // The upper edge of the pane is reserved for its name.
        chart.overrideYAxis({ paneId: BELOW, gap: { top: NAME_ROOM }, createTicks: () => [] });
      }
    }
    shown = { overlay, pane };
  };
  /** At the candle with this index. */
  const read = (at: number): Reading[] =>
    chart
      .getIndicators()
      .filter(({ name }) => name !== 'VOL' && name !== 'AVERAGE')
      .flatMap(({ name, calcParams, figures, result }) => {
        const row = (result as readonly Record<string, unknown>[])[at] ?? {};
        return figures.flatMap(({ key }, n) => {
          const value = row[key];
          return typeof value === 'number' ? [{ title: title(name, calcParams, n), value, token: LINE_TOKENS[n] ?? 'text-3' }] : [];
        });
      });
  return { set, read };
}
