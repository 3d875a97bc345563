import type { AxisTick, Chart } from 'klinecharts';
import { amount, format } from '../../lib/money';
import type { Candle, CandleFeed, Gap, PeriodName, VolumeOf } from '../../lib/candles';
import type { PriceLine } from '../../lib/priceLines';
import { candleTime } from './chartText';
import { BAR, connect, EDGE_RIGHT } from './feeding';
import { gapKeeper, gapOverlay } from './gaps';
import { indicatorKeeper, type Reading } from './indicators';
import type { Look } from './look';
import { pastKeeper, pastOverlay } from './pastLine';
import { lineKeeper, positionOverlay } from './priceLines';
import { scale, styles } from './styles';
import { yieldVertical } from './touch';

/** The candle chart on a canvas. Numbers here are for drawing, never money. */

export interface ChartSetup {
  feed: CandleFeed;
  period: PeriodName;
  symbol: string;
  digits: number;
  hollow: boolean;
  locale: string;
  /** The candle under the finger, its indicators, and the price at its height; null when it is lifted. */
  onPoint: (point: Point | null) => void;
  /** Whose volume the bars show. */
  onVolume: (of: VolumeOf) => void;
  /** Where our own candles begin, ms, once older ones of public venues are shown. */
  onPast: (end: number | undefined) => void;
  /** The times without prices, oldest first. */
  onGaps: (gaps: readonly Gap[]) => void;
  onState: (state: 'ready' | 'empty' | 'failed') => void;
}
export interface Point {
  candle: Candle;
  readings: readonly Reading[];
  price: number | undefined;
}
export interface ChartHandle {
  zoom: (scale: number) => void;
  /** Moves by bars to the past (positive) or back to now. */
  pan: (bars: number) => void;
  /** Marks these prices only. */
  setLines: (lines: readonly PriceLine[]) => void;
  setLook: (look: Pick<Look, 'overlay' | 'pane'>) => void;
  destroy: () => void;
}

type Library = typeof import('klinecharts');

/** Lets the browser paint and handle input between two steps. */
const breathe = () => new Promise<void>((done) => setTimeout(done, 0));

/** Small axis figures in the reader's notation. */
function figure(text: string, locale: string): string {
  return /^-?\d+(\.\d+)?$/.test(text) ? format(amount(text), locale, { min: text.split('.')[1]?.length ?? 0 }) : text;
}

/** At most a handful of ticks, without decimals that are zero on all of them. */
function shortTicks(all: readonly AxisTick[]): AxisTick[] {
  const ticks = all.length > 5 ? all.filter((_, n) => n % 2 === 0) : all;
  const zeros = ticks.every(({ text }) => /\D0+$/.test(text));
  return ticks.map((tick) => (zeros ? { ...tick, text: tick.text.replace(/\D0+$/, '') } : tick));
}

/** Least distance between two labels of the time axis, and between a label and an edge. */
const LABEL = 72;
const EDGE = 18;
const STRIDES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 48, 96, 180, 240, 360, 720];

/** Labels at round times, none cut off by an edge. */
function timeTicks(chart: Chart, from: number, to: number, width: number, date: (timestamp: number, axis: boolean) => string): AxisTick[] {
  const rows = chart.getDataList();
  const length = (rows[1]?.timestamp ?? 0) - (rows[0]?.timestamp ?? 0) || 1;
  const stride = STRIDES.find((n) => n * chart.getBarSpace().bar >= LABEL * scale()) ?? 1440;
  // Before the first candle there is space, but no row.
  const first = Math.max(0, from);
  const edge = EDGE * scale();
  let last = -Infinity;
  return rows.slice(first, to).flatMap(({ timestamp }, n) => {
    if (Math.round(timestamp / length) % stride !== 0) return [];
    const { x = -1 } = chart.convertToPixel({ dataIndex: first + n }) as { x?: number };
    // Missing candles bring round times closer together.
    if (x <= edge || x >= width - edge || x - last < LABEL * scale() - 1) return [];
    last = x;
    return [{ coord: Math.round(x), value: timestamp, text: date(timestamp, true) }];
  });
}

