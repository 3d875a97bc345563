import type { AxisTick, Chart, DeepPartial, KLineData, Styles } from 'klinecharts';
import { amount, format } from '../../lib/money';
import { PERIODS, type Candle, type CandleFeed, type PeriodName } from '../../lib/candles';
import type { PriceLine } from '../../lib/priceLines';
import { candleTime } from './chartText';
import { lineKeeper, positionOverlay } from './priceLines';

/** The candle chart on a canvas. Numbers here are pictures of prices, never money. */

export interface ChartSetup {
  feed: CandleFeed;
  period: PeriodName;
  symbol: string;
  digits: number;
  hollow: boolean;
  locale: string;
  /** The candle under the finger; null when it is lifted. */
  onPoint: (candle: Candle | null) => void;
  onState: (state: 'ready' | 'empty' | 'failed') => void;
}
export interface ChartHandle {
  zoom: (scale: number) => void;
  /** Bars to the past (positive) or back to now. */
  pan: (bars: number) => void;
  /** Marks these prices, and no longer others. */
  setLines: (lines: readonly PriceLine[]) => void;
  destroy: () => void;
}

type Library = typeof import('klinecharts');

const REPAINT = 250;
/** Least time between two attempts to load what failed. */
const AGAIN = 5_000;
/** Width of a candle at first, and the free space beside the newest one. */
const BAR = 7;
const EDGE_RIGHT = 20;
const FONT = 'Inter, sans-serif';
/** Lets the browser paint and take input between two steps. */
const breathe = () => new Promise<void>((done) => setTimeout(done, 0));

/** The canvas knows no rem: its text grows with the reader's own size by this. */
const scale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

function styles(line: boolean, hollow: boolean): DeepPartial<Styles> {
  const root = getComputedStyle(document.documentElement);
  const v = (name: string) => root.getPropertyValue(`--${name}`).trim();
  const [up, down, text1, text3, hairline, accent] = [v('up'), v('down'), v('text-1'), v('text-3'), v('line'), v('accent')];
  const none = { show: false };
  const size = 11 * scale();
  const axisText = { color: text3, size, family: FONT, weight: 500 };
  const axis = { axisLine: none, tickLine: none, tickText: axisText };
  const tag = { color: v('on-commit'), size, family: FONT, weight: 600, borderRadius: 5, paddingLeft: 4, paddingRight: 4, paddingTop: 4, paddingBottom: 4 };
  // The axis is as wide as the cross's price, which the library measures without our separators: there is room for two.
  const room = 4 + 0.3 * size;
  const cross = { line: { color: v('line-strong'), dashedValue: [3, 4] }, text: { color: text1, backgroundColor: v('surface-3'), borderColor: 'transparent', family: FONT, weight: 600, size, paddingLeft: room, paddingRight: room } };
  const bars = [{ upColor: `color-mix(in srgb, ${up} 34%, transparent)`, downColor: `color-mix(in srgb, ${down} 34%, transparent)`, noChangeColor: text3 }];
  return {
    grid: { horizontal: { color: hairline, style: 'solid' }, vertical: none },
    candle: {
      type: line ? 'area' : hollow ? 'candle_up_stroke' : 'candle_solid',
      bar: { upColor: up, downColor: down, noChangeColor: text3, upBorderColor: up, downBorderColor: down, noChangeBorderColor: text3, upWickColor: up, downWickColor: down, noChangeWickColor: text3 },
      area: {
        lineSize: 1.75,
        lineColor: accent,
        backgroundColor: [
          { offset: 0, color: 'transparent' },
          { offset: 1, color: v('accent-soft') },
        ],
        point: { show: false, animation: false },
      },
      priceMark: {
        high: none,
        low: none,
        last: { upColor: text1, downColor: text1, noChangeColor: text1, line: { dashedValue: [3, 4] }, text: tag },
      },
      tooltip: { showRule: 'none' },
    },
    indicator: { bars, lines: [{ color: accent, size: 1.4 }], lastValueMark: none, tooltip: { showRule: 'none' } },
    xAxis: axis,
    yAxis: axis,
    separator: { size: 0 },
    crosshair: { horizontal: cross, vertical: cross },
  };
}

/** Small figures of the axis in the reader's own notation. */
function figure(text: string, locale: string): string {
  return /^-?\d+(\.\d+)?$/.test(text) ? format(amount(text), locale, { min: text.split('.')[1]?.length ?? 0 }) : text;
}

