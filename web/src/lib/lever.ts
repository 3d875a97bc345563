import type { ContractRules } from '../generated/api';

/** A position or an order that waits. */
export interface Position {
  id: number;
  type: number;
  type_name: string;
  match_id: number;
  symbol: string;
  currency: number;
  legal: number;
  currency_id: number;
  legal_id: number;
  origin_price: string;
  price: string;
  target_price: string | null;
  update_price: string;
  target_profit_price: string;
  stop_loss_price: string;
  liquidation_price: string;
  cap_price: string;
  share: number;
  number: string;
  multiple: number;
  market_value: string;
  origin_caution_money: string;
  caution_money: string;
  trade_fee: string;
  close_fee: string;
  overnight: string;
  overnight_money: string;
  profits: string;
  profits_rate: string;
  fact_profits: string | null;
  hazard_rate: string;
  status: number;
  status_name: string;
  settled: number;
  reason: string | null;
  returned: string | null;
  create_time: number;
  create_time_ms: number;
  time: string;
  transaction_time: string | null;
  handle_time: string | null;
  complete_time: string | null;
  expires_ms: number | null;
  seq: number;
}
export interface LeverDeal {
  match_id: number;
  symbol: string;
  last_price: string;
  buy_price: string;
  sell_price: string;
  mark_time_ms: number;
  user_lever: string;
  rules: ContractRules;
  my_transaction: Position[];
}
