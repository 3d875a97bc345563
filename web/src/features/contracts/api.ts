import { useQuery } from '@tanstack/react-query';
import { useCoin, useConfig } from '../../data/config';
import { useLoggedIn } from '../../data/session';
import { ticker, useActivePair } from '../../data/tickers';
import type { Coin, ContractRules, Pair, Position } from '../../generated/api';
import { api } from '../../lib/http';
import { amount, wire, type Amount } from '../../lib/money';
import type { Confirmed } from '../../lib/review';
import type { Draft, toParams } from './order';
import { marketOf, type Market } from './terms';

/** The request: the order as typed, with the displayed rules. */
export interface Opening {
  base: number;
  quote: number;
  draft: Draft;
  rules: ContractRules;
}
/** Opens a position or places a waiting order; the sheet shows refusals. */
export const openContract = ({ base, quote }: Confirmed<Opening>, order: ReturnType<typeof toParams>) => api.post('lever/submit', { currency_id: base, legal_id: quote, ...order }, { quiet: true, mask: true, kept: 'contract' });
export const closeContract = ({ id }: Confirmed<Pick<Position, 'id'>>) => api.post('lever/close', { id }, { quiet: true, mask: true, kept: 'contractClose' });
const sent = (price: Amount | undefined) => (price ? wire(price) : '0');
export const setStops = ({ id }: Confirmed<Pick<Position, 'id'>>, profit: Amount | undefined, stop: Amount | undefined) =>
  api.post('lever/setstop', { id, target_profit_price: sent(profit), stop_loss_price: sent(stop) }, { quiet: true, mask: true });
export const cancelContract = (id: number) => api.post('lever/cancel', { id });

/** A contract with all that decided it; read again while it is open. */
export const useReceipt = (id: number) =>
  useQuery({
    queryKey: ['me', 'contract', id],
    enabled: useLoggedIn(),
    refetchInterval: ({ state }) => (state.data && state.data.end_seq === null ? 5_000 : false),
    queryFn: async () => (await api.get('lever/receipt', { id })).message,
  });

/** Pairs with contracts, in the listed order. */
export function useContractPairs(symbols: readonly string[]): string[] {
  const listed = new Set((useConfig()?.contracts ?? []).map(({ match_id: id }) => id));
  return symbols.filter((symbol) => {
    const pair = ticker(symbol);
    return pair !== undefined && listed.has(pair.match_id);
  });
}

/** The active pair, with the terms for new positions. */
export function useMarket(symbol: string): { pair: Pair | undefined; market: Market | undefined; failed: boolean; retry: () => void } {
  const pair = useActivePair(symbol);
  const base = useCoin(pair?.currency_id ?? 0);
  const quote = useCoin(pair?.legal_id ?? 0);
  const terms = useQuery({
    queryKey: ['me', 'lever', 'terms', symbol],
    enabled: pair !== undefined,
    refetchInterval: 30_000,
    queryFn: async () => (await api.query('lever/deal', { currency_id: pair?.currency_id ?? 0, legal_id: pair?.legal_id ?? 0 })).message.rules,
  });
  const market = pair && base && quote && terms.data ? marketOf(terms.data, symbol, base, quote, pair.index_price) : undefined;
  return { pair, market, failed: terms.isError && !terms.data, retry: () => void terms.refetch() };
}

/** The catalogue's terms of a pair with the present price, for displaying open positions. */
export function marketFor(pair: Pair | undefined, contracts: readonly ContractRules[], coins: readonly Coin[]): Market | undefined {
  const rules = pair && contracts.find(({ match_id: id }) => id === pair.match_id);
  const base = coins.find(({ id }) => id === pair?.currency_id);
  const quote = coins.find(({ id }) => id === pair?.legal_id);
  return rules && base && quote ? marketOf(rules, pair.symbol, base, quote, pair.index_price) : undefined;
}

/** The index of a pair as known now. */
export function markOf(symbol: string): Amount | undefined {
  const price = ticker(symbol)?.index_price;
  return price ? amount(price) : undefined;
}
