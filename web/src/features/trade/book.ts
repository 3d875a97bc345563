/** The order book as the socket sends it: a snapshot, then changed levels, each step checked by its CRC-32. */

export type Level = readonly [price: string, quantity: string];

export interface Book {
  seq: number;
  /** Best first: high to low. */
  bids: readonly Level[];
  /** Best first: low to high. */
  asks: readonly Level[];
}

/** Prices of one market have the same number of decimals, so their texts compare like numbers. */
const compare = (a: string, b: string) => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);

function merge(levels: readonly Level[], changes: readonly Level[], direction: 1 | -1): Level[] {
  const changed = new Map(changes);
  const rest = levels.filter(([price]) => !changed.has(price));
  const set = [...changed].filter(([, quantity]) => /[1-9]/.test(quantity));
  return [...rest, ...set].toSorted(([a], [b]) => direction * compare(a, b));
}

/** Sets new quantities of changed levels in the book; zero removes a level. */
export const applyDelta = (book: Book, seq: number, bids: readonly Level[], asks: readonly Level[]): Book => ({
  seq,
  bids: merge(book.bids, bids, -1),
  asks: merge(book.asks, asks, 1),
});

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});

/** CRC-32 (IEEE) of an ASCII text. */
export function crc32(text: string): number {
  let c = 0xffffffff;
  for (let n = 0; n < text.length; n++) c = (TABLE[(c ^ text.charCodeAt(n)) & 0xff] ?? 0) ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

const CHECKED = 25;

/** Checksum of the best 25 levels, bid and ask in turn. */
export function checksum({ bids, asks }: Book): number {
  const parts: string[] = [];
  for (let n = 0; n < CHECKED; n++) {
    for (const level of [bids[n], asks[n]]) if (level) parts.push(level.join(':'));
  }
  return crc32(parts.join(':'));
}
