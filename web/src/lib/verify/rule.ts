import { must } from './fault';

/** The rule of an option in its only wording (version 1): its content, and nothing else. */

export interface Rule {
  symbol: string;
  tick: bigint;
  /** Names of the sources of the pair, or of its two legs. */
  names: string[] | [Leg, Leg];
  seconds: number;
  tolerance: bigint;
  profit: bigint;
  profitFlat: bigint;
  fee: bigint;
  tie: 'refund' | 'lose';
}
export interface Leg {
  symbol: string;
  names: string[];
}

/** A decimal in units of 10^-scale. */
export function units(text: string, scale: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0').slice(0, scale));
}

/** Units of 10^-scale with all their decimals. */
export function fixed(value: bigint, scale: number): string {
  const digits = value.toString().padStart(scale + 1, '0');
  return scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

/** The same without trailing zeros. */
export const trimmed = (value: bigint, scale: number): string => fixed(value, scale).replace(/\.?0+$/, '');

const NUMBER = String.raw`(\d+\.\d{6}) %`;
const SOURCES = String.raw`sources: ([^\n]+)
trimming: quotes that are not positive or older than 5000 ms are dropped; then those more than 2\.000000 % from the median are; the price is the median of the rest, rounded half to even to the step; fewer than 3 quotes make no sample
jumps: a step of more than 5\.000000 % within 60000 ms waits until 3 samples in a row lie within 1\.000000 % of each other
`;
const COMPUTED = String.raw`computed: the first index over the second, with the time of the older sample, rounded half to even to the step
([^\n]+)
${SOURCES}([^\n]+)
${SOURCES}`;
const WORDING = (origin: string) =>
  new RegExp(
    String.raw`^Meridian option rule 1
index: ([^\n]+) in steps of (\d+\.\d{8})
${origin}open price: the latest sample at or before the purchase, at most 3000 ms old
delivery instant: (\d+) s after the purchase
delivery price: the latest sample at or before the delivery instant, at most 3000 ms old
band: ${NUMBER} of the open price, rounded down to 0\.00000001
outcome: up if the delivery price is above the open price by more than the band, down if it is below it by more than the band, otherwise flat
payout: stake and ${NUMBER} of it if the bet is up or down and the outcome, stake and ${NUMBER} of it if both are flat; profit rounds down
fee: ${NUMBER} of the stake, rounded up
tie: if the bet is up or down and the outcome is flat, (the stake is paid back and the fee is kept|it loses)
gap: without a delivery price stake and fee are paid back
$`,
  );

export function readRule(text: string): Rule {
  const direct = WORDING(SOURCES).exec(text);
  const found = direct ?? WORDING(COMPUTED).exec(text);
  must(found !== null, 'rule');
  const [, symbol = '', tick = '', ...rest] = found;
  const split = (names = '') => names.split(', ');
  const names: Rule['names'] = direct
    ? split(rest.shift())
    : [
        { symbol: rest.shift() ?? '', names: split(rest.shift()) },
        { symbol: rest.shift() ?? '', names: split(rest.shift()) },
      ];
  const [seconds = '', ...rates] = rest;
  const [tolerance = 0n, profit = 0n, profitFlat = 0n, fee = 0n] = rates.slice(0, 4).map((rate) => units(rate, 6));
  const tie = rates[4] === 'it loses' ? 'lose' : 'refund';
  return { symbol, tick: units(tick, 8), names, seconds: parseInt(seconds, 10), tolerance, profit, profitFlat, fee, tie };
}
