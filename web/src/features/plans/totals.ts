import { useCoins } from '../../data/config';
import { useHostings, usePlanReport } from '../../data/plans';
import { usePrices } from '../../data/tickers';
import type { PlanReport } from '../../generated/api';
import { amount, type Amount } from '../../lib/money';
import { earnedOf, totalWorth } from './model';

/** Totals of all plans in USDT; undefined until known. */
export interface Totals {
  locked: Amount | undefined;
  earned: Amount | undefined;
  /** The paid-out part of it. */
  paid: Amount | undefined;
  lastDay: Amount | undefined;
}

/** Everything at the same last prices, so that a part always matches the whole; undefined before the sums are read. */
export function useTotals(): Totals | undefined {
  const [report, running, coins] = [usePlanReport().data, useHostings().data, useCoins()];
  const codeOf = (id: number) => coins.find((coin) => coin.id === id)?.code ?? '';
  const prices = usePrices(report?.by_currency.map(({ currency_id: id }) => `${codeOf(id)}/USDT`) ?? []);
  if (!report) return undefined;
  const worth = (rows: readonly { id: number; value: Amount }[]) => totalWorth(rows.map(({ id, value }) => ({ code: codeOf(id), value })), (code) => (code === 'USDT' ? '1' : prices.get(`${code}/USDT`)));
  const sum = (field: keyof Pick<PlanReport, 'total_deposit' | 'total_profit' | 'today_profit'>) => worth(report.by_currency.map((row) => ({ id: row.currency_id, value: amount(row[field]) })));
  const earned = running && earnedOf(report, running);
  return { locked: sum('total_deposit'), earned: earned && worth(earned), paid: sum('total_profit'), lastDay: sum('today_profit') };
}
