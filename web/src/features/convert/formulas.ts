/**
 * What an amount is worth in another coin, exactly: amounts are whole atoms, index prices have eight decimals, and it is rounded once. What
 * a conversion gives (8, F-2) the server says. The reference vectors test both against each other.
 */

const ceil = (n: bigint, by: bigint) => (n + by - 1n) / by;
const pow = (scale: number) => 10n ** BigInt(scale);

/** What a conversion needs of a coin: its decimals and its index price in USDT. */
export interface Priced {
  scale: number;
  index: bigint;
}

/** Value of the amount at the index prices, in atoms of the other coin, rounded up, so that no cost looks smaller than it is. */
export const worthIn = (amount: bigint, from: Priced, to: Priced): bigint => ceil(amount * from.index * pow(to.scale), to.index * pow(from.scale));