/** At most a handful of lines, and no decimals that are zero on every tick. */
function shortTicks(all: readonly AxisTick[]): AxisTick[] {
  const ticks = all.length > 5 ? all.filter((_, n) => n % 2 === 0) : all;
  const zeros = ticks.every(({ text }) => /\D0+$/.test(text));
  return ticks.map((tick) => (zeros ? { ...tick, text: tick.text.replace(/\D0+$/, '') } : tick));
}

/** Least distance of two labels of the time axis, and of a label from an edge. */
const LABEL = 72;
const EDGE = 18;
const STRIDES = [1, 2, 3, 4, 6, 8, 12, 16, 24, 48, 96, 180, 240, 360, 720];

/** Labels at round times, none of them cut by an edge. */
function timeTicks(chart: Chart, from: number, to: number, width: number, date: (timestamp: number, axis: boolean) => string): AxisTick[] {
  const rows = chart.getDataList();
  const length = (rows[1]?.timestamp ?? 0) - (rows[0]?.timestamp ?? 0) || 1;
  const stride = STRIDES.find((n) => n * chart.getBarSpace().bar >= LABEL * scale()) ?? 1440;
  // Before the first candle there is room, but no row.
  const first = Math.max(0, from);
  const edge = EDGE * scale();
  return rows.slice(first, to).flatMap(({ timestamp }, n) => {
    if (Math.round(timestamp / length) % stride !== 0) return [];
    const { x = -1 } = chart.convertToPixel({ dataIndex: first + n }) as { x?: number };
    return x > edge && x < width - edge ? [{ coord: Math.round(x), value: timestamp, text: date(timestamp, true) }] : [];
  });
}

/** A price is cut to the market's decimals, as everywhere else. */
function cutter(digits: number) {
  const power = 10 ** digits;
  const cut = (value: number) => Math.floor(value * power + 1e-6) / power;
  return (candle: Candle): Candle => ({ ...candle, open: cut(candle.open), high: cut(candle.high), low: cut(candle.low), close: cut(candle.close) });
}

/** Shows the whole day of the time line at first. */
function fitDay(chart: Chart, bars: number): void {
  const width = chart.getSize('candle_pane', 'main')?.width ?? 0;
  if (bars > 1 && width > EDGE_RIGHT) chart.setBarSpace(Math.min(BAR, (width - EDGE_RIGHT) / bars));
  chart.setOffsetRightDistance(EDGE_RIGHT);
}

/** Feeds the chart: the newest candles, older ones as the left edge is reached, and the live one at four a second. */
export function connect(chart: Chart, { feed, period, symbol, digits, onState }: Omit<ChartSetup, 'hollow' | 'locale' | 'onPoint'>): () => void {
  const cut = cutter(digits);
  let leave = () => {};
  let waiting = new Map<number, Candle>();
  let show: (candle: KLineData) => void = () => {};
  /** When the history did not come; a live candle alone would look like all there is. */
  let failedAt: number | undefined;
  let fitted = false;
  const timer = setInterval(() => {
    const due = [...waiting.values()];
    waiting = new Map();
    for (const candle of due) show(candle);
  }, REPAINT);
  const live = (candle: Candle) => {
    if (failedAt === undefined) {
      waiting.set(candle.timestamp, cut(candle));
      onState('ready');
    } else if (Date.now() - failedAt >= AGAIN) {
      // Prices come again, so the history may as well. Until it is here no further attempt begins.
      failedAt = Infinity;
      chart.resetData();
    }
  };
  chart.setDataLoader({
    getBars: async ({ type, timestamp, callback }) => {
      try {
        const rows = type === 'init' ? await feed.newest() : type === 'forward' && timestamp !== null ? await feed.older(timestamp) : [];
        if (type === 'init') failedAt = undefined;
        callback(rows.map(cut), { forward: rows.length > 0, backward: false });
        if (type !== 'init') return;
        if (period === 'timeline' && !fitted) fitDay(chart, rows.length);
        fitted = true;
        onState(rows.length ? 'ready' : 'empty');
      } catch {
        if (type === 'init') failedAt = Date.now();
        callback([], false);
        if (type === 'init') onState('failed');
      }
    },
    subscribeBar: ({ callback }) => {
      show = callback;
      leave();
      leave = feed.follow(live);
    },
    unsubscribeBar: () => leave(),
  });
  const { type, span } = PERIODS.find(({ value }) => value === period) ?? PERIODS[0];
  chart.setSymbol({ ticker: symbol, pricePrecision: digits, volumePrecision: 4 });
  chart.setPeriod({ type, span });
  return () => {
    clearInterval(timer);
    leave();
  };
}

