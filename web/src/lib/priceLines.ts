/** Prices of interest to a person, for the chart to mark. */

export type LineKind = 'open' | 'delivery' | 'entry' | 'takeProfit' | 'stopLoss' | 'liquidation' | 'alert';

export interface PriceLine {
  /** Identifies the line while it means the same thing, such as `p12.stopLoss`. */
  id: string;
  kind: LineKind;
  /** As on the wire. */
  price: string;
  /** A word or two on the line. */
  label: string;
  /** Which way the holder wants the price to go; without it the line has the colour of its kind. */
  direction?: 'up' | 'down';
  /** For an option on the live line: from its open to its delivery, UTC milliseconds. Without them the line is as wide as the chart. */
  from?: number;
  to?: number;
}

/** The colour token of a line. Its label says what it is; the colour only helps. */
export function lineToken({ kind, direction }: Pick<PriceLine, 'kind' | 'direction'>): string {
  if (kind === 'liquidation') return 'caution';
  if (kind === 'alert') return 'accent';
  return direction ?? (kind === 'delivery' ? 'text-1' : 'text-2');
}

/** Prices in both lists are compared as texts, so a line is redrawn only if something of it changed. */
export const sameLine = (a: PriceLine, b: PriceLine) => a.price === b.price && a.label === b.label && a.kind === b.kind && a.direction === b.direction && a.from === b.from && a.to === b.to;
