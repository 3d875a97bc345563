import type { DeepPartial, Styles } from 'klinecharts';
import { LINE_TOKENS } from './look';

/** The styles of the chart, from the tokens of the theme. */

const FONT = 'Inter, sans-serif';

/** A canvas has no rem, so its text is scaled by the reader's font size. */
export const scale = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

export function styles(line: boolean, hollow: boolean): DeepPartial<Styles> {
  const root = getComputedStyle(document.documentElement);
  const v = (name: string) => root.getPropertyValue(`--${name}`).trim();
  const [up, down, text1, text3, hairline, accent] = [v('up'), v('down'), v('text-1'), v('text-3'), v('line'), v('accent')];
  const none = { show: false };
  const size = 11 * scale();
  const axisText = { color: text3, size, family: FONT, weight: 500 };
  const axis = { axisLine: none, tickLine: none, tickText: axisText };
  const tag = { color: v('on-commit'), size, family: FONT, weight: 600, borderRadius: 5, paddingLeft: 4, paddingRight: 4, paddingTop: 4, paddingBottom: 4 };
  // The axis is as wide as the crosshair's price, which the library measures without our separators; this adds space for two.
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
    indicator: { bars, lines: LINE_TOKENS.map((name) => ({ color: v(name), size: 1.4 })), lastValueMark: none, tooltip: { showRule: 'none' } },
    xAxis: axis,
    yAxis: axis,
    separator: { size: 0 },
    crosshair: { horizontal: cross, vertical: cross },
  };
}