/** A finger this far from where it came down is dragging. */
const SLOP = 4;
/** Held this long, the finger moves the cross and no longer the page. */
const HOLD = 450;

/** Leaves a drag up or down to the page, which the library would take for itself; sideways the chart pans. */
function yieldVertical(container: HTMLElement): () => void {
  let start: { x: number; y: number; at: number } | undefined;
  let page = false;
  const down = ({ touches, timeStamp }: TouchEvent) => {
    const [touch] = touches;
    start = touch && touches.length === 1 ? { x: touch.clientX, y: touch.clientY, at: timeStamp } : undefined;
    page = false;
  };
  const move = (event: TouchEvent) => {
    const [touch] = event.touches;
    if (start && touch) {
      const [x, y] = [Math.abs(touch.clientX - start.x), Math.abs(touch.clientY - start.y)];
      if (x + y >= SLOP) {
        page = y > x && event.timeStamp - start.at < HOLD;
        start = undefined;
      }
    }
    if (page) event.stopPropagation();
  };
  container.addEventListener('touchstart', down, { capture: true, passive: true });
  container.addEventListener('touchmove', move, { capture: true, passive: true });
  return () => {
    container.removeEventListener('touchstart', down, { capture: true });
    container.removeEventListener('touchmove', move, { capture: true });
  };
}

/** Mounts a chart in steps that leave the page responsive. */
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
    // A day of minutes has more points than a phone has pixels.
    ...(line && { layout: { barSpaceLimit: { min: 0.1 } } }),
  });
  if (!chart) return undefined;
  // Zoom and pan have buttons; the canvas itself is no stop for the keyboard.
  container.querySelector('[tabindex]')?.removeAttribute('tabindex');
  chart.setBarSpace(BAR);
  chart.setOffsetRightDistance(EDGE_RIGHT);
  chart.overrideYAxis({ paneId: 'candle_pane', gap: { top: 0.12, bottom: 0.06 }, createTicks: ({ defaultTicks }) => shortTicks(defaultTicks) });
  chart.overrideXAxis({ createTicks: ({ range, bounding }) => timeTicks(chart, range.from, range.to, bounding.width, date) });
  await breathe();
  const stop = signal.aborted ? () => {} : connect(chart, setup);
  await breathe();
  if (!signal.aborted) {
    registerIndicator({
      name: 'AVERAGE',
      series: 'price',
      figures: [{ key: 'average', type: 'line' }],
      calc: (rows) => rows.map(({ average }) => (typeof average === 'number' && average > 0 ? { average } : {})),
    });
    chart.createIndicator(line ? { name: 'AVERAGE', paneId: 'candle_pane' } : { name: 'MA', calcParams: [7], paneId: 'candle_pane' }, true);
  }
  await breathe();
  if (!signal.aborted) {
    chart.createIndicator({ name: 'VOL', calcParams: [], paneId: 'volume' });
    chart.setPaneOptions({ id: 'volume', height: 44, minHeight: 32, dragEnabled: false });
    chart.overrideYAxis({ paneId: 'volume', createTicks: () => [] });
  }
  registerOverlay(positionOverlay);
  const lines = lineKeeper(chart, (price) => figure(price, locale));
  chart.subscribeAction('onCrosshairChange', (data) => {
    const { x } = (data ?? {}) as { x?: number };
    const [at] = x === undefined ? [] : (chart.convertFromPixel([{ x }], { paneId: 'candle_pane' }) as { dataIndex?: number }[]);
    onPoint((chart.getDataList()[at?.dataIndex ?? -1] as Candle | undefined) ?? null);
  });
  // The chart tells nothing when the cross goes away: with the mouse, or by the next touch.
  const forget = (event: PointerEvent) => {
    if (event.type === 'pointerdown' || event.pointerType === 'mouse') onPoint(null);
  };
  container.addEventListener('pointerleave', forget);
  container.addEventListener('pointerdown', forget);
  const keep = yieldVertical(container);
  const themes = new MutationObserver(() => {
    chart.setStyles(styles(line, hollow));
    lines.repaint();
  });
  themes.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-updown'] });
  const sizes = new ResizeObserver(() => chart.resize());
  sizes.observe(container);
  return {
    zoom: (scale) => chart.zoomAtCoordinate(scale),
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
