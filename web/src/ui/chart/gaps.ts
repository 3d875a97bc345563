import type { Chart, OverlayTemplate } from 'klinecharts';
import type { Gap } from '../../lib/candles';

/** Marks missing prices: a break between two candles, so that no line crosses the gap. */

const NAME = 'gap';
/** As many as can be told apart. */
const MOST = 100;
/** Half the width cut out of a line, and of the space between two candles. */
const CUT = 3;
const ROOM = 0.25;

interface Look {
  line: boolean;
  canvas: string;
  edge: string;
}

export const gapOverlay: OverlayTemplate<Look> = {
  name: NAME,
  totalStep: 3,
  lock: true,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ chart, overlay: { extendData: look }, coordinates: [before, after], bounding: { height } }) => {
    if (!before || !after) return [];
    const half = look.line ? CUT : Math.max(1, Math.min(CUT, chart.getBarSpace().bar * ROOM));
    const middle = (before.x + after.x) / 2;
    const edge = (x: number) => ({ type: 'line', attrs: { coordinates: [0, height].map((y) => ({ x, y })) }, styles: { color: look.edge, size: 1, style: 'dashed', dashedValue: [2, 2] }, ignoreEvent: true });
    return [{ type: 'rect', attrs: { x: middle - half, y: 0, width: 2 * half, height }, styles: { style: 'fill', color: look.canvas }, ignoreEvent: true }, edge(middle - half), edge(middle + half)];
  },
};

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

/** Maintains a break at each gap. */
export function gapKeeper(chart: Pick<Chart, 'createOverlay' | 'removeOverlay'>, line: boolean) {
  let shown: readonly Gap[] = [];
  const remove = () => shown.forEach(({ to }) => chart.removeOverlay({ id: `${NAME}.${to}` }));
  const draw = () => {
    const extendData: Look = { line, canvas: token('canvas'), edge: token('text-3') };
    for (const { after, to } of shown) chart.createOverlay({ name: NAME, id: `${NAME}.${to}`, paneId: 'candle_pane', lock: true, points: [{ timestamp: after }, { timestamp: to }], extendData });
  };
  const set = (gaps: readonly Gap[]) => {
    const next = gaps.slice(-MOST);
    if (next.map(({ to }) => to).join() === shown.map(({ to }) => to).join()) return;
    remove();
    shown = next;
    draw();
  };
  return {
    set,
    /** Redraws them in the present colours. */
    repaint: () => {
      remove();
      draw();
    },
  };
}
