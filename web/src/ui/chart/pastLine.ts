import type { Chart, OverlayTemplate } from 'klinecharts';

/** A thin vertical line where the prices of public venues end and those of our log begin. */

const NAME = 'past';

export const pastOverlay: OverlayTemplate<string> = {
  name: NAME,
  totalStep: 2,
  lock: true,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ chart, overlay: { extendData: color }, coordinates: [at], bounding }) => {
    if (!at) return [];
    // Between two candles, not through our first one.
    const x = at.x - chart.getBarSpace().bar / 2;
    const coordinates = [0, bounding.height].map((y) => ({ x, y }));
    return { type: 'line', attrs: { coordinates }, styles: { color, size: 1, style: 'dashed', dashedValue: [2, 3] }, ignoreEvent: true };
  },
};

/** Keeps that line at the start of our first candle; there is none until that is known. */
export function pastKeeper(chart: Pick<Chart, 'createOverlay' | 'removeOverlay'>) {
  let shown: number | undefined;
  const set = (at: number | undefined) => {
    if (shown !== undefined) chart.removeOverlay({ id: NAME });
    shown = at;
    if (at === undefined) return;
    const color = getComputedStyle(document.documentElement).getPropertyValue('--line-strong').trim();
    chart.createOverlay({ name: NAME, id: NAME, paneId: 'candle_pane', lock: true, points: [{ timestamp: at }], extendData: color });
  };
  return { set, /** Draws it in the colours of now. */ repaint: () => set(shown) };
}
