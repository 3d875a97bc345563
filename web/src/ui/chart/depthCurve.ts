/** The curve of an order book: the quantity waiting up to each price. Figures here are for drawing, never money. */

export type Row = readonly [price: string, quantity: string];
export interface Step {
  price: number;
  sum: number;
}

/** This many levels of each side set the range, so that a lone order far away does not flatten the rest. */
const REACH = 50;

/** Running sums of one side, best first, up to `half` from the middle. */
function steps(rows: readonly Row[], middle: number, half: number): Step[] {
  let sum = 0;
  const all: Step[] = [];
  for (const [text, quantity] of rows) {
    const price = Number(text);
    if (Math.abs(price - middle) > half) break;
    sum += Number(quantity);
    all.push({ price, sum });
  }
  return all;
}

export function depthCurve(bids: readonly Row[], asks: readonly Row[]) {
  const [bid, ask] = [Number(bids[0]?.[0] ?? asks[0]?.[0] ?? 0), Number(asks[0]?.[0] ?? bids[0]?.[0] ?? 0)];
  const middle = (bid + ask) / 2;
  const reach = (rows: readonly Row[]) => Math.abs(Number(rows[Math.min(rows.length, REACH) - 1]?.[0] ?? middle) - middle);
  const half = Math.max(reach(bids), reach(asks)) || middle * 0.001 || 1;
  const [left, right] = [steps(bids, middle, half), steps(asks, middle, half)];
  const full = Math.max(left.at(-1)?.sum ?? 0, right.at(-1)?.sum ?? 0) || 1;
  return { middle, low: middle - half, high: middle + half, bids: left, asks: right, full };
}

/** The path of a side in a box of this size: a step up at each level, then flat to the next. */
export function pathOf(side: readonly Step[], { low, high, full }: Pick<ReturnType<typeof depthCurve>, 'low' | 'high' | 'full'>, width: number, height: number): string {
  const [first] = side;
  if (!first) return '';
  const x = (price: number) => (((price - low) / (high - low)) * width).toFixed(1);
  const y = (sum: number) => (height - (sum / full) * height).toFixed(1);
  const edge = first.price < (low + high) / 2 ? '0' : `${width}`;
  return `M${x(first.price)} ${height}${side.map(({ price, sum }) => `H${x(price)}V${y(sum)}`).join('')}H${edge}`;
}
