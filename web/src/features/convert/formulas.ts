/**
 * The exact arithmetic of a conversion (8, F-2), as in the engine: amounts are whole atoms, index prices have eight decimals, rates are
 * hundred-millionths, and every amount is rounded once. The reference vectors test it.
 */

const ONE = 100_000_000n;
const ceil = (n: bigint, by: bigint) => (n + by - 1n) / by;
const pow = (scale: number) => 10n ** BigInt(scale);

/** What a conversion needs of a coin: its decimals and its index price in USDT. */
export interface Priced {
  scale: number;
  index: bigint;
}

export interface Converted {
  gross: bigint;
  fee: bigint;
  net: bigint;
}

/** F-2. */
export function convertAt(amount: bigint, from: Priced, to: Priced, spread: bigint, fee: bigint): Converted {
  const gross = (amount * from.index * (ONE - spread) * pow(to.scale)) / (to.index * ONE * pow(from.scale));
  const charged = ceil(gross * fee, ONE);
  return { gross, fee: charged, net: gross - charged };
}

/** Value of the amount at the index prices, in atoms of the other coin, rounded up, so that no cost looks smaller than it is. */
export const worthIn = (amount: bigint, from: Priced, to: Priced): bigint => ceil(amount * from.index * pow(to.scale), to.index * pow(from.scale));

/** F-4: a rate that moved by more than 1 % either way voids its quote; exactly 1 % does not. */
export function hasMoved(quoted: { from: bigint; to: bigint }, now: { from: bigint; to: bigint }): boolean {
  const [before, after] = [quoted.from * now.to, now.from * quoted.to];
  const apart = after > before ? after - before : before - after;
  return apart * 100n > before;
}
