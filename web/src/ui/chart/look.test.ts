// @vitest-environment jsdom
import { expect, test, vi } from 'vitest';
import { indicatorKeeper } from './indicators';
import { indicatorName, lookFrom, setLook, useLook } from './look';

test('a look is kept on the device, and what this version does not know is not taken', () => {
  expect(lookFrom({})).toEqual({ period: '30min', overlay: 'MA', pane: 'none' });
  expect(lookFrom({ period: '2min', overlay: 'toString', pane: 'RSI' })).toEqual({ period: '30min', overlay: 'MA', pane: 'RSI' });
  setLook({ overlay: 'BOLL', period: '1day' });
  expect(useLook.getState()).toMatchObject({ overlay: 'BOLL', period: '1day', pane: 'none' });
  expect(JSON.parse(localStorage.getItem('meridian.chart') ?? '')).toEqual({ period: '1day', overlay: 'BOLL', pane: 'none' });
});

test('an indicator is named with its parameters', () => {
  expect([indicatorName('MACD'), indicatorName('BOLL'), indicatorName('none')]).toEqual(['MACD 12 26 9', 'BOLL 20 2', 'none']);
});

test('indicators come and go without a new chart, and say what they are at a candle', () => {
  const chart = {
    createIndicator: vi.fn(() => ''),
    removeIndicator: vi.fn(() => true),
    setPaneOptions: vi.fn(),
    overrideYAxis: vi.fn(),
    getIndicators: () => [
      { name: 'VOL', calcParams: [], figures: [{ key: 'volume' }], result: [{ volume: 1 }, { volume: 2 }] },
      { name: 'MA', calcParams: [7, 25], figures: [{ key: 'ma1' }, { key: 'ma2' }], result: [{}, { ma1: 5 }] },
    ],
  };
  const keeper = indicatorKeeper(chart as unknown as Parameters<typeof indicatorKeeper>[0], false);
  keeper.set({ overlay: 'MA', pane: 'none' });
  keeper.set({ overlay: 'MA', pane: 'RSI' });
  expect(chart.createIndicator.mock.calls).toMatchObject([[{ name: 'MA', calcParams: [7, 25], paneId: 'candle_pane' }, true], [{ name: 'RSI', calcParams: [14], paneId: 'indicator' }]]);
  keeper.set({ overlay: 'none', pane: 'none' });
  expect(chart.removeIndicator.mock.calls).toEqual([[{ paneId: 'candle_pane', name: 'MA' }], [{ paneId: 'indicator' }]]);
  expect(keeper.read(1)).toEqual([{ title: 'MA 7', value: 5, token: 'accent' }]);
  const line = indicatorKeeper(chart as unknown as Parameters<typeof indicatorKeeper>[0], true);
  chart.createIndicator.mockClear();
  line.set({ overlay: 'EMA', pane: 'none' });
  expect(chart.createIndicator).not.toHaveBeenCalled();
});
