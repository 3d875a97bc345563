import { useEffect, useState } from 'react';
import { useBalance } from '../../data/balances';
import { useConfig } from '../../data/config';
import { draft as drafts } from '../../data/draft';
import { usePositions } from '../../data/positions';
import { useOwnLimits, useSession } from '../../data/session';
import { useProductContext } from '../../data/productContext';
import type { Pair } from '../../generated/api';
import { amount, make, mul, rescale, type Amount, type Parsed } from '../../lib/money';
import { CONTRACTS } from '../../lib/wire';
import type { Side } from '../../lib/position';
import { serverNow } from '../../lib/time';
import { useAmount, type AmountText, type Typed } from '../../ui/AmountField';
import { openAt, openingPrice } from '../../lib/contracts';
import { entryOf, lotsOf, prefill, type Draft, type Kind, type OrderContext, type Trigger } from './order';
import { priceOf, type Market } from './terms';

/** The input in the form of an order. */

type Mode = 'auto' | 'typed' | 'none';
export interface TriggerField {
  field: AmountText;
  mode: Mode;
  /** Sets a price that the person typed or chose. */
  type: (text: string) => void;
  none: (on: boolean) => void;
}

interface Saved {
  kind: Kind;
  multiple: number;
  lots: Typed;
  limit: Typed;
}
const saved = drafts<Saved>();
/** The last multiple each member used, up to 10; more is never proposed. */
const used = new Map<number | undefined, number>();
const member = () => useSession.getState().user?.id;
export const usedMultiple = (multiple: number) => {
  if (multiple <= 10) used.set(member(), multiple);
};
const lastMultiple = () => used.get(member()) ?? 5;

/** Rebased when the price has moved this far, in thousandths, so that a proposal stays valid. */
const MOVED = 5n;
const isFar = (a: bigint, b: bigint) => (a > b ? a - b : b - a) * 1000n > b * MOVED;

const digitsOf = ({ tick }: Market) => tick.scale;

export function useOrderForm(market: Market, first: Side, held: boolean) {
  const [before] = useState(() => saved.read(market.symbol));
  const [side, setSide] = useState<Side>(first);
  const [kind, setKind] = useState<Kind>(before?.kind ?? 'market');
  const offered = (wanted: number) => (market.terms.multiples.includes(wanted) ? wanted : (market.terms.multiples.find((one) => one <= 10) ?? 1));
  const [multiple, setMultiple] = useState(() => offered(before?.multiple ?? lastMultiple()));
  const lots = useAmount(0, before?.lots);
  const limit = useAmount(digitsOf(market), before?.limit);
  const stop = useTrigger(market);
  const profit = useTrigger(market);

  // Proposals are measured from one price until it has moved away: with a high multiple the stop is half-way to the liquidation, which moves
  // with the price of the opening.
  const [basis, setBasis] = useState<bigint>();
  const bare = { side, kind, multiple, lots: lots.parsed, limit: limit.parsed };
  const entry = entryOf(bare, market);
  if (entry && !held && (basis === undefined || isFar(entry.from, basis))) setBasis(entry.from);
  const count = lotsOf({ ...bare, stop: 'none', profit: 'none' });
  const from = entry && (entry.waits || basis === undefined ? entry.price : openingPrice(side, basis, market.terms.spread));
  const opening = from && openAt(market.terms, side, count > 0n ? count : 1n, BigInt(multiple), from);
  const proposed = opening && basis !== undefined ? prefill(side, basis, opening) : undefined;
  const trigger = ({ mode, field }: TriggerField, ticks: bigint | undefined): Trigger => {
    if (mode === 'none') return 'none';
    if (mode === 'typed' || ticks === undefined) return field.parsed;
    return { ok: true, value: priceOf(ticks, market.tick) };
  };
  const draft: Draft = { ...bare, stop: trigger(stop, proposed?.stop), profit: trigger(profit, proposed?.profit) };

  useEffect(() => {
    saved.keep({ kind, multiple, lots: lots.typed, limit: limit.typed }, market.symbol);
  }, [market.symbol, kind, multiple, lots.typed, limit.typed]);

  /** A sent order is not proposed again. */
  const clear = () => {
    lots.setText('');
    limit.setText('');
    setMultiple(offered(lastMultiple()));
  };

  return { draft, side, setSide, kind, setKind, multiple, setMultiple, lots, limit, stop, profit, clear };
}
export type OrderFields = ReturnType<typeof useOrderForm>;

function useTrigger(market: Market): TriggerField {
  const field = useAmount(digitsOf(market));
  const [mode, setMode] = useState<Mode>('auto');
  return {
    field,
    mode,
    type: (text) => {
      setMode('typed');
      field.setText(text);
    },
    none: (on) => setMode(on ? 'none' : 'auto'),
  };
}

/** The price of a trigger, typed or proposed. */
export const valueOf = (trigger: Trigger): Parsed | undefined => (trigger === 'none' ? undefined : trigger);

/** The context of an order: session, connection, switches, balance, and the member's own limits. */
export function useOrderContext(pair: Pair, market: Market, stale: boolean): OrderContext {
  const own = useOwnLimits().data;
  const context = useProductContext('contract');
  const wallet = useBalance(CONTRACTS, pair.legal_id);
  const available: Amount | undefined = wallet && rescale(amount(wallet.avail), market.quote.scale);
  const positions = usePositions(1).data ?? [];
  const waiting = usePositions(0).data ?? [];
  return {
    ...context,
    open: context.open && pair.open_lever === 1,
    stale,
    available,
    positions: positions.length,
    waiting: waiting.length,
    used: positions.concat(waiting).reduce((sum, one) => (one.symbol === market.symbol ? sum + mul(amount(one.number), amount(one.price), market.quote.scale).units : sum), 0n),
    maxPositions: useConfig()?.limits.open_positions ?? 50,
    own,
    ownPause: (own?.pause_until_ms ?? 0) > serverNow(),
  };
}

/** A number of lots as an amount of the form. */
export const lotsAmount = (lots: bigint) => make(lots, 0);