/** Mounts a chart in steps that keep the page responsive. */
export async function mountChart({ init, dispose, registerIndicator, registerOverlay }: Library, container: HTMLElement, setup: ChartSetup, signal: AbortSignal): Promise<ChartHandle | undefined> {
  const { period, hollow, locale, onPoint } = setup;
  if (signal.aborted) return undefined;
  const line = period === 'timeline';
  const date = candleTime(locale, period);
  const chart = init(container, {
    styles: styles(line, hollow),
    formatter: { formatDate: ({ timestamp, type }) => date(timestamp, type === 'xAxis') },
    thousandsSeparator: { format: (value) => figure(String(value), locale) },
    decimalFold: { format: String },
    // The minutes of a day are more points than a phone has pixels.
    ...(line && { layout: { barSpaceLimit: { min: 0.1 } } }),
  });
  if (!chart) return undefined;
  // Zoom and pan have buttons, so the canvas is not a tab stop.
  container.querySelector('[tabindex]')?.removeAttribute('tabindex');
  chart.setBarSpace(BAR);
  chart.setOffsetRightDistance(EDGE_RIGHT);
  chart.overrideYAxis({ paneId: 'candle_pane', gap: { top: 0.12, bottom: 0.06 }, createTicks: ({ defaultTicks }) => shortTicks(defaultTicks) });
  chart.overrideXAxis({ createTicks: ({ range, bounding }) => timeTicks(chart, range.from, range.to, bounding.width, date) });
  await breathe();
  registerOverlay(pastOverlay);
  registerOverlay(gapOverlay);
  const past = pastKeeper(chart);
  const gaps = gapKeeper(chart, line);
  const onPast = (end: number | undefined) => {
    past.set(end);
    setup.onPast(end);
  };
  const onGaps = (found: readonly Gap[]) => {
    gaps.set(found);
    setup.onGaps(found);
  };
  const stop = signal.aborted ? () => {} : connect(chart, { ...setup, onPast, onGaps });
  await breathe();
  if (!signal.aborted) {
    registerIndicator({
      name: 'AVERAGE',
      series: 'price',
      figures: [{ key: 'average', type: 'line' }],
      calc: (rows) => rows.map(({ average }) => (typeof average === 'number' && average > 0 ? { average } : {})),
    });
    if (line) chart.createIndicator({ name: 'AVERAGE', paneId: 'candle_pane' }, true);
  }
  await breathe();
  if (!signal.aborted) {
    chart.createIndicator({ name: 'VOL', calcParams: [], paneId: 'volume' });
    chart.setPaneOptions({ id: 'volume', height: 44, minHeight: 32, dragEnabled: false });
    // Space for the name above the tallest bar.
    chart.overrideYAxis({ paneId: 'volume', gap: { top: 0.3, bottom: 0 }, createTicks: () => [] });
  }
  registerOverlay(positionOverlay);
  const lines = lineKeeper(chart, (price) => figure(price, locale));
  const indicators = indicatorKeeper(chart, line);
  chart.subscribeAction('onCrosshairChange', (data) => {
    const { x, y, paneId } = (data ?? {}) as { x?: number; y?: number; paneId?: string };
    const [at] = x === undefined ? [] : (chart.convertFromPixel([{ x, ...(y !== undefined && { y }) }], { paneId: 'candle_pane' }) as { dataIndex?: number; value?: number }[]);
    const candle = chart.getDataList()[at?.dataIndex ?? -1] as Candle | undefined;
    onPoint(candle ? { candle, readings: indicators.read(at?.dataIndex ?? -1), price: paneId === 'candle_pane' ? at?.value : undefined } : null);
  });
  // The chart reports no event when the crosshair disappears, with the mouse or at the next touch.
  const forget = (event: PointerEvent) => {
    if (event.type === 'pointerdown' || event.pointerType === 'mouse') onPoint(null);
  };
  container.addEventListener('pointerleave', forget);
  container.addEventListener('pointerdown', forget);
  const keep = yieldVertical(container);
  const themes = new MutationObserver(() => {
    chart.setStyles(styles(line, hollow));
    lines.repaint();
    past.repaint();
    gaps.repaint();
  });
  themes.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-updown'] });
  const sizes = new ResizeObserver(() => chart.resize());
  sizes.observe(container);
  return {
    zoom: (scale) => chart.zoomAtCoordinate(scale),
    setLook: (look) => indicators.set(look),
    setLines: (wanted) => lines.set(wanted),
    pan: (bars) => chart.scrollByDistance(bars * chart.getBarSpace().bar),
    destroy: () => {
      stop();
      themes.disconnect();
      sizes.disconnect();
      keep();
      container.removeEventListener('pointerleave', forget);
      container.removeEventListener('pointerdown', forget);
      dispose(container);
    },
  };
}
