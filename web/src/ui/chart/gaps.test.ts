// @vitest-environment jsdom
import type { Chart } from 'klinecharts';
import { expect, test } from 'vitest';
import { gapKeeper, gapOverlay } from './gaps';

const gap = (to: number) => ({ after: to - 3, from: to - 2, to });

test('a gap is cut out between two candles, and once it is drawn it is not drawn anew', () => {
  const drawn: string[] = [];
  const chart = { createOverlay: ({ id }: { id: string }) => drawn.push(`+${id}`), removeOverlay: ({ id }: { id: string }) => drawn.push(`-${id}`) } as unknown as Chart;
  const keeper = gapKeeper(chart, true);
  keeper.set([gap(10)]);
  keeper.set([gap(10)]);
  expect(drawn).toEqual(['+gap.10']);
  keeper.set([gap(10), gap(20)]);
  expect(drawn.slice(1)).toEqual(['-gap.10', '+gap.10', '+gap.20']);
  keeper.set([]);
  expect(drawn.slice(-2)).toEqual(['-gap.10', '-gap.20']);
});

test('what is cut out covers the line that the chart leads from the one to the other', () => {
  const figures = (line: boolean) =>
    gapOverlay.createPointFigures?.({ chart: { getBarSpace: () => ({ bar: 8 }) }, overlay: { extendData: { line, canvas: '#000', edge: '#888' } }, coordinates: [{ x: 100, y: 5 }, { x: 108, y: 9 }], bounding: { height: 50 } } as never) as { type: string; attrs: unknown }[];
  expect(figures(true)[0]).toMatchObject({ type: 'rect', attrs: { x: 101, y: 0, width: 6, height: 50 } });
  // There is less space between candles.
  expect(figures(false)[0]).toMatchObject({ attrs: { x: 102, width: 4 } });
  expect(figures(false)).toHaveLength(3);
});
