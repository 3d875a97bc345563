import type { AxisRange, Chart, OverlayTemplate } from 'klinecharts';
import { lineToken, sameLine, type PriceLine } from '../../lib/priceLines';

/** Lines of positions on the candle chart: overlays of the library that are added, moved and removed without a new chart. */

const NAME = 'position';
const PANE = 'candle_pane';
/** For a line the axis grows up to this many times what the candles need; a line beyond that is named at the edge. */
const ROOM = 2.5;
/** Half the height of a label, and its distance from the edges. */
const HALF = 9;
/** Least distance on the axis between a price and the last price. */
const TAG = 20;

interface Drawn {
  line: PriceLine;
  color: string;
  /** Background of the label. */
  ground: string;
  size: number;
  price: string;
}

/** A line with its label on the left and its price on the axis. A line out of sight is an arrow at the edge. */
export const positionOverlay: OverlayTemplate<Drawn> = {
  name: NAME,
  totalStep: 2,
  lock: true,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ overlay: { extendData: drawn }, coordinates: [at], bounding }) => {
    if (!at || !drawn) return [];
    const { y, arrow } = edge(at.y, bounding.height);
    const style = { color: drawn.color, size: 1, style: 'dashed' as const, dashedValue: drawn.line.kind === 'liquidation' ? [2, 2] : [5, 4] };
    const label = { type: 'text', attrs: { x: 1, y, text: arrow + drawn.line.label, align: 'left', baseline: 'middle' }, styles: text(drawn), ignoreEvent: true };
    if (arrow) return label;
    return [{ type: 'line', attrs: { coordinates: [{ x: 0, y }, { x: bounding.width, y }] }, styles: style, ignoreEvent: true }, label];
  },
  createYAxisFigures: ({ chart, overlay: { extendData: drawn }, coordinates: [at], bounding, yAxis }) => {
    if (!at || !drawn) return [];
    const newest = chart.getDataList().at(-1);
    const y = beside(edge(at.y, bounding.height).y, newest && yAxis?.convertToPixel(newest.close), bounding.height);
    return { type: 'text', attrs: { x: 0, y, text: drawn.price, align: 'left', baseline: 'middle' }, styles: text(drawn), ignoreEvent: true };
  },
};

const text = ({ color, ground, size }: Drawn) => ({ color, backgroundColor: ground, borderColor: color, borderSize: 1, style: 'stroke_fill', size, family: 'Inter, sans-serif', weight: 600, borderRadius: 5, paddingLeft: 4, paddingRight: 4, paddingTop: 2, paddingBottom: 2 });

function edge(y: number, height: number): { y: number; arrow: '' | '▲ ' | '▼ ' } {
  if (y < 0) return { y: HALF, arrow: '▲ ' };
  if (y > height) return { y: height - HALF, arrow: '▼ ' };
  return { y: Math.min(Math.max(y, HALF), height - HALF), arrow: '' };
}

/** The position of a price on the axis, moved beside the last price if it would cover it, so that both are readable. */
function beside(y: number, last: number | undefined, height: number): number {
  if (last === undefined || Math.abs(y - last) >= TAG) return y;
  const [above, below] = [last - TAG, last + TAG];
  return (y < last && above >= HALF) || below > height - HALF ? above : below;
}

/** The range of the axis, widened for the lines that fit. */
export function widen(range: AxisRange, prices: readonly number[]): AxisRange {
  if (!(range.range > 0)) return range;
  let [from, to] = [range.from, range.to];
  // Nearest first, so that a far line does not take the space of a near one.
  const away = (price: number) => Math.max(range.from - price, price - range.to, 0);
  for (const price of prices.toSorted((a, b) => away(a) - away(b))) {
    const [low, high] = [Math.min(from, price), Math.max(to, price)];
    if (high - low > ROOM * (range.to - range.from)) break;
    [from, to] = [low, high];
  }
  const span = to - from;
  return { ...range, from, to, range: span, realFrom: from, realTo: to, realRange: span, displayFrom: from, displayTo: to, displayRange: span };
}

/** Maintains the lines of one chart. */
export function lineKeeper(chart: Pick<Chart, 'createOverlay' | 'overrideOverlay' | 'removeOverlay' | 'overrideYAxis'>, price: (text: string) => string) {
  let shown = new Map<string, PriceLine>();
  let wanted: readonly PriceLine[] = [];
  const drawn = (line: PriceLine): Drawn => {
    const root = getComputedStyle(document.documentElement);
    const token = (name: string) => root.getPropertyValue(`--${name}`).trim();
    return { line, color: token(lineToken(line)), ground: token('canvas'), size: (10 * parseFloat(root.fontSize)) / 16, price: price(line.price) };
  };
  const fit = () => chart.overrideYAxis({ paneId: PANE, createRange: ({ defaultRange }) => widen(defaultRange, wanted.map((line) => Number(line.price))) });
  const set = (lines: readonly PriceLine[], all = false) => {
    wanted = lines;
    const next = new Map(lines.map((line) => [line.id, line]));
    let changed = all;
    for (const id of shown.keys()) {
      if (next.has(id)) continue;
      chart.removeOverlay({ id });
      changed = true;
    }
    for (const line of next.values()) {
      const before = shown.get(line.id);
      const parts = { id: line.id, points: [{ value: Number(line.price) }], extendData: drawn(line), zLevel: line.kind === 'liquidation' ? 2 : 1 };
      if (before && !all && sameLine(before, line)) continue;
      if (before) chart.overrideOverlay(parts);
      else chart.createOverlay({ name: NAME, paneId: PANE, lock: true, ...parts });
      changed = true;
    }
    shown = next;
    if (changed) fit();
  };
  return { set, /** Draws them in the colours of now. */ repaint: () => set(wanted, true) };
}
