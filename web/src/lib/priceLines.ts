/** Prices that a person has an interest in, for the chart to mark. */

export type LineKind = 'open' | 'delivery' | 'entry' | 'takeProfit' | 'stopLoss' | 'liquidation' | 'alert';

export interface PriceLine {
  /** Names the line for as long as it is of the same thing, such as `p12.stopLoss`. */
  id: string;
  kind: LineKind;
  /** As the wire says it. */
  price: string;
  /** A word or two that stand on the line. */
  label: string;
  /** What the holder wants of the price; without it the line has the colour of its kind. */
  direction?: 'up' | 'down';
  /** Of an option on the live line: from its open to its delivery, UTC milliseconds. Without them the line goes from edge to edge. */
  from?: number;
  to?: number;
}

/** The token that a line is drawn in. Its word says what it is; the colour only helps. */
export function lineToken({ kind, direction }: Pick<PriceLine, 'kind' | 'direction'>): string {
  if (kind === 'liquidation') return 'caution';
  if (kind === 'alert') return 'accent';
  return direction ?? (kind === 'delivery' ? 'text-1' : 'text-2');
}

/** Prices in both lists are compared as texts, so a line is drawn again only when something of it changed. */
export const sameLine = (a: PriceLine, b: PriceLine) => a.price === b.price && a.label === b.label && a.kind === b.kind && a.direction === b.direction && a.from === b.from && a.to === b.to;
