import type { PublicCommitment, Trade, VolumeMinute } from '../../generated/api';
import { api } from '../../lib/http';
import { checkCommitment, checkCommitments, checkShown, checkTraded, checkTrades, checkVolume, checkWorth, isOver, type Day } from '../../lib/verify/figures';
import { lookUpSome, some, type Figures, type Moves, type Range } from './recount';

/** Public figures of new coins and pairs, added up from members' payments and trades on this phone. */

const PAGE = 500;
const OFFERINGS = 100;
/** The most commitments of one coin, and trades of one minute, that a phone adds up: about a megabyte, and a tenth of one. */
const COMMITMENTS = 10_000;
const TRADES = 1_000;
const TRIES = 4;
/** A payment is valued at a price that is at most this old. */
const FRESH_MS = 3_000;

export interface Coins extends Range {
  commitments: number;
  lookedUp: number;
  /** Coins with more commitments than a phone adds up. */
  skipped: number;
}

interface Part extends PublicCommitment {
  offering: number;
  /** Coin of the price. */
  coin: number;
}

/** All commitments to an offering; `null` if there are too many. */
async function readCommitments(id: number): Promise<Part[] | null> {
  const rows: Part[] = [];
  for (;;) {
    const { message, data } = await api.get('public/commitments', { id, after: rows.at(-1)?.seq ?? 0, limit: PAGE });
    if (data.commitments > COMMITMENTS) return null;
    rows.push(...message.map((row) => ({ ...row, offering: id, coin: data.currency_id })));
    if (message.length < PAGE) return rows;
  }
}

/** Checks the value of a payment in another coin, as long as the price of that moment is kept. */
async function checkPrice(part: Part): Promise<void> {
  if (part.currency_id === part.coin) return;
  const { message: groups } = await api.get('currency/quotation_new');
  const symbol = groups.flatMap((group) => group.quotation).find((pair) => pair.currency_id === part.currency_id && pair.legal_id === part.coin)?.symbol;
  if (!symbol) return;
  const { message: samples } = await api.get('market/index', { symbol, from_ms: part.created_at_ms - FRESH_MS, to_ms: part.created_at_ms });
  const sample = samples.filter(({ seq }) => seq <= part.seq).at(-1);
  if (sample) checkWorth(part, sample.price);
}

export async function countCoins(): Promise<Coins> {
  const { message: offerings, data } = await api.get('lh/send/config', { limit: OFFERINGS });
  const parts: Part[] = [];
  let skipped = 0;
  for (const { id, committed_value } of offerings) {
    const rows = await readCommitments(id);
    if (rows) {
      checkCommitments(rows, rows[0]?.coin ?? 0, committed_value, data.to_seq);
      parts.push(...rows);
    } else skipped++;
  }
  for (const part of some(parts)) await checkPrice(part);
  const lookedUp = await lookUpSome(parts, (part, entry) => checkCommitment(part.offering, part, entry));
  return { from: data.from_seq, to: data.to_seq, commitments: parts.length, lookedUp, skipped };
}

interface Rolling extends Day {
  minutes: readonly VolumeMinute[];
}
async function readDay(symbol: string): Promise<Rolling> {
  const { message: minutes, data } = await api.get('public/volumes', { symbol });
  checkVolume(minutes, data);
  return { ...data, minutes };
}

/** All trades of a minute, newest first. */
async function readTrades(symbol: string, minute: VolumeMinute): Promise<Trade[]> {
  const rows: Trade[] = [];
  for (;;) {
    const last = rows.at(-1);
    const { message } = await api.get('market/trades', { symbol, limit: PAGE, before_ms: minute.start_ms + 60_000, ...(last && { before_id: last.id }) });
    const of = message.filter(({ ts }) => ts >= minute.start_ms);
    rows.push(...of);
    // Surplus trades are noticed as well.
    if (of.length < PAGE || rows.length > minute.count) return rows;
  }
}

/** Every pair's figure must lie between two reads of its day. For some minutes the trades are added up, and one of each is looked up. */
export async function countVolumes(): Promise<Moves> {
  attempts: for (let left = TRIES; left > 0; left--) {
    const symbols = (await api.get('currency/quotation_new')).message.flatMap((group) => group.quotation).map(({ symbol }) => symbol);
    const before = new Map<string, Rolling>();
    for (const symbol of symbols) before.set(symbol, await readDay(symbol));
    const { message: groups, data } = await api.get('currency/quotation_new');
    const shown = groups.flatMap((group) => group.quotation).filter(({ symbol }) => before.has(symbol));
    for (const pair of shown) {
      const first = before.get(pair.symbol);
      if (first && !checkShown(pair, first, await readDay(pair.symbol))) continue attempts;
    }
    const all = [...before].flatMap(([symbol, day]) => day.minutes.filter((minute) => isOver(minute, day)).map((minute) => ({ symbol, minute })));
    const traded: (Trade & { market: number })[] = [];
    const numbers = new Map(shown.map((pair) => [pair.symbol, pair.match_id]));
    for (const { symbol, minute } of some(all.filter(({ minute }) => minute.count <= TRADES))) {
      const trades = await readTrades(symbol, minute);
      checkTrades(minute, trades);
      traded.push(...some(trades.map((trade) => ({ ...trade, market: numbers.get(symbol) ?? 0 }))).slice(0, 1));
    }
    const figures: Figures = { from: data.from_seq, to: data.to_seq, figures: shown.length, parts: [...before.values()].reduce((sum, { minutes }) => sum + minutes.length, 0) };
    return { ...figures, lookedUp: await lookUpSome(traded, (trade, entry) => checkTraded(trade.market, trade, entry)) };
  }
  throw new Error('the minute ends all the time');
}
