import type { Coin, ContractRules, Position } from '../../generated/api';
import { marketOf } from './terms';

/** The contract of BTC/USDT with the terms of the rules, for tests. */

export const RULES: ContractRules = {
  match_id: 1,
  lot: '0.001',
  tick: '0.01',
  multiples: [1, 2, 5, 10, 20, 25, 50],
  fee: '0.05',
  spread: '0.01',
  liq_fee: '0.3',
  overnight: '0.03',
  cap_roi: 10,
  max_lots: 100_000,
  tiers: [
    { bound: '50000.000000', max_multiple: 50, mmr: '0.5', deduction: '0.000000' },
    { bound: '250000.000000', max_multiple: 25, mmr: '1', deduction: '250.000000' },
    { bound: '1000000.000000', max_multiple: 10, mmr: '2', deduction: '2750.000000' },
  ],
};
const coin = (id: number, code: string, scale: number) => ({ id, code, name: code, scale }) as Coin;
export const market = (index: string | null = '100000.00') => marketOf(RULES, 'BTC/USDT', coin(1, 'BTC', 8), coin(3, 'USDT', 6), index);

/** Example 1 of 4.10: long 10 lots, 10 times, opened at the index 100 000.00. */
export const LONG = {
  id: 601,
  type: 1,
  match_id: 1,
  symbol: 'BTC/USDT',
  currency_id: 1,
  origin_price: '100000.00',
  price: '100010.00',
  target_price: null,
  update_price: '100000.00',
  target_profit_price: '0.00',
  stop_loss_price: '0.00',
  liquidation_price: '90734.87',
  cap_price: '200020.00',
  profit_cap: '1000.100000',
  fee_rate: '0.05',
  spread: '0.01',
  share: 10,
  number: '0.01000000',
  multiple: 10,
  origin_caution_money: '100.010000',
  caution_money: '100.010000',
  trade_fee: '0.500050',
  status: 1,
  reason: null,
} as Position;
/** Example 2: short 10 lots, 10 times. */
export const SHORT = { ...LONG, id: 602, type: 2, price: '99990.00', liquidation_price: '109116.08', cap_price: '0.00', profit_cap: '999.900000', origin_caution_money: '99.990000', caution_money: '99.990000' } as Position;
