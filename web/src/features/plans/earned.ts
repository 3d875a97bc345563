import { useCoins } from '../../data/config';
import { useHostings, usePlanReport } from '../../data/plans';
import { usePrices } from '../../data/tickers';
import type { Amount } from '../../lib/money';
import { earnedOf, earnedWorth } from './model';

/** What all plans have earned by now in USDT, at the last prices; undefined while it is not known. */
export function useEarned(): Amount | undefined {
  const [report, running, coins] = [usePlanReport().data, useHostings().data, useCoins()];
  const earned = report && running && earnedOf(report, running);
  const rows = earned?.map(({ id, earned: of }) => ({ code: coins.find((coin) => coin.id === id)?.code ?? '', earned: of }));
  const prices = usePrices(rows?.map(({ code }) => `${code}/USDT`) ?? []);
  return rows && earnedWorth(rows, (code) => (code === 'USDT' ? '1' : prices.get(`${code}/USDT`)));
}
