// @vitest-environment jsdom
import type { AxisRange } from 'klinecharts';
import { expect, test, vi } from 'vitest';
import type { PriceLine } from '../../lib/priceLines';
import { lineKeeper, positionOverlay, widen } from './priceLines';

const line = (id: string, price: string, kind: PriceLine['kind'] = 'stopLoss'): PriceLine => ({ id, kind, price, label: 'SL' });

function fake() {
  const chart = { createOverlay: vi.fn(() => ''), overrideOverlay: vi.fn(() => true), removeOverlay: vi.fn(() => true), overrideYAxis: vi.fn() };
  return { chart, lines: lineKeeper(chart, (price) => `<${price}>`) };
}

test('a line comes, moves and goes as itself; what did not change is left alone', () => {
  const { chart, lines } = fake();
  lines.set([line('a', '100.5'), line('b', '90')]);
  expect(chart.createOverlay).toHaveBeenCalledTimes(2);
  expect(chart.createOverlay).toHaveBeenCalledWith(expect.objectContaining({ id: 'a', points: [{ value: 100.5 }], extendData: expect.objectContaining({ price: '<100.5>' }) }));
  lines.set([line('a', '100.5'), line('b', '91')]);
  expect(chart.createOverlay).toHaveBeenCalledTimes(2);
  expect(chart.overrideOverlay).toHaveBeenCalledTimes(1);
  expect(chart.overrideOverlay).toHaveBeenCalledWith(expect.objectContaining({ id: 'b', points: [{ value: 91 }] }));
  lines.set([line('b', '91')]);
  expect(chart.removeOverlay).toHaveBeenCalledExactlyOnceWith({ id: 'a' });
  const laidOut = chart.overrideYAxis.mock.calls.length;
  lines.set([line('b', '91')]);
  expect(chart.overrideYAxis).toHaveBeenCalledTimes(laidOut);
  lines.repaint();
  expect(chart.overrideOverlay).toHaveBeenCalledTimes(2);
});

const range = (from: number, to: number) => ({ from, to, range: to - from, realFrom: from, realTo: to }) as AxisRange;

test('the axis makes room for near lines first and does not flatten the candles for a far one', () => {
  expect(widen(range(100, 110), [])).toMatchObject({ realFrom: 100, realTo: 110 });
  expect(widen(range(100, 110), [95, 118])).toMatchObject({ realFrom: 95, realTo: 118, realRange: 23 });
  expect(widen(range(100, 110), [20, 118])).toMatchObject({ realFrom: 100, realTo: 118 });
});

test('a price at the axis stands beside the last price where it would cover it', () => {
  const last = (close: number) => ({ getDataList: () => [{ close }] });
  const draw = (y: number, close: number) =>
    positionOverlay.createYAxisFigures?.({ chart: last(close), overlay: { extendData: { line: line('a', '1'), color: '', ground: '', size: 10, price: '1' } }, coordinates: [{ x: 0, y }], bounding: { width: 60, height: 200 }, yAxis: { convertToPixel: (value: number) => value } } as never);
  const placed = (y: number, close: number) => (draw(y, close) as unknown as { attrs: { y: number } }).attrs.y;
  expect([placed(100, 150), placed(100, 100), placed(95, 100), placed(105, 100), placed(195, 198), placed(9, 5)]).toEqual([100, 120, 80, 120, 178, 25]);
});

test('a line out of sight is an arrow and a word at the edge', () => {
  const draw = (y: number) =>
    positionOverlay.createPointFigures?.({ overlay: { extendData: { line: line('a', '1'), color: '', ground: '', size: 10, price: '1' } }, coordinates: [{ x: 0, y }], bounding: { width: 300, height: 200 } } as never);
  expect(draw(-50)).toMatchObject({ type: 'text', attrs: { y: 9, text: '▲ SL' } });
  expect(draw(500)).toMatchObject({ type: 'text', attrs: { y: 191, text: '▼ SL' } });
  expect(draw(100)).toMatchObject([{ type: 'line' }, { type: 'text', attrs: { y: 100, text: 'SL' } }]);
});
