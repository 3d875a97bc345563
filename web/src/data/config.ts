import { useQuery } from '@tanstack/react-query';
import type { AppConfig, Coin, MarketRules, ProductSwitch } from '../generated/api';
import { api } from '../lib/http';
import type { Forbidden } from '../lib/productContext';
import { setServerTime } from '../lib/time';
import { queryClient } from './query';

const options = {
  queryKey: ['config'],
  staleTime: 300_000,
  queryFn: async (): Promise<AppConfig> => {
    const { message, took } = await api.get('app/config');
    setServerTime(message.server_time_ms, took);
    return message;
  },
};

/** The catalogue: coins, pairs, rules, limits and product switches. Undefined until it is read. */
export const useConfig = (): AppConfig | undefined => useQuery(options).data;
export const useConfigQuery = () => useQuery(options);
export const loadConfig = () => queryClient.fetchQuery(options);
export const config = () => queryClient.getQueryData<AppConfig>(options.queryKey);

export const useCoins = (): Coin[] => useConfig()?.currencies ?? [];
export const useCoin = (id: number): Coin | undefined => useConfig()?.currencies.find((coin) => coin.id === id);
export const useMarket = (symbol: string): MarketRules | undefined => useConfig()?.markets.find((market) => market.symbol === symbol);
/**
 * Whether a product is closed by the rules of the member's country, or because the country is not known yet: verified documents state it.
 */
export function useForbidden(product: ProductSwitch['product']): Forbidden | undefined {
  const config = useConfig();
  if (config?.products.find((p) => p.product === product)?.reason === undefined) return undefined;
  return config.country === '' ? 'unknown' : 'country';
}
/** Whether a product can be opened here; false while unknown. */
export const useProduct = (product: ProductSwitch['product']): boolean => useConfig()?.products.find((p) => p.product === product)?.on === 1;

type Product = ProductSwitch['product'];
/** Whether a product exists for the member, even if paused. False while unknown, and where the rules of the country forbid it. */
export const offers = (config: AppConfig | undefined, product: Product): boolean => config?.products.some((p) => p.product === product && (p.reason === undefined || config.country === '')) ?? false;

/** Pages that belong to one product; plans, new coins and loans share a tab. */
const OF_PAGE: Readonly<Record<string, Product>> = { 'option/detail': 'option', 'lever/index': 'contract', 'finance/index': 'plan', 'publication/index': 'subscription', 'index/jied': 'loan', 'assets/flashpair': 'flash' };
/** The halves of the tab Plans, in order. */
export const PLANS = ['finance/index', 'publication/index', 'index/jied'] as const;

/** Whether links to a page should be shown: not to a page of a product that is not offered. */
export function useReach(): (path: string) => boolean {
  const config = useConfig();
  return (path) => {
    const product = OF_PAGE[path];
    return product === undefined || offers(config, product);
  };
}

/** The halves of the tab Plans that are offered here. */
export function useHalves(): (typeof PLANS)[number][] {
  const reach = useReach();
  return PLANS.filter(reach);
}
