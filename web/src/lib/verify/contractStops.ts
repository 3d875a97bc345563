import { levelsOf, liquidationPrice, within, type Opening } from '../contracts';
import { checkOwner, knownBefore, shownPrice, ticksOf, type Asked } from './contractOrder';
import { readPublic } from './entry';
import { all, claimsAre } from './evidence';
import { must } from './fault';
import type { Fields } from './json';
import type { Entry } from './log';

/**
 * The take-profit and stop-loss of a contract: those of its order, or of the last shown entry that set them (C-15). Each entry sets both.
 * A receipt cannot show that no later entry was left out; the whole log can (`crates/server/src/verify/contract_stops.rs`).
 */

interface Prices {
  takeProfit: bigint | null;
  stopLoss: bigint | null;
}

/** The time in which the owner could set the stops of a position: after one entry, and before another once it was closed. */
export interface SettableSpan {
  figures: Opening;
  after: number;
  before: number | null;
}

const shownStops = (asked: Asked, { takeProfit, stopLoss }: Prices): Fields => ({ target_profit_price: shownPrice(asked, takeProfit ?? 0n), stop_loss_price: shownPrice(asked, stopLoss ?? 0n) });

/** The stops that an entry set, which must be for this contract and by its owner. */
async function setBy(asked: Asked, entry: Entry): Promise<Prices> {
  const said = readPublic(entry);
  must(said.kind === 'stopped' && said.position === asked.entry.seq, 'stops');
  await checkOwner(asked, entry, 'stops');
  return said;
}

/**
 * C-15 at a mark. The liquidation price is furthest with the whole margin, so what is refused here was refused whatever overnight fees
 * were paid.
 */
function admits({ order, index }: Asked, { stake, margin, required, capPrice }: Opening, mark: bigint, { takeProfit, stopLoss }: Prices): boolean {
  const levels = levelsOf(order.side, mark, liquidationPrice(stake, margin, required), capPrice);
  const fits = (price: bigint | null, level: keyof typeof levels) => price === null || (price % index.tick === 0n && within(price / index.tick, levels[level]));
  return fits(takeProfit, 'takeProfit') && fits(stopLoss, 'stopLoss');
}

/**
 * The stops of the position follow from the order and the shown entries, which are returned; `held` is null for an order that never
 * opened. Null if the receipt does not name the entries that set the stops.
 */
export async function checkStops(asked: Asked, held: SettableSpan | null): Promise<readonly number[] | null> {
  const { claims, proof, order, unshown } = asked;
  const { position, receipt, stopSeqs } = claims;
  let prices: Prices = order;
  if (stopSeqs === null) {
    const stood = shownStops(asked, prices);
    if (Object.entries(stood).some(([name, price]) => position[name] !== price)) unshown.push('stops');
    return null;
  }
  let last: Entry | undefined;
  for (const seq of stopSeqs) {
    const entry = all(proof).find((one) => one.seq === seq);
    must(entry !== undefined, 'proof');
    prices = await setBy(asked, entry);
    must(held !== null && seq > (last?.seq ?? held.after) && (held.before === null || seq < held.before), 'stops');
    last = entry;
  }
  if (last && held) {
    const sample = knownBefore(asked, receipt.stop_sample, 'stops', last);
    must(admits(asked, held.figures, ticksOf(asked, sample.price, 'stops'), prices), 'stops');
  } else must((receipt.stop_sample ?? null) === null, 'stops');
  claimsAre(position, shownStops(asked, prices), 'stops');
  return stopSeqs;
}
