import { create } from 'zustand';
import { PERIODS, type PeriodName } from '../../lib/candles';
import { read, write } from '../../lib/storage';

/** A person's chart settings, stored on the device. */

/** Drawn over the prices, and in a pane below them. The parameters are the usual ones of the field. */
export const OVERLAYS = { none: [], MA: [7, 25], EMA: [12, 26], BOLL: [20, 2] } as const;
export const PANES = { none: [], MACD: [12, 26, 9], RSI: [14], KDJ: [9, 3, 3] } as const;
/** Height of the pane below, by which the chart grows; px. */
export const PANE_HEIGHT = 56;
export type Overlay = keyof typeof OVERLAYS;
export type Pane = keyof typeof PANES;

export interface Look {
  period: PeriodName;
  overlay: Overlay;
  pane: Pane;
}

const KEY = 'meridian.chart';

/** The stored settings, as far as this version knows them. */
export function lookFrom({ period, overlay, pane }: Partial<Record<keyof Look, string>>): Look {
  const known = <T extends string>(all: readonly T[], value: string | undefined, otherwise: T) => all.find((one) => one === value) ?? otherwise;
  return {
    period: known(PERIODS.map(({ value }) => value), period, '30min'),
    overlay: known(Object.keys(OVERLAYS) as Overlay[], overlay, 'MA'),
    pane: known(Object.keys(PANES) as Pane[], pane, 'none'),
  };
}

export const useLook = create<Look>(() => lookFrom(read(KEY)));

export function setLook(part: Partial<Look>): void {
  useLook.setState(part);
  write(KEY, useLook.getState());
}

/** An indicator's name in the legend. */
export const indicatorName = (name: Overlay | Pane) => [name, ({ ...OVERLAYS, ...PANES }[name] as readonly number[]).join(' ')].join(' ').trim();
/** The colour tokens of an indicator's lines, in order. */
export const LINE_TOKENS = ['accent', 'text-2', 'text-3'] as const;
