// Made by `make types` from the description that the server gives of itself. Do not edit.
/* oxlint-disable */

/** An operator's access to the member's data, or action on their account. */
export interface AccessRow {
  id: number;
  role: string;
  action: string;
  kind: string;
  reason: string;
  created_at: string;
  created_at_ms: number;
}

export type Account = "change" | "lever" | "micro" | "trust";

export type AccountNumber = 2 | 3 | 4 | 5;

/** A stored withdrawal address. */
export interface Address {
  id: number;
  currency: number;
  nettype: string;
  address: string;
  notes: string;
  usable_at_ms: number;
  created_at: string;
  created_at_ms: number;
}

/** Data returned by a clock change. */
export interface Advanced {
  from_ms: number;
  time_ms: number;
  seq: number;
  events: number;
  samples: number;
}

/** A price alert: a level of an index. */
export interface Alert {
  id: number;
  match_id: number;
  symbol: string;
  direction: AlertDirection;
  price: string;
  active: Flag;
  fired_at: string | null;
  fired_at_ms: number | null;
  created_at: string;
  created_at_ms: number;
}

export type AlertDirection = "above" | "below";

/** The effect of a command on an object. */
export interface Answer {
  /** Number of the object. */
  id: number;
  /** Journal sequence of the command. */
  seq: number;
  /** State of the object after the command. */
  state: string;
}

/** Everything the app needs to know when it starts. */
export interface AppConfig {
  version: string;
  contract: string;
  build: string;
  mode: Mode;
  server_time_ms: number;
  display_offset_minutes: number;
  country: string;
  languages: Language[];
  default_language: string;
  products: ProductSwitch[];
  currencies: Coin[];
  markets: MarketRules[];
  contracts: ContractRules[];
  risk_texts: RiskText[];
  limits: ClientLimits;
  index: IndexSettings;
  socket_path: string;
  support_url: string;
}

/** An operator's access or action. */
export interface AuditRow {
  id: number;
  seq: number;
  operator_id: number;
  action: string;
  kind: string;
  object_id: number;
  reason: string;
  hash: string;
  created_at: string;
  created_at_ms: number;
}

/** A bank to choose from. Members type the name of any other bank. */
export interface Bank {
  id: number;
  name: string;
}

/** Fields of the basic level (V-1). */
export interface BasicPaper {
  /** Two-letter country code. */
  country: string;
  /** Name as in the document. */
  name: string;
  /** Document number. */
  card_id: string;
  /** Contact address. */
  address: string;
  /** Residence address. */
  residence_address: string;
}

/** The order book of a pair. */
export interface Book {
  symbol: string;
  seq: number;
  bids: string[][];
  asks: string[][];
  checksum: number;
  time_ms: number;
}

/** Numbers of the cancelled orders. */
export interface Cancelled {
  cancelled: number[];
}

/** A stored bank card. */
export interface Card {
  id: number;
  bank_id: number | null;
  bank_name: string;
  bank_account: string;
  real_name: string;
  bank_branch: string;
  bank_address: string;
  swift_code: string;
  iban: string;
  residence_address: string;
  postal_code: string;
  is_international: Flag;
  usable_at_ms: number;
  create_time: string;
  create_time_ms: number;
}

/** The member's newest card, and the choices for a new one. */
export interface CashInfo {
  id?: number;
  bank_id?: number | null;
  bank_name?: string;
  bank_account?: string;
  real_name?: string;
  bank_branch?: string;
  bank_address?: string;
  swift_code?: string;
  iban?: string;
  residence_address?: string;
  postal_code?: string;
  create_time?: string;
  create_time_ms?: number;
  usable_at_ms?: number;
  count: number;
  banks: Bank[];
}

/** A decimal as a JSON number, exactly as printed; only chart rows have such numbers. */
export type ChartNumber = number;

/** A candle. Its numbers are JSON numbers. */
export interface ChartRow {
  id: number;
  time: number;
  open: ChartNumber;
  high: ChartNumber;
  low: ChartNumber;
  close: ChartNumber;
  volume: ChartNumber;
  amount: ChartNumber;
  vol: ChartNumber;
  count: number;
  period: string;
  average?: ChartNumber;
  "base-currency": string;
  "quote-currency": string;
  final: boolean;
  /** True: prices of the venues from before our own first sample, which are not in the log. Absent: a candle of our own. */
  past?: boolean;
}

/** Data returned for a deposit notice. */
export interface ClaimMade {
  id: number;
  seq: number;
}

/** Limits that the client shows or checks. */
export interface ClientLimits {
  password_min: number;
  password_max: number;
  fund_password_len: number;
  upload_bytes: number;
  upload_pixels: number;
  upload_types: string[];
  withdraw_per_day: number;
  withdraw_hours: number;
  page_default: number;
  page_max: number;
  open_orders_per_market: number;
  open_options: number;
  open_positions: number;
  live_loans: number;
  cards: number;
  addresses: number;
}

/** Data returned when a code was sent. */
export interface CodeSent {
  resend_ms: number;
  expires_ms: number;
  sent_to: string;
}

/** Data returned for a correct code. */
export interface CodeValid {
  valid_until_ms: number;
}

/** A listed coin. */
export interface Coin {
  id: number;
  code: string;
  name: string;
  logo: string;
  scale: number;
  is_legal: Flag;
  is_match: Flag;
  is_lever: Flag;
  is_micro: Flag;
  is_trust: Flag;
  networks: Network[];
}

/** Quantity and cost of a member's coin, over all accounts. */
export interface CoinCost {
  coin: number;
  /** The part whose cost is known. */
  quantity: string;
  /** The part that came in while the coin had no price, so that its cost is not known. */
  without_cost: string;
  /** Cost of `quantity`, USDT. */
  cost: string;
  /** Average cost of one whole coin, USDT, rounded down. Null if no cost is known. */
  average: string | null;
  /** Realised profit of all sales, USDT. Negative for a loss. */
  realised: string;
}

/** A loan after more collateral was added. */
export interface CollateralAdded {
  order: Loan;
  time_ms: number;
}

/** An operator as other operators see them. */
export interface Colleague {
  id: number;
  name: string;
}

/** Data returned with one's own account: the names behind the numbers in cases and proposals. */
export interface Colleagues {
  colleagues: Colleague[];
}

/** A commitment. */
export interface Commitment {
  id: number;
  config_id: number;
  new_currency_name: string;
  currency_name: string;
  currency_id: number;
  amount: string;
  value: string;
  new_currency_num: string;
  released_num: string;
  cost: string;
  charge: string;
  refund: string;
  change_rate: string;
  interest: string;
  original_interest: string;
  interest_rate: string;
  day: number;
  status: SubscriptionStatus;
  exam_status: ExamStatus;
  online_time: string;
  online_time_ms: number;
  next_release_ms: number | null;
  complete_at: string | null;
  complete_at_ms: number | null;
  created_at: string;
  created_at_ms: number;
  updated_at: string;
  updated_at_ms: number;
}

/** The commitment after a command. */
export interface CommitmentOnly {
  order: Commitment;
}

/** A page of a member's commitments. */
export interface CommitmentPage {
  order_list: Commitment[];
  total: number;
  total_interest: string;
  page: number;
  limit: number;
}

/** The entries that the commitments are computed from, and what the offering shows after the last of them. */
export interface Committed {
  from_seq: number;
  to_seq: number;
  /** Coin of the values. */
  currency_id: number;
  committed_value: string;
  commitments: number;
}

export type ContractReason = "USER" | "TP" | "SL" | "LIQUIDATION" | "PROFIT_CAP" | "ADL" | "RETIRED" | "EXPIRED" | "REFUSED";

/** The receipt of a contract. */
export interface ContractReceipt {
  position: Position;
  user_id: number;
  rules: ContractRules;
  open_sample: IndexSample | null;
  close_sample: IndexSample | null;
  stop_sample: IndexSample | null;
  open_seq: number;
  end_seq: number | null;
  /** The last entries that set both stops, oldest first; `null` if the sample that the last of them used is no longer kept. */
  stop_seqs: number[] | null;
  entry_hashes: EntryHash[];
  proof: ReceiptProof | null;
}

/** Rules of a contract pair. */
export interface ContractRules {
  /** Pair number. */
  match_id: number;
  /** Base coin of one lot. */
  lot: string;
  /** Price step. */
  tick: string;
  /** Offered leverage. */
  multiples: number[];
  /** Opening and closing fee, percent. */
  fee: string;
  /** Distance of the execution price from the mark, percent. */
  spread: string;
  /** Liquidation fee, percent. */
  liq_fee: string;
  /** Fee at each 00:00 UTC, percent. */
  overnight: string;
  /** Profit cap as a multiple of the margin. */
  cap_roi: number;
  /** Lots per order. */
  max_lots: number;
  /** Maintenance tiers by notional at opening. */
  tiers: ContractTier[];
}

export type ContractSide = 1 | 2;

export type ContractStatus = 0 | 1 | 3 | 4;

/** A maintenance tier. */
export interface ContractTier {
  /** Up to this notional. */
  bound: string;
  /** Largest leverage. */
  max_multiple: number;
  /** Maintenance margin, percent. */
  mmr: string;
  /** Deducted from the maintenance margin. */
  deduction: string;
}

/** Totals of a member's open positions. */
export interface ContractTotals {
  hazard_rate: string;
  profits_total: string;
}

/** The entries that a place on the leaderboard is computed from, with its account and total after the last of them. */
export interface CountedPlace {
  from_seq: number;
  to_seq: number;
  account: string;
  total: string;
}

/** The rebates of one day. */
export interface CountedRebate {
  id: number;
  seq: number;
  day: string;
  usdt: string;
}

/** A country to choose from. */
export interface Country {
  id: number;
  name: string;
  area_code: string;
  iso: string;
}

/** Data returned by the faucet. */
export interface Credited {
  currency_id: number;
  account: Account;
  amount: string;
  balance: string;
  seq: number;
}

/** Data returned by `set/get_customer_url`. */
export interface CustomerService {
  customer_url: string;
  cover: string;
  xtitle: string;
  support_email: string;
  chat_on: Flag;
}

/** The last day of a pair in a few points, oldest first. There are none before its first price. */
export interface DayLine {
  symbol: string;
  match_id: number;
  points: string[];
}

/** Data returned for a decision. */
export interface Decided {
  row: QueueRow;
  done: Flag;
}

/** A deposit notice. */
export interface DepositRow {
  id: number;
  name: string;
  currency: number;
  netType: string;
  amount: string;
  credited: string | null;
  credited_name: string | null;
  /** Coins for one US dollar, fixed when the notice was sent. Only bank deposits have it. */
  rate: string | null;
  status: FundingStatus;
  remark: string;
  img: string;
  tx: string | null;
  confirmations: number | null;
  confirmations_needed: number | null;
  is_bank: Flag;
  created_at: string;
  created_at_ms: number;
  decided_at: string | null;
  decided_at_ms: number | null;
}

export type Direction = "buy" | "sell";

/** A payout mark that its chain contradicts. */
export interface Dispute {
  withdrawal_id: number;
  user_id: number;
  chain: string;
  currency_id: number;
  /** The amount that should have arrived. */
  owed: string;
  paid: DisputePaid | null;
  opened_ms: number;
  /** The last instant at which two operators can reverse the mark. */
  until_ms: number;
}

/** What an output pays instead of the withdrawal. */
export interface DisputePaid {
  currency_id: number;
  amount: string;
  /** Whether it pays to the address of the withdrawal. */
  to_address: Flag;
}

/** An article as its editors see it. */
export type EditedNews = NewsDetail & {
  lang: string;
  link: string | null;
  sorts: number;
};

/** A log entry. Its hash covers `prev`, the numbers, `bytes` and `sealed`. `public` has the decoded content of `bytes`. */
export interface Entry {
  seq: number;
  time_ms: number;
  kind: string;
  kind_number: number;
  version: number;
  prev: string;
  hash: string;
  bytes: string;
  public: Record<string, unknown>;
  sealed: string | null;
  own?: OwnEntry;
}

/** The chain hash of an entry. */
export interface EntryHash {
  /** Sequence of the entry. */
  seq: number;
  /** Hexadecimal. */
  hash: string;
}

/** The log entries that public figures are computed from. */
export interface EntryRange {
  /** The first. */
  from_seq: number;
  /** The last. */
  to_seq: number;
}

export type ExamStatus = 3 | 1 | 2;

export type ExportStatus = "working" | "ready" | "expired";

export type FillRole = "maker" | "taker";

export type Flag = 0 | 1;

/** A coin that can be converted. */
export interface FlashCoin {
  id: number;
  name: string;
  logo: string;
  price: string;
  min_number: string;
  max_number: string;
  balance: string;
  to_pb_price: string;
}

/** The coins that can be sold and those that can be bought. */
export interface FlashCoins {
  left: FlashCoin[];
  right: FlashCoin[];
}

/** A firm quote of a conversion. */
export interface FlashQuote {
  quote_id: number;
  l_currency_id: number;
  r_currency_id: number;
  num: string;
  gross: string;
  fee: string;
  net: string;
  price: string;
  index_from: string;
  index_to: string;
  expires_ms: number;
}

/** A conversion. */
export interface FlashRow {
  id: number;
  quote_id: number | null;
  l_currency_id: number;
  l_currency_name: string;
  r_currency_id: number;
  r_currency_name: string;
  num: string;
  gross: string;
  fee: string;
  net: string;
  /** Index prices of both coins at the quote. Spread and cost follow from them. */
  index_from: string;
  index_to: string;
  status: number;
  status_name: string;
  created_at: string;
  created_at_ms: number;
}

export type FreezeScope = "none" | "withdraw" | "all";

/** Data returned by `user/freeze`. */
export interface Frozen {
  until_ms: number | null;
}

export type FundPassword = 1 | 2;

/** Data returned by `safe/update_password`. */
export interface FundPasswordSaved {
  review: Flag;
  hold_until_ms: number | null;
}

export type FundingStatus = 1 | 2 | 3;

/** A signed head: the end of the log at a full minute. */
export interface Head {
  seq: number;
  hash: string;
  root: string;
  signature: string;
  key: string;
  state_hash: string;
  state_seq: number;
  epoch: number;
  time_ms: number;
  mode: Mode;
  genesis: string;
}

/** A plan order. */
export interface Hosting {
  id: number;
  config_id: number;
  currency_id: number;
  currency_name: string;
  logo: string;
  day: number;
  amount: string;
  day_rate: string;
  day_percent: string;
  interest_rate: string;
  total_interest: string;
  current_interest: string;
  start_at: string;
  start_at_ms: number;
  end_at: string;
  end_at_ms: number;
  remain_day: number;
  status: HostingStatus;
  is_cancel: Flag;
  damages: string;
  penalty: string;
  cancel_fee: string;
  returned: string | null;
  seq: number;
  created_at: string;
  created_at_ms: number;
  updated_at: string;
  updated_at_ms: number;
}

/** The plan order after a command. */
export interface HostingOnly {
  order: Hosting;
}

export type HostingStatus = 1 | 2;

/** One coin of the labelled house liquidity, over all its accounts. */
export interface HouseLiquidity {
  currency_id: number;
  currency_name: string;
  balance: string;
  /** The part held by its open orders. */
  held: string;
  free: string;
}

/** A credit that its chain contradicts. */
export interface Incident {
  id: number;
  observation_id: number;
  chain: string;
  user_id: number;
  currency_id: number;
  /** The credited amount. */
  credited: string;
  seen: IncidentSeen | null;
  /** The part of the credit that the chain contradicts. */
  contradicted: string;
  state: IncidentState;
  opened_ms: number;
  /** The last instant at which two operators can reverse the credit. */
  until_ms: number;
  closed_ms: number | null;
}

/** What a watcher sees instead of the credited payment. */
export interface IncidentSeen {
  user_id: number;
  currency_id: number;
  amount: string;
}

export type IncidentState = "open" | "settled" | "reversed" | "lapsed";

/** The Merkle path from an entry to the root of a head. */
export interface Inclusion {
  seq: number;
  hash: string;
  head_seq: number;
  root: string;
  path: InclusionStep[];
}

/** A sibling hash on a Merkle path. */
export interface InclusionStep {
  side: PathSide;
  hash: string;
}

/** An accepted index price, with the quotes that it was computed from. */
export interface IndexSample {
  symbol: string;
  seq: number;
  time_ms: number;
  price: string;
  sources: IndexSource[];
}

/** Parameters of the price index. */
export interface IndexSettings {
  sources: string[];
  quorum: number;
  stale_ms: number;
  deviation: string;
}

/** One raw quote, and whether it was used. */
export interface IndexSource {
  name: string;
  price: string;
  age_ms: number;
  used: Flag;
  why?: Unused;
}

/** A member's own invitations (G-7). */
export interface Invite {
  extension_code: string;
  authorization_code: string;
  invite_num: number;
  invite_return_total: string;
  role: UserRole;
  return_rate1: string;
  return_rate2: string;
  return_rate3: string;
  total_return_rate: string;
  share_url: string;
  ad: InviteAd;
}

/** The picture shown with the invitation. */
export interface InviteAd {
  image: string;
}

/** A member whom the caller invited, masked. */
export interface Invitee {
  id: number;
  account: string;
  account_number: string;
  phone: string;
  email: string;
  verified: Flag;
  /** What their fees brought the caller: a share of each day's rebate, at its value when it was credited. */
  rebate: string;
  time: string;
  time_ms: number;
}

/** A guard, evaluated now. */
export interface ItemCheck {
  name: string;
  ok: Flag;
  /** 0 while the result is not known. `ok` is then 0 and has no meaning. */
  known: Flag;
  detail: string;
}

/** A picture of the item. */
export interface ItemFile {
  key: string;
  label: string;
}

/** An event in the history of the item. */
export interface ItemHistory {
  at_ms: number;
  operator_id: number | null;
  action: string;
  reason: string;
}

export type KycLevel = 1 | 2;

export type Lang = "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu";

/** A language of the app. */
export interface Language {
  code: string;
  name: string;
  bcp47: string;
}

/** The caller's own leaf, its path to the root, and the proof that the root is in the log. */
export interface Leaf {
  seq: number;
  recorded_seq: number;
  time_ms: number;
  user_id: number;
  currency_id: number;
  currency_name: string;
  balance: string;
  nonce: string;
  index: number;
  leaf: string;
  path: SumStep[];
  root: string;
  total: string;
  proof: ReceiptProof | null;
}

/** One value to choose. */
export interface LeverChoice {
  value: number;
}

/** The leverage and the lots to choose from. */
export interface LeverChoices {
  muit: LeverChoice[];
  share: LeverChoice[];
}

/** Contract terms of a pair, with the caller's balance and positions in it. */
export interface LeverDeal {
  match_id: number;
  symbol: string;
  multiple: LeverChoices;
  lever_share_limit: LeverShares;
  last_price: string;
  buy_price: string;
  sell_price: string;
  mark_time_ms: number;
  user_lever: string;
  all_levers: string;
  ustd_price: string;
  ExRAte: string;
  rules: ContractRules;
  my_transaction: Position[];
  lever_transaction: LeverTrade[];
}

/** Fewest and most lots of one order. */
export interface LeverShares {
  min: number;
  max: number;
}

/** An opening or a closing. Side 1 bought, side 2 sold. */
export interface LeverTrade {
  price: string;
  number: string;
  type: Side;
  time: number;
}

/** A page of contracts, with the totals of all open positions. */
export interface LeverTrades {
  rate_profits_total: ContractTotals;
  message: Paginator<Position>;
}

/** What all members have at one entry. */
export interface Liabilities {
  seq: number;
  previous_seq: number | null;
  recorded_seq: number;
  time_ms: number;
  assets: LiabilitiesAsset[];
}

/** The liabilities tree of one coin. */
export interface LiabilitiesAsset {
  currency_id: number;
  currency_name: string;
  total: string;
  users: number;
  root: string;
  external: string;
  /** Balances of the house accounts at the same entry. With `total` they add up to `external`. Only recent cuts have them. */
  pools: LiabilitiesPool[] | null;
}

/** The balance of one house account. */
export interface LiabilitiesPool {
  account: PoolAccount;
  balance: string;
}

/** A loan. */
export interface Loan {
  id: number;
  config_id: number;
  currency_id: number;
  currency_name: string;
  amount: string;
  outstanding: string;
  day: number;
  /** Periods of 24 hours that began since the payout. The debt includes all of them; those after `day` count as overdue. */
  periods: number;
  interest_rate: string;
  overdue_multiplier: number;
  start_ltv: string;
  call_ltv: string;
  liquidation_ltv: string;
  liquidation_fee: string;
  grace_hours: number;
  interest: string;
  interest_due: string;
  penalty_due: string;
  debt: string;
  paid: string;
  total_return: string;
  collateral_currency_id: number;
  collateral_currency_name: string;
  collateral: string;
  ltv: string | null;
  margin_call: Flag;
  status: LoanStatus;
  reason: LoanReason | null;
  note: string;
  sold: string | null;
  sale: LoanSale | null;
  created_at: string;
  created_at_ms: number;
  start_at: string | null;
  start_at_ms: number | null;
  end_at: string | null;
  end_at_ms: number | null;
  finished_at: string | null;
  finished_at_ms: number | null;
}

/** A coin accepted as collateral, with its last price and the caller's spot balance. */
export interface LoanCollateral {
  currency_id: number;
  currency_name: string;
  price: string;
  balance: string;
}

/** The loan after a command. */
export interface LoanOnly {
  order: Loan;
}

/** A loan product and the collateral that it accepts. */
export interface LoanProduct {
  id: number;
  currency_id: number;
  currency_name: string;
  currency_logo: string;
  day: number;
  interest_rate: string;
  overdue_multiplier: number;
  min_amount: string;
  max_amount: string;
  start_ltv: string;
  call_ltv: string;
  liquidation_ltv: string;
  liquidation_fee: string;
  grace_hours: number;
  collateral: LoanCollateral[];
  status: Flag;
  /** Hash of the rule that would apply to an application now. */
  rule: string;
}

/** The cost of a loan, and the collateral that it needs. */
export interface LoanQuote {
  config_id: number;
  amount: string;
  day: number;
  interest: string;
  total_return: string;
  collateral_currency_id: number;
  collateral: string;
  min_collateral: string;
  collateral_value: string;
  ltv: string;
  liquidation_price: string;
  price: string;
  price_time_ms: number;
  /** Hash of the rule that would apply to an application now. */
  rule: string;
  accepted: Flag;
  error?: string;
}

export type LoanReason = "REPAID" | "AUTO_DEBIT" | "LIQUIDATED" | "USER" | "REJECTED" | "EXPIRED" | "LTV";

/** A loan after a repayment, and what the repayment paid for. */
export interface LoanRepaid {
  order: Loan;
  taken: string;
  penalty: string;
  interest: string;
  principal: string;
  time_ms: number;
}

/** How the collateral was sold: at the index price, for the debt and the fee. The rest came back. */
export interface LoanSale {
  price: string;
  debt: string;
  fee: string;
  /** In the coin of the collateral. */
  returned: string;
}

export type LoanStatus = 1 | 2 | 3 | 4 | 5;

/** A statement line. */
export interface LogRow {
  id: number;
  seq: number;
  user_id: number;
  value: string;
  info: string;
  type: number;
  account: AccountNumber;
  part: Part;
  currency: number;
  currency_name: string;
  before: string;
  after: string;
  object: string;
  object_id: number;
  created_time: string;
  created_time_ms: number;
}

/** A log-in attempt. */
export interface LoginEvent {
  id: number;
  ok: Flag;
  method: LoginMethod;
  device: string;
  address: string;
  created_at: string;
  created_at_ms: number;
}

/** Data returned with a session token. */
export interface LoginExtra {
  user_id: number;
  expires_ms: number;
  idle_ms: number;
}

export type LoginMethod = "password" | "totp" | "recovery" | "passkey";

export type MarketKind = "live" | "simulated";

/** Rules of a spot pair. */
export interface MarketRules {
  match_id: number;
  symbol: string;
  currency_id: number;
  legal_id: number;
  price_digits: number;
  tick: string;
  qty_digits: number;
  step: string;
  min_qty: string;
  max_qty: string | null;
  min_notional: string;
  max_notional: string;
  maker_fee: string;
  taker_fee: string;
  band_buy: string[];
  band_sell: string[];
  index: Flag;
  index_tick: string | null;
  /** Options are sold on it, when nothing is paused. */
  options: Flag;
  status: MarketStatus;
}

export type MarketStatus = "open" | "paused" | "retiring" | "retired";

/** A message of a ticket or of the chat. */
export interface Message {
  id: number;
  from: MessageAuthor;
  content: string;
  imgs: string[];
  created_at: string;
  created_at_ms: number;
}

export type MessageAuthor = "me" | "support" | "system";

export type Mode = "sandbox" | "live";

/** Data returned by a transfer. */
export interface Moved {
  id: number;
  seq: number;
  from_balance: string;
  to_balance: string;
}

export type MovedAccount = "fee" | "option_pool" | "contract_pool" | "insurance" | "plan_treasury" | "loan_treasury" | "sub_escrow" | "sub_proceeds" | "flash_pool" | "liquidity";

/** The order at its new price, the number of the one that it replaced, and its trades. */
export interface MovedOrder {
  order: SpotOrder;
  replaced: number;
  fills: SpotFill[];
}

/** The entries that the movements are computed from. Rows may include later entries; their `seq` shows it. */
export interface MovementsBehind {
  from_seq: number;
  to_seq: number;
}

/** A network of a coin. */
export interface Network {
  /** `BTC`, `ERC20` or `TRC20`. */
  chain: string;
  /** Displayed name. */
  name: string;
  /** Smallest credited deposit. */
  deposit_min: string;
  /** Confirmations before a deposit is credited. */
  confirmations: number;
  /** Smallest withdrawal. */
  withdraw_min: string;
  /** Fee, included in the amount. */
  withdraw_fee: string;
  /** Whether deposits are open. */
  deposit_on: Flag;
  /** Whether withdrawals are open. */
  withdraw_on: Flag;
}

/** A row of a list of articles. */
export interface News {
  id: number;
  c_id: number;
  title: string;
  cover: string | null;
  thumbnail: string | null;
  link: string | null;
  lang: string;
  sorts: number;
  create_time: string;
  create_time_ms: number;
}

/** An article. */
export interface NewsDetail {
  id: number;
  c_id: number;
  title: string;
  content: string;
  author: string;
  cover: string | null;
  create_time: string;
  create_time_ms: number;
}

export type NodeRole = "leader" | "follower";

export type NoticeKind = "deposit" | "withdrawal" | "order" | "option" | "contract" | "plan" | "subscription" | "loan" | "identity" | "security" | "ticket" | "chat" | "alert" | "system";

/** A notice. */
export interface Notification {
  id: number;
  kind: NoticeKind;
  title: string;
  content: string;
  object_id: number | null;
  read: Flag;
  created_at: string;
  created_at_ms: number;
}

/** A payment seen on a chain. */
export interface Observation {
  id: number;
  chain: string;
  tx: string;
  output: number;
  address: string;
  user_id: number | null;
  currency_id: number;
  amount: string;
  confirmations: number;
  entries: OperatorMark[];
  state: ObservationState;
  /** Whether a watcher saw it. */
  watched: Flag;
  /** The amount that two operators can reverse now. */
  reversible: string | null;
}

export type ObservationState = "entered" | "matched" | "conflict" | "credited" | "reversed";

/** An offering. */
export interface Offering {
  id: number;
  new_currency_id: number;
  new_currency_name: string;
  currency_id: number;
  currency_name: string;
  pay_currencies: PayCurrency[];
  num: string;
  last_num: string;
  committed_value: string;
  oversub_factor: number;
  buy_num: string;
  user_cap: string;
  change_rate: string;
  day: number;
  release: ReleaseRow[];
  interest_rate: string;
  predict_rate: string;
  send_start: string;
  send_start_ms: number;
  send_end: string;
  send_end_ms: number;
  online_time: string;
  online_time_ms: number;
  introduction: string;
  /** Address (`https`) of its white paper; null if operators named none. */
  white_paper: string | null;
  status: SubscriptionStatus;
  state: OfferingState;
  is_recommend: Recommended;
  recommend_title: string;
  recommend_content: string;
  created_at: string;
  created_at_ms: number;
}

export type OfferingState = "upcoming" | "open" | "sold_out" | "allocated" | "launched" | "ended" | "cancelled";

/** An operator. */
export interface Operator {
  id: number;
  name: string;
  roles: string[];
  totp: Flag;
  active: Flag;
  /** Account number of the same person as a member; empty if they have none. */
  linked_member: string;
  /** The operator who has to release the first log-in. */
  waits_for: number | null;
  last_at: string | null;
  last_at_ms: number | null;
}

/** Data returned with a session token. */
export interface OperatorLogin {
  operator: Operator;
  expires_ms: number;
}

/** The operator who approved or entered it, and when. */
export interface OperatorMark {
  operator_id: number;
  at_ms: number;
}

/** Data returned by a set-up. It has the secret until the set-up is complete. */
export interface OperatorSetup {
  name: string;
  secret: string | null;
  uri: string | null;
  active: Flag;
}

/** A coin in which stakes are paid. */
export interface OptionCoin {
  id: number;
  name: string;
  logo: string;
  micro_trade_fee: string;
  micro_min: string;
  micro_max: string;
  micro_holdtrade_max: number;
  micro_open_stake_max: string;
  micro_numbers: OptionPreset[];
  user_wallet: OptionWallet;
}

export type OptionDirection = 1 | 2 | 0;

/** A duration of options, with its terms. */
export interface OptionDuration {
  id: number;
  seconds: number;
  profit_ratio: string;
  even_profit_ratio: string;
  tolerance: string;
  tie_rule: TieRule;
  min_num: string;
  max_num: string;
  even_max_num: string;
  limits: OptionLimit[];
  status: Flag;
  /** Hash of the rule that would apply now to a purchase in the named pair. Null without a pair, and for a duration that is not sold. */
  rule: string | null;
}

/** Limits of a stake in one coin. */
export interface OptionLimit {
  currency_id: number;
  min: string;
  max: string;
  even_max: string;
}

/** An option. */
export interface OptionOrder {
  id: number;
  user_id: number;
  match_id: number;
  symbol_name: string;
  currency_id: number;
  currency_name: string;
  type: OptionDirection;
  type_name: string;
  seconds: number;
  number: string;
  fee: string;
  profit_ratio: string;
  even: Flag;
  tolerance: string;
  tie_rule: TieRule;
  profit: string;
  open_price: string;
  open_time_ms: number;
  end_price: string | null;
  end_time_ms: number | null;
  delivery_time_ms: number;
  remain_milli_seconds: number;
  status: OptionStatus;
  status_name: string;
  outcome: OptionDirection | null;
  result: OptionResult;
  profit_result: ProfitResult | null;
  profit_result_name: string;
  refund: boolean;
  fact_profits: string | null;
  payout: string | null;
  seq: number;
  settle_seq: number | null;
  created_at: string;
  created_at_ms: number;
  complete_at: string | null;
  complete_at_ms: number | null;
}

/** What an account received or paid at the settlement. */
export interface OptionPosting {
  account: string;
  currency_id: number;
  value: string;
}

/** A stake to choose from. */
export interface OptionPreset {
  id: number;
  number: string;
  currency_name: string;
}

/** The receipt of an option. */
export interface OptionReceipt {
  order: OptionOrder;
  open_sample: IndexSample;
  delivery_sample: IndexSample | null;
  next_sample: IndexSample | null;
  tolerance_price: string;
  difference: string | null;
  rule: OptionRule;
  postings: OptionPosting[];
  buy_seq: number;
  settle_seq: number | null;
  entry_hashes: EntryHash[];
  proof: ReceiptProof | null;
}

export type OptionResult = "open" | "won" | "lost" | "push" | "refunded";

/** The rule that was fixed at the purchase. */
export interface OptionRule {
  name: string;
  version: number;
  hash: string;
  text: string;
}

export type OptionStatus = 1 | 3;

/** The caller's balance in the option account. */
export interface OptionWallet {
  currency: number;
  currency_name: string;
  micro_balance: string;
  lock_micro_balance: string;
  micro_with_insurance: string;
}

/** The order after a command. */
export interface OrderOnly {
  order: SpotOrder;
}

export type OrderType = "limit" | "market" | "stop_limit";

/** An order and its fills. */
export interface OrderWithFills {
  order: SpotOrder;
  fills: SpotFill[];
}

/** A message in the sandbox outbox. */
export interface OutboxMessage {
  id: number;
  to: string;
  purpose: string;
  code: string | null;
  text: string;
  time_ms: number;
}

/** What was sealed in an entry of the caller, and the salt. */
export interface OwnEntry {
  bytes: string;
  salt: string;
}

/** An export of the member's own data that was started. */
export interface OwnExport {
  id: number;
  status: ExportStatus;
}

/** Progress of an export. */
export interface OwnExportState {
  id: number;
  status: ExportStatus;
  url: string | null;
  expires_ms: number | null;
}

/** A page, form B. */
export interface PageB_LogRow {
  /** Rows of the page. */
  list: LogRow[];
  /** Number of rows over all pages. */
  count: number;
  /** Page returned. */
  page: number;
  /** Applied limit. */
  limit: number;
}

/** A page, form B. */
export interface PageB_News {
  /** Rows of the page. */
  list: News[];
  /** Number of rows over all pages. */
  count: number;
  /** Page returned. */
  page: number;
  /** Applied limit. */
  limit: number;
}

/** A page, form C. */
export interface PageC_Hosting {
  /** Rows of the page. */
  order_list: Hosting[];
  /** Number of rows over all pages. */
  total: number;
  /** Page returned. */
  page: number;
  /** Applied limit. */
  limit: number;
}

/** A page, form A. */
export interface Paginator<T> {
  /** Page returned. */
  current_page: number;
  /** Rows of the page. */
  data: T[];
  /** Applied limit. */
  per_page: number;
  /** Number of rows over all pages. */
  total: number;
  /** At least 1. */
  last_page: number;
  /** First row number on the page. */
  from: number | null;
  /** Last row number on the page. */
  to: number | null;
  /** Query of the next page. */
  next_page_url: string | null;
  /** Query of the page before. */
  prev_page_url: string | null;
}

/** A pair with its market figures. */
export interface Pair {
  id: number;
  match_id: number;
  symbol: string;
  legal_id: number;
  currency_id: number;
  legal_name: string;
  currency_name: string;
  logo: string;
  now_price: string;
  last_price: string | null;
  index_price: string | null;
  index_at_ms: number | null;
  stale: Flag;
  open: string;
  high: string;
  low: string;
  change: string;
  change_value: string;
  volume: string;
  quote_volume: string;
  price_digits: number;
  qty_digits: number;
  maker_fee: string;
  taker_fee: string;
  spread: string;
  overnight: string;
  lever_trade_fee: string;
  lever_share_num: string;
  lever_min_share: number;
  lever_max_share: number;
  micro_trade_fee: string;
  is_display: Flag;
  open_coin_trade: Flag;
  open_lever: Flag;
  open_microtrade: Flag;
  sort: number;
}

export type Part = "avail" | "frozen";

export type PathSide = "left" | "right";

/** A coin accepted as payment. */
export interface PayCurrency {
  id: number;
  name: string;
  /** Price of one token in this coin now; 0 without a price. */
  price: string;
}

/** A plan. */
export interface Plan {
  id: number;
  currency_id: number;
  currency_name: string;
  currency_logo: string;
  title: string;
  day: number;
  day_percent: string;
  day_rate: string;
  interest_rate: string;
  damage_rate: string;
  penalty_days: string;
  save_min: string;
  save_max: string;
  faxing: number;
  agreement_version: string;
  agreement: string;
  status: Flag;
  /** Hash of the rule that would apply to a purchase now. */
  rule: string;
  created_at: string;
  created_at_ms: number;
}

/** The totals in one coin. */
export interface PlanCoin {
  currency_id: number;
  total_profit: string;
  today_profit: string;
  total_deposit: string;
}

/** A plan order that has not ended. */
export interface PlanPromise {
  seq: number;
  plan_id: number;
  currency_id: number;
  currency_name: string;
  amount: string;
  day: number;
  day_percent: string;
  interest: string;
  bought_ms: number;
  end_at_ms: number;
}

/** Totals of a member's plan orders. */
export interface PlanReport {
  total_profit: string;
  today_profit: string;
  total_order: number;
  total_deposit: string;
  by_currency: PlanCoin[];
}

/** The plan treasury in one coin. */
export interface PlanTreasury {
  currency_id: number;
  currency_name: string;
  balance: string;
  reserve: string;
  open_orders: number;
}

/** One house account in one coin. */
export interface Pool {
  account: PoolAccount;
  currency_id: number;
  currency_name: string;
  balance: string;
  reserve: string;
  free: string;
  open_objects: number;
}

export type PoolAccount = "fee" | "option_pool" | "contract_pool" | "insurance" | "plan_treasury" | "loan_treasury" | "sub_escrow" | "sub_proceeds" | "flash_pool";

/** What one house account received and paid of one coin on one UTC day, in movements of one kind. */
export interface PoolMovement {
  id: number;
  day: string;
  account: MovedAccount;
  currency_id: number;
  currency_name: string;
  /** A kind of the account log, or 102 (withdrawal fee), 211 (paper capital), 212 (moved by operators), 213 (option fee), 214 (proceeds of a subscription). */
  kind: number;
  received: string;
  paid: string;
  /** The last entry that is counted in the row. */
  seq: number;
}

/** The entries that all balances are computed from. Anyone who has all of them can compute the balances again. `liquidity` is the house's own liquidity, which an ordinary member account has and no pool includes. */
export interface PoolsBehind {
  from_seq: number;
  to_seq: number;
  liquidity: HouseLiquidity[];
}

/** A contract. One that never opened is shown at its limit price, one that has ended as it was at its end. */
export interface Position {
  id: number;
  type: ContractSide;
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
  /** The largest profit that is paid. */
  profit_cap: string;
  /** Fee of opening and closing, under the terms of its own opening. */
  fee_rate: string;
  /** Distance of execution prices from the mark, under the same terms. */
  spread: string;
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
  status: ContractStatus;
  status_name: string;
  settled: Flag;
  reason: ContractReason | null;
  returned: string | null;
  create_time: number;
  create_time_ms: number;
  time: string;
  transaction_time: string | null;
  transaction_time_ms: number | null;
  handle_time: string | null;
  handle_time_ms: number | null;
  complete_time: string | null;
  complete_time_ms: number | null;
  expires_ms: number | null;
  seq: number;
}

/** The contract after a command. */
export interface PositionOnly {
  position: Position;
}

/** Invitation code, link and poster backgrounds. */
export interface Poster {
  extension_code: string;
  share_url: string;
  pics: string[];
}

/** A venue. */
export interface PriceSource {
  name: string;
  state: SourceState;
  since_ms: number;
  connections: number;
  /** Messages of unknown form, or about other pairs. */
  strays: number;
  fault: string | null;
  pairs: SourcePair[];
}

/** The price sources, and the market their prices are of. */
export interface PriceSources {
  market: MarketKind;
  sources: PriceSource[];
}

/** Data returned by a price input. */
export interface Priced {
  symbol: string;
  sample: IndexSample | null;
  pinned: Flag;
  halted: Flag;
}

export type Product = "spot" | "option" | "contract" | "plan" | "subscription" | "loan" | "flash" | "deposit_coin" | "deposit_bank" | "withdraw_coin" | "withdraw_bank";

/** Whether a product can be opened. */
export interface ProductSwitch {
  product: Product;
  on: Flag;
  reason?: string;
  risk_version: string;
}

export type ProfitResult = 1 | -1 | 0;

/** The entries that the promises are computed from, and the treasury at the last of them. */
export interface Promised {
  from_seq: number;
  to_seq: number;
  treasury: PlanTreasury[];
}

/** A proposal. */
export interface Proposal {
  id: number;
  kind: string;
  /** The subject of a catalog change by its present name: a pair, a coin and chain, or a country. */
  subject: string | null;
  values: Record<string, unknown>;
  before: Record<string, unknown> | null;
  reason: string;
  hash: string;
  proposer_id: number;
  confirmer_id: number | null;
  state: ProposalState;
  error: string | null;
  error_field: string | null;
  error_rule: string | null;
  effective_ms: number | null;
  created_at: string;
  created_at_ms: number;
  expires_ms: number;
}

export type ProposalState = "waiting" | "done" | "cancelled" | "expired" | "refused";

/** A commitment without its owner. */
export interface PublicCommitment {
  seq: number;
  currency_id: number;
  currency_name: string;
  amount: string;
  /** In the coin of the price, fixed when it was made. */
  value: string;
  created_at_ms: number;
}

/** A queue item with its fields, files, history and checks. */
export interface QueueItem {
  row: QueueRow;
  fields: Record<string, unknown>;
  files: ItemFile[];
  history: ItemHistory[];
  checks: ItemCheck[];
  view_id: number;
}

export type QueueKind = "deposit" | "bank_deposit" | "withdrawal" | "identity" | "loan" | "subscription" | "ticket" | "chat" | "fund_reset";

/** A row of a queue. */
export interface QueueRow {
  kind: QueueKind;
  id: number;
  version: number;
  hash: string;
  user_id: number;
  user_mask: string;
  summary: string;
  value_usdt: string | null;
  needs: number;
  approvals: OperatorMark[];
  failed_checks: string[];
  late: Flag;
  first_by_ms: number;
  promised_by_ms: number;
  status: string;
  created_at: string;
  created_at_ms: number;
}

/** The pairs of one quote coin. */
export interface QuoteGroup {
  id: number;
  name: string;
  logo: string;
  quotation: Pair[];
}

/** A place on the leaderboard. */
export interface Rank {
  rank: number;
  user_id: number;
  account: string;
  total: string;
  invitees: number;
}

/** A rebate. */
export interface RebateRow {
  id: number;
  value: string;
  currency_id: number;
  currency_name: string;
  level: number;
  day: string;
  from_account_number: string;
  created_time: string;
  created_time_ms: number;
}

/** Log entries, and the proof that they are in the log. */
export interface ReceiptProof {
  head: Head;
  genesis: Entry;
  runs: ReceiptRun[];
}

/** Consecutive entries, each with the hash of the one before it, and the Merkle path from the last one to the root of the head. */
export interface ReceiptRun {
  entries: Entry[];
  path: InclusionStep[];
}

/** Data returned with the deposit addresses. */
export interface Receiving {
  chains: ReceivingChain[];
  min: string | null;
}

/** A network on which a coin can be deposited. */
export interface ReceivingChain {
  chain: string;
  address: string;
  min: string;
  confirmations: number;
  on: Flag;
}

export type Recommended = 1 | 2;

/** Recovery codes. Each works once, and they are shown only once. */
export interface RecoveryCodes {
  recovery_codes: string[];
}

/** What an early redemption would pay and cost. Valid until the next midnight. */
export interface RedeemPreview {
  id: number;
  day_index: number;
  accrued_days: number;
  remain_day: number;
  current_interest: string;
  damages: string;
  penalty: string;
  cancel_fee: string;
  returned: string;
  valid_until_ms: number;
}

/** Data returned by `user/register`. */
export interface Registered {
  user_id: number;
  account_number: string;
}

export type Rejection = "price" | "time" | "order";

/** One step of the release schedule. */
export interface ReleaseRow {
  day: number;
  share: string;
}

export type ReviewStatus = 0 | 1 | 2 | 3;

/** Data returned when sessions were ended. */
export interface Revoked {
  /** Number of sessions ended. */
  revoked: number;
}

/** The risk text of a product. Spot has none. */
export interface RiskText {
  /** Product. */
  product: Product;
  /** Version that a member has seen. */
  version: string;
  /** Title. */
  title: string;
  /** Sanitised HTML. */
  body: string;
}

/** An operator session in a sandbox. */
export interface SandboxOperator {
  token: string;
  operator: Operator;
  expires_ms: number;
}

/** A loosened limit that is not yet in force. */
export interface SelfLimitPending {
  field: string;
  value: string | null;
  effective_ms: number;
}

/** A member's own limits. */
export interface SelfLimits {
  option_stake_day: string | null;
  loss_day: string | null;
  leverage_max: number | null;
  pause_until_ms: number | null;
  used: SelfLimitsUsed;
  pending: SelfLimitPending[];
}

/** How much of the limits of a UTC day is used. */
export interface SelfLimitsUsed {
  option_stake_day: string;
  /** What was lost today, and what open options and contracts may still lose. */
  loss_day: string;
}

/** Data returned for a note about a payment. */
export interface Sent {
  row: QueueRow;
}

/** An open session. */
export interface Session {
  id: number;
  current: Flag;
  device: string;
  address: string;
  created_at: string;
  created_at_ms: number;
  last_at: string;
  last_at_ms: number;
  expires_ms: number;
}

/** The state of everything that runs automatically. */
export interface Settlement {
  time_ms: number;
  seq: number;
  due_backlog: number;
  oldest_due_ms: number | null;
  feeds: SettlementFeed[];
  invariants: SettlementInvariant[];
  refunds_24h: number;
  pools: Pool[];
  nodes: SettlementNode[];
}

/** A price feed. */
export interface SettlementFeed {
  symbol: string;
  last_ms: number;
  stale: Flag;
  sources: SettlementSource[];
  pinned: Flag;
}

/** An invariant, and whether it holds. */
export interface SettlementInvariant {
  name: string;
  ok: Flag;
}

/** A node. */
export interface SettlementNode {
  name: string;
  role: NodeRole;
  seq: number;
  lag_ms: number;
}

/** A source of a feed. */
export interface SettlementSource {
  name: string;
  age_ms: number;
  ok: Flag;
}

/** What an authenticator app needs for its set-up. */
export interface Setup {
  setup_id: string;
  secret: string;
  uri: string;
}

/** Texts to share an invitation. */
export interface Share {
  share_title: string;
  share_content: string;
  share_url: string;
  extension_code: string;
}

export type Side = 1 | 2;

/** A pair at a venue. */
export interface SourcePair {
  symbol: string;
  asked_as: string;
  inverse: Flag;
  price: string | null;
  age_ms: number | null;
  /** Deviation from the last index sample, percent. */
  deviation: string | null;
  accepted: number;
  rejected: number;
  /** Percent. */
  rejected_share: string;
  rejected_for: Rejection | null;
  /** Index samples of the last five minutes. */
  samples: number;
  /** Those that no quote of this source counted towards. */
  unused: number;
  /** Percent. */
  unused_share: string;
  unused_for: Unused | null;
}

export type SourceState = "idle" | "waiting" | "connecting" | "open";

/** One side of a trade. */
export interface SpotFill {
  id: number;
  trade_id: number;
  order_id: number;
  symbol: string;
  type: Side;
  price: string;
  amount: string;
  value: string;
  fee: string;
  fee_currency: string;
  role: FillRole;
  seq: number;
  created_at: string;
  created_at_ms: number;
}

/** A spot order. */
export interface SpotOrder {
  id: number;
  client_order_id: string | null;
  match_id: number;
  symbol: string;
  currency_id: number;
  legal_id: number;
  type: Side;
  order_type: OrderType;
  tif: TimeInForce;
  target_price: string | null;
  stop_price: string | null;
  trade_price: string | null;
  trade_amount: string | null;
  funds: string | null;
  filled_amount: string;
  filled_value: string;
  avg_price: string | null;
  left_amount: string | null;
  frozen: string;
  /** Taker fee as a fraction, fixed when the order was placed. */
  charge_fee: string;
  /** Maker fee in percent, fixed when the order was placed (S-9, I-11). A post-only order pays no other. */
  maker_fee: string;
  fee: string;
  fee_currency: string;
  status: SpotStatus;
  waiting_trigger: Flag;
  reason: SpotReason | null;
  seq: number;
  created_at: string;
  created_at_ms: number;
  updated_at: string;
  updated_at_ms: number;
}

export type SpotReason = "USER" | "IOC" | "FOK" | "STP" | "NO_LIQUIDITY" | "RETIRED" | "MOVED";

export type SpotStatus = 1 | 2 | 3;

/** A public statistic. */
export interface Stat {
  name: StatName;
  value: string;
  from_seq: number;
  to_seq: number;
  time_ms: number;
  parts: StatPart[];
}

export type StatName = "spot_volume_24h" | "option_payouts_24h" | "withdrawal_minutes_median_30d" | "withdrawal_minutes_p95_30d" | "withdrawals_rejected_30d" | "withdrawals_paid_30d";

/** A part that a statistic is computed from: a pair or coin with its amount, or a number of withdrawals that took the same number of minutes or were refused on the same day. */
export interface StatPart {
  name: string;
  amount: string;
  price: string | null;
  count: number;
}

/** Data returned when an address or a card was stored. */
export interface Stored {
  /** Number of the address or card. */
  id: number;
  /** When it can first be used. */
  usable_at_ms: number;
}

export type SubscriptionStatus = 1 | 2 | 3;

/** A sibling node on the path. */
export interface SumStep {
  side: PathSide;
  hash: string;
  sum: string;
}

/** A ticket with its messages, oldest first. */
export interface Thread {
  ticket: Ticket;
  messages: Message[];
}

/** The ticker of a pair over the last 24 hours. */
export interface Ticker {
  symbol: string;
  match_id: number;
  open: string | null;
  high: string | null;
  low: string | null;
  last: string | null;
  index: string | null;
  change: string | null;
  change_percent: string | null;
  volume: string;
  quote_volume: string;
  count: number;
  time_ms: number;
}

/** A support ticket. */
export interface Ticket {
  id: number;
  title: string;
  category: string;
  status: number;
  last: string;
  created_at: string;
  created_at_ms: number;
  updated_at: string;
  updated_at_ms: number;
}

export type TieRule = "refund" | "lose";

export type TimeInForce = "gtc" | "ioc" | "fok" | "post_only";

/** Data returned with the submissions: what the member typed, while the basic level is rejected and has to be sent again. */
export interface ToCorrect {
  typed: BasicPaper | null;
}

/** A public trade. */
export interface Trade {
  id: number;
  seq: number;
  ts: number;
  direction: Direction;
  price: string;
  amount: string;
  /** True if one side of the trade is the house liquidity. */
  house: boolean;
}

/** A transfer. */
export interface TransferRow {
  id: number;
  value: string;
  info: string;
  type: number;
  from_field: Account;
  to_field: Account;
  currency: number;
  currency_name: string;
  created_time: string;
  created_time_ms: number;
}

/** Data returned when notices were marked as read. */
export interface Unread {
  unread: number;
}

export type Unused = "stale" | "deviation" | "nonpositive";

/** Data returned with the address of the picture. */
export interface Uploaded {
  key: string;
  width: number;
  height: number;
  bytes: number;
}

/** The caller's own account. */
export interface UserCenter {
  id: number;
  account_number: string;
  nickname: string;
  avatar: string | null;
  phone: string;
  email: string;
  area_code: string;
  lang: string;
  name: string;
  card_id: string;
  country: string;
  review_status: ReviewStatus;
  reason: string;
  review_status2: ReviewStatus;
  reason2: string;
  status: UserStatus;
  freeze_scope: FreezeScope;
  frozen_until_ms: number | null;
  role: UserRole;
  fund_password: FundPassword;
  fund_locked_until_ms: number | null;
  totp: Flag;
  withdraw_code: WithdrawCodeState;
  withdraw_code_until_ms: number | null;
  passkeys: number;
  password_changed_at_ms: number | null;
  withdraw_hold_until_ms: number | null;
  extension_code: string;
  unread: number;
  created_at: string;
  created_at_ms: number;
}

/** The short form of the caller's account. */
export interface UserCenter2 {
  id: number;
  phone: string;
  email: string;
  review_status: ReviewStatus;
  reason: string;
}

/** A coin that more than one account can hold. */
export interface UserCurrency {
  id: number;
  name: string;
  logo: string;
  is_legal: Flag;
  is_lever: Flag;
  is_match: Flag;
  is_micro: Flag;
  is_trust: Flag;
  wallet: WalletRow | null;
}

/** A member with their wallets and the last lines of their statement. */
export interface UserDetail {
  user: UserRow;
  wallets: WalletRow[];
  log: LogRow[];
}

export type UserRole = "user" | "promoter" | "partner";

/** A member. */
export interface UserRow {
  id: number;
  account: string;
  phone: string;
  email: string;
  country: string;
  review_status: ReviewStatus;
  review_status2: ReviewStatus;
  status: UserStatus;
  created_at: string;
  created_at_ms: number;
}

export type UserStatus = 0 | 1 | 2;

/** Data returned by `wallet/value_history`. */
export interface ValueHistory {
  points: ValuePoint[];
  net_in_usdt: string;
}

/** A member's total at an instant. */
export interface ValuePoint {
  time_ms: number;
  total_usdt: string;
  /** What belongs to the member outside the accounts, less what they owe. It counts stakes of running options, payments for new coins until their launch, and open profits less open losses of contracts; it deducts the debt of loans with interest and penalty. */
  open_usdt: string;
  /** Deposits less withdrawals from this point to the end. */
  net_in_usdt: string;
}

/** Data returned with the countries: how a sign-up can be verified. */
export interface Verification {
  verification: string;
}

/** A submission for an identity check. */
export interface VerificationRow {
  id: number;
  type: KycLevel;
  name: string;
  card_id: string;
  country: string;
  review_status: ReviewStatus;
  reason: string;
  create_time: string;
  create_time_ms: number;
  review_time: string | null;
  review_time_ms: number | null;
}

/** The entries that the volume is computed from, with the sums of the minutes as in `market/ticker`, and the first instant that counts. */
export interface VolumeBehind {
  from_seq: number;
  to_seq: number;
  from_ms: number;
  volume: string;
  quote_volume: string;
  count: number;
}

/** A minute with trades. */
export interface VolumeMinute {
  start_ms: number;
  volume: string;
  quote_volume: string;
  count: number;
}

/** One coin in one account, in detail. */
export type WalletDetail = WalletRow & {
  ExRate: string;
  coin_trade_fee: string;
  is_charge: boolean;
};

/** The coins of one account. */
export interface WalletGroup {
  balance: WalletRow[];
  totle: string;
  usdt_totle: string;
  unrealised?: string;
}

/** All accounts of a member. */
export interface WalletList {
  change_wallet: WalletGroup;
  lever_wallet: WalletGroup;
  micro_wallet: WalletGroup;
  trust_wallet: WalletGroup;
  legal_wallet: WalletGroup;
  total_usdt: string;
  ExRate: string;
  is_open_CTbi: string;
}

/** One coin in one account, with its balances in the others. */
export interface WalletRow {
  id: number;
  currency: number;
  currency_name: string;
  currency_logo: string;
  currency_type: string;
  change_balance: string;
  lock_change_balance: string;
  lever_balance: string;
  lock_lever_balance: string;
  micro_balance: string;
  lock_micro_balance: string;
  trust_balance: string;
  lock_trust_balance: string;
  balance: string;
  lock_balance: string;
  total: string;
  usdt_price: string;
  usdt_total: string;
  price_stale: Flag;
  is_legal: Flag;
  is_lever: Flag;
  is_match: Flag;
  is_micro: Flag;
  is_trust: Flag;
}

/** Whether withdrawals need a code, and until when. */
export interface WithdrawCode {
  withdraw_code: WithdrawCodeState;
  withdraw_code_until_ms: number | null;
}

export type WithdrawCodeState = "none" | "on" | "off";

/** Terms of a withdrawal, and what is left of its limits. */
export interface WithdrawInfo {
  currency: number;
  name: string;
  rate: string;
  fee: string;
  min_fee: string;
  min_number: string;
  max_number: string;
  change_balance: string;
  legal_balance: string;
  networks: Network[];
  day_count: number;
  day_count_max: number;
  day_value: string;
  day_value_max: string;
  expected_hours: number;
  payout_rate: string | null;
  hold_until_ms: number | null;
}

/** A withdrawal. */
export interface WithdrawRow {
  id: number;
  name: string;
  currency: number;
  netType: string;
  number: string;
  rate: string;
  real_number: string;
  payout_usd: string | null;
  status: FundingStatus;
  state: WithdrawalState;
  reason: string;
  address: string;
  notes: string;
  tx: string | null;
  is_bank: Flag;
  expected_at: string;
  expected_at_ms: number;
  late: Flag;
  create_time: string;
  create_time_ms: number;
}

/** Data returned for a new withdrawal. */
export interface WithdrawalMade {
  id: number;
  seq: number;
  number: string;
  fee: string;
  real_number: string;
  payout_usd: string | null;
  expected_at_ms: number;
  day_count: number;
}

export type WithdrawalState = "under_review" | "passed" | "sent" | "rejected" | "cancelled" | "returned";

/** The outcome of a write. */
export interface WriteOutcome {
  /** `never`: the write was not done, and can no longer be done under this key. */
  state: WriteState;
  /** Name of its refusal. */
  error: string | null;
  /** Sequence of its entry. */
  seq: number | null;
}

export type WriteState = "done" | "refused" | "never";

/** Every call: parameters, payload (`message`) and extra fields (`data`). */
export interface Calls {
  "POST alert/add": {
    params: {
      match_id: number;
      direction: "above" | "below";
      price: string;
    };
    message: Alert;
    data: "";
  };
  "POST alert/del": {
    params: {
      id: number;
    };
    message: string;
    data: "";
  };
  "GET alert/list": {
    params: Record<string, never>;
    message: Alert[];
    data: "";
  };
  "GET app/config": {
    params: {
      country?: string;
    };
    message: AppConfig;
    data: "";
  };
  "POST area_code": {
    params: {
      lang?: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu";
    };
    message: Country[];
    data: Verification;
  };
  "GET charge_mention/log2": {
    params: {
      status?: number;
      page?: number;
      limit?: number;
    };
    message: Paginator<DepositRow>;
    data: "";
  };
  "GET charge_mention/log3": {
    params: {
      status?: number;
      page?: number;
      limit?: number;
    };
    message: Paginator<WithdrawRow>;
    data: "";
  };
  "GET charge_mention/verification_log": {
    params: {
      page?: number;
      limit?: number;
    };
    message: Paginator<VerificationRow>;
    data: ToCorrect;
  };
  "GET chat/history": {
    params: {
      before_id?: number;
      limit?: number;
    };
    message: Message[];
    data: "";
  };
  "POST chat/send": {
    params: {
      content: string;
      imgs?: string[];
    };
    message: Message;
    data: "";
  };
  "POST coin/cancel": {
    params: {
      id?: number;
      client_order_id?: string;
    };
    message: string;
    data: OrderOnly;
  };
  "POST coin/cancel_all": {
    params: {
      currency_id?: number;
      legal_id?: number;
    };
    message: string;
    data: Cancelled;
  };
  "GET coin/fills": {
    params: {
      currency_id?: number;
      legal_id?: number;
      order_id?: number;
      page?: number;
      limit?: number;
    };
    message: Paginator<SpotFill>;
    data: "";
  };
  "GET coin/list": {
    params: {
      currency_id?: number;
      legal_id?: number;
      status?: number;
      type?: number;
      page?: number;
      limit?: number;
    };
    message: SpotOrder[];
    data: "";
  };
  "POST coin/move": {
    params: {
      id: number;
      target_price: string;
    };
    message: string;
    data: MovedOrder;
  };
  "GET coin/order": {
    params: {
      id?: number;
      client_order_id?: string;
    };
    message: OrderWithFills;
    data: "";
  };
  "POST coin/trade": {
    params: {
      legal_id: number;
      currency_id: number;
      type: number;
      amount?: string;
      target_price?: string;
      order_type?: "limit" | "market" | "stop_limit";
      tif?: "gtc" | "ioc" | "fok" | "post_only";
      stop_price?: string;
      funds?: string;
      client_order_id?: string;
    };
    message: string;
    data: OrderWithFills;
  };
  "PUT coin/trade": {
    params: {
      id?: number;
      client_order_id?: string;
    };
    message: string;
    data: OrderOnly;
  };
  "GET currency/deal": {
    params: {
      currency_id: number;
      legal_id: number;
    };
    message: Pair;
    data: EntryRange;
  };
  "GET currency/new_timeshar": {
    params: {
      symbol: string;
      period: "1min" | "5min" | "15min" | "30min" | "60min" | "1day" | "1week" | "1mon" | "timeline" | "1H" | "1D" | "1W" | "1M";
      from?: number;
      to?: number;
      series?: "index" | "trade";
    };
    message: ChartRow[];
    data: ChartRow[];
  };
  "GET currency/quotation_new": {
    params: Record<string, never>;
    message: QuoteGroup[];
    data: EntryRange;
  };
  "GET currency/user_currency_list": {
    params: Record<string, never>;
    message: UserCurrency[];
    data: "";
  };
  "POST favor/add": {
    params: {
      match_id: number;
    };
    message: number[];
    data: "";
  };
  "POST favor/del": {
    params: {
      match_id: number;
    };
    message: number[];
    data: "";
  };
  "GET favor/list": {
    params: Record<string, never>;
    message: number[];
    data: "";
  };
  "POST feedback/add": {
    params: {
      title: string;
      content: string;
      category?: "account" | "deposit" | "withdrawal" | "trade" | "other";
      imgs?: string[];
    };
    message: Ticket;
    data: "";
  };
  "GET feedback/detail": {
    params: {
      id: number;
    };
    message: Thread;
    data: "";
  };
  "GET feedback/list": {
    params: {
      page?: number;
      limit?: number;
    };
    message: Paginator<Ticket>;
    data: "";
  };
  "POST feedback/reply": {
    params: {
      id: number;
      content: string;
      imgs?: string[];
    };
    message: Message;
    data: "";
  };
  "POST get/lang": {
    params: Record<string, never>;
    message: Lang;
    data: "";
  };
  "POST lever/cancel": {
    params: {
      id: number;
    };
    message: string;
    data: PositionOnly;
  };
  "POST lever/close": {
    params: {
      id: number;
    };
    message: string;
    data: PositionOnly;
  };
  "POST lever/deal": {
    params: {
      currency_id: number;
      legal_id: number;
    };
    message: LeverDeal;
    data: "";
  };
  "POST lever/my_trade": {
    params: {
      currency_id?: number;
      legal_id?: number;
      status?: 0 | 1 | 3 | 4 | -1;
      page?: number;
      limit?: number;
    };
    message: LeverTrades;
    data: "";
  };
  "GET lever/receipt": {
    params: {
      id: number;
    };
    message: ContractReceipt;
    data: "";
  };
  "POST lever/setstop": {
    params: {
      id: number;
      target_profit_price: string;
      stop_loss_price: string;
    };
    message: string;
    data: PositionOnly;
  };
  "POST lever/submit": {
    params: {
      share: number;
      multiple: number;
      legal_id: number;
      currency_id: number;
      type: number;
      status?: 0 | 1;
      target_price?: string;
      target_profit_price?: string;
      stop_loss_price?: string;
    };
    message: string;
    data: PositionOnly;
  };
  "POST lh/deposit": {
    params: {
      config_id: number;
      amount: string;
      agree: 0 | 1;
      rule?: string;
    };
    message: string;
    data: HostingOnly;
  };
  "GET lh/deposit/config": {
    params: {
      page?: number;
      limit?: number;
    };
    message: Plan[];
    data: "";
  };
  "GET lh/deposit/order": {
    params: {
      status?: number;
      is_cancel?: 0 | 1;
      page?: number;
      limit?: number;
    };
    message: PageC_Hosting;
    data: "";
  };
  "POST lh/deposit/order/cancel": {
    params: {
      id: number;
      max_fee?: string;
    };
    message: string;
    data: HostingOnly;
  };
  "GET lh/deposit/order/preview": {
    params: {
      id: number;
    };
    message: RedeemPreview;
    data: "";
  };
  "GET lh/deposit/product_info": {
    params: {
      id: number;
    };
    message: Plan;
    data: "";
  };
  "GET lh/deposit/report": {
    params: Record<string, never>;
    message: PlanReport;
    data: "";
  };
  "GET lh/send/config": {
    params: {
      page?: number;
      limit?: number;
    };
    message: Offering[];
    data: EntryRange;
  };
  "GET lh/send/get_recommend": {
    params: Record<string, never>;
    message: Record<string, unknown>;
    data: "";
  };
  "POST lh/send/order": {
    params: {
      config_id: number;
      amount: string;
      currency_id?: number;
    };
    message: string;
    data: CommitmentOnly;
  };
  "GET lh/send/order_list": {
    params: {
      status?: number;
      page?: number;
      limit?: number;
    };
    message: CommitmentPage;
    data: "";
  };
  "GET lh/send/product_info": {
    params: {
      id: number;
    };
    message: Offering;
    data: EntryRange;
  };
  "GET market/book": {
    params: {
      symbol: string;
      levels?: number;
    };
    message: Book;
    data: "";
  };
  "GET market/index": {
    params: {
      symbol: string;
      from_ms?: number;
      to_ms?: number;
    };
    message: IndexSample[];
    data: "";
  };
  "GET market/lines": {
    params: Record<string, never>;
    message: DayLine[];
    data: "";
  };
  "GET market/ticker": {
    params: {
      symbol?: string;
    };
    message: Ticker[];
    data: EntryRange;
  };
  "GET market/trades": {
    params: {
      symbol: string;
      limit?: number;
      before_id?: number;
      before_ms?: number;
    };
    message: Trade[];
    data: "";
  };
  "GET microtrade/lists": {
    params: {
      match_id?: number;
      status?: number;
      currency_id?: number;
      page?: number;
      limit?: number;
    };
    message: Paginator<OptionOrder>;
    data: "";
  };
  "GET microtrade/payable_currencies": {
    params: Record<string, never>;
    message: OptionCoin[];
    data: "";
  };
  "GET microtrade/receipt": {
    params: {
      id: number;
    };
    message: OptionReceipt;
    data: "";
  };
  "GET microtrade/seconds": {
    params: {
      match_id?: number;
    };
    message: OptionDuration[];
    data: "";
  };
  "POST microtrade/submit": {
    params: {
      match_id: number;
      currency_id: number;
      type: 1 | 2 | 0;
      seconds: number;
      number: string;
      rule?: string;
      lang?: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu";
    };
    message: OptionOrder;
    data: "";
  };
  "POST news/detail": {
    params: {
      id: number;
    };
    message: NewsDetail;
    data: "";
  };
  "POST news/list": {
    params: {
      c_id: number;
      lang?: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu";
      search?: string;
      page?: number;
      limit?: number;
    };
    message: PageB_News;
    data: "";
  };
  "GET notice/list": {
    params: {
      kind?: string;
      page?: number;
      limit?: number;
    };
    message: Paginator<Notification>;
    data: "";
  };
  "POST notice/read": {
    params: {
      id?: number;
      all?: 0 | 1;
    };
    message: string;
    data: Unread;
  };
  "GET openapi.json": {
    params: Record<string, never>;
    message: string;
    data: unknown;
  };
  "GET proof/entries": {
    params: {
      from: number;
      limit?: number;
    };
    message: Entry[];
    data: "";
  };
  "GET proof/head": {
    params: Record<string, never>;
    message: Head;
    data: "";
  };
  "GET proof/inclusion": {
    params: {
      seq: number;
      head_seq?: number;
    };
    message: Inclusion;
    data: "";
  };
  "GET proof/liabilities": {
    params: {
      seq?: number;
    };
    message: Liabilities;
    data: "";
  };
  "GET proof/my_leaf": {
    params: {
      currency_id: number;
    };
    message: Leaf;
    data: "";
  };
  "GET public/commitments": {
    params: {
      id: number;
      after?: number;
      limit?: number;
    };
    message: PublicCommitment[];
    data: Committed;
  };
  "GET public/movements": {
    params: {
      after?: number;
      limit?: number;
    };
    message: PoolMovement[];
    data: MovementsBehind;
  };
  "GET public/pools": {
    params: Record<string, never>;
    message: Pool[];
    data: PoolsBehind;
  };
  "GET public/promises": {
    params: {
      after?: number;
      limit?: number;
    };
    message: PlanPromise[];
    data: Promised;
  };
  "GET public/rebates": {
    params: {
      rank: number;
      after?: number;
      limit?: number;
    };
    message: CountedRebate[];
    data: CountedPlace;
  };
  "GET public/stats": {
    params: Record<string, never>;
    message: Stat[];
    data: "";
  };
  "GET public/volumes": {
    params: {
      symbol: string;
    };
    message: VolumeMinute[];
    data: VolumeBehind;
  };
  "POST safe/update_password": {
    params: {
      password: string;
      re_password: string;
      oldpassword?: string;
      login_password?: string;
      code?: string;
      otp?: string;
    };
    message: string;
    data: FundPasswordSaved;
  };
  "POST set/get_customer_url": {
    params: Record<string, never>;
    message: CustomerService;
    data: "";
  };
  "POST set/lang": {
    params: {
      lang: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu";
    };
    message: string;
    data: "";
  };
  "POST set/sms_other_mail": {
    params: {
      type?: "operation" | "fund" | "contact" | "security";
    };
    message: string;
    data: CodeSent;
  };
  "POST sms_mail": {
    params: {
      user_string: string;
      type: "register" | "forget" | "bind";
    };
    message: string;
    data: CodeSent;
  };
  "POST sms_send": {
    params: {
      user_string: string;
      area_code: string;
      type: "register" | "forget" | "bind";
    };
    message: string;
    data: CodeSent;
  };
  "POST upload": {
    params: Record<string, never>;
    message: string;
    data: Uploaded;
  };
  "GET user/access_log": {
    params: {
      page?: number;
      limit?: number;
    };
    message: Paginator<AccessRow>;
    data: "";
  };
  "POST user/bosscancel": {
    params: {
      id: number;
    };
    message: string;
    data: LoanOnly;
  };
  "POST user/bosscollateral": {
    params: {
      id: number;
      amount: string;
    };
    message: string;
    data: CollateralAdded;
  };
  "GET user/bossconfig": {
    params: Record<string, never>;
    message: LoanProduct[];
    data: "";
  };
  "GET user/bossdetail": {
    params: {
      id: number;
    };
    message: Loan;
    data: "";
  };
  "GET user/bosslist": {
    params: {
      status?: number;
      page?: number;
      limit?: number;
    };
    message: Paginator<Loan>;
    data: "";
  };
  "GET user/bossorder": {
    params: {
      config_id: number;
      amount: string;
      collateral?: string;
      collateral_currency_id?: number;
      rule?: string;
      preview?: 0 | 1;
    };
    message: LoanQuote;
    data: "";
  };
  "POST user/bossorder": {
    params: {
      config_id: number;
      amount: string;
      collateral: string;
      collateral_currency_id?: number;
      rule?: string;
    };
    message: string;
    data: LoanOnly;
  };
  "POST user/bossrepay": {
    params: {
      id: number;
      amount?: string;
      all?: 0 | 1;
      max_debt?: string;
    };
    message: string;
    data: LoanRepaid;
  };
  "POST user/cash_del": {
    params: {
      id: number;
    };
    message: string;
    data: "";
  };
  "POST user/cash_info": {
    params: {
      lang?: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu";
    };
    message: CashInfo;
    data: "";
  };
  "GET user/cash_list": {
    params: Record<string, never>;
    message: Card[];
    data: "";
  };
  "POST user/cash_save": {
    params: {
      bank_name: string;
      bank_account: string;
      real_name: string;
      bank_branch: string;
      bank_id?: number;
      is_international?: 0 | 1;
      bank_address?: string;
      swift_code?: string;
      iban?: string;
      residence_address?: string;
      postal_code?: string;
    };
    message: string;
    data: Stored;
  };
  "GET user/center": {
    params: Record<string, never>;
    message: UserCenter;
    data: "";
  };
  "GET user/center2": {
    params: Record<string, never>;
    message: UserCenter2;
    data: "";
  };
  "POST user/check_email": {
    params: {
      user_string: string;
      email_code: string;
      type?: "register" | "forget" | "bind";
    };
    message: string;
    data: CodeValid;
  };
  "POST user/check_mobile": {
    params: {
      user_string: string;
      area_code: string;
      mobile_code: string;
      type?: "register" | "forget" | "bind";
    };
    message: string;
    data: CodeValid;
  };
  "POST user/e_pwd": {
    params: {
      old_password: string;
      password: string;
      re_password?: string;
      type?: 1 | 2;
      otp?: string;
    };
    message: string;
    data: "";
  };
  "POST user/edit_email": {
    params: {
      email: string;
      code: string;
      password: string;
      otp?: string;
    };
    message: string;
    data: "";
  };
  "POST user/edit_mobile": {
    params: {
      mobile: string;
      area_code: string;
      code: string;
      password: string;
      otp?: string;
    };
    message: string;
    data: "";
  };
  "POST user/edit_profile": {
    params: {
      nickname?: string;
      avatar?: string;
    };
    message: string;
    data: "";
  };
  "POST user/export": {
    params: {
      password: string;
    };
    message: OwnExport;
    data: "";
  };
  "GET user/export": {
    params: {
      id: number;
    };
    message: OwnExportState;
    data: "";
  };
  "POST user/forget": {
    params: {
      account: string;
      area_code?: string;
      code: string;
      password: string;
      repassword: string;
    };
    message: string;
    data: "";
  };
  "POST user/freeze": {
    params: {
      password: string;
      days: 1 | 7 | 30 | 0;
    };
    message: string;
    data: Frozen;
  };
  "POST user/has_password": {
    params: Record<string, never>;
    message: FundPassword;
    data: "";
  };
  "GET user/invite": {
    params: Record<string, never>;
    message: Invite;
    data: "";
  };
  "POST user/invite_list": {
    params: Record<string, never>;
    message: Rank[];
    data: EntryRange;
  };
  "GET user/limits": {
    params: Record<string, never>;
    message: SelfLimits;
    data: "";
  };
  "POST user/limits": {
    params: {
      option_stake_day?: string | "none";
      loss_day?: string | "none";
      leverage_max?: number | "none";
      pause_until_ms?: number | "none";
    };
    message: SelfLimits;
    data: "";
  };
  "POST user/login": {
    params: {
      user_string: string;
      password: string;
      user_type?: "email" | "mobile" | "username";
      area_code?: string;
    };
    message: string;
    data: LoginExtra;
  };
  "POST user/login/verify": {
    params: {
      challenge: string;
      method: "totp" | "recovery" | "passkey";
      code?: string;
      credential?: Record<string, unknown>;
    };
    message: string;
    data: LoginExtra;
  };
  "GET user/login_history": {
    params: {
      page?: number;
      limit?: number;
    };
    message: Paginator<LoginEvent>;
    data: "";
  };
  "POST user/logout": {
    params: Record<string, never>;
    message: string;
    data: "";
  };
  "POST user/my_account_return": {
    params: {
      time?: string;
      page?: number;
      limit?: number;
    };
    message: Paginator<RebateRow>;
    data: "";
  };
  "POST user/my_invite_list": {
    params: {
      page?: number;
      limit?: number;
    };
    message: Paginator<Invitee>;
    data: "";
  };
  "GET user/my_poster": {
    params: Record<string, never>;
    message: Poster;
    data: "";
  };
  "GET user/my_share": {
    params: Record<string, never>;
    message: Share;
    data: "";
  };
  "POST user/outcome": {
    params: {
      key: string;
    };
    message: WriteOutcome;
    data: "";
  };
  "GET user/poster_image": {
    params: {
      index?: number;
    };
    message: string;
    data: unknown;
  };
  "POST user/real_name": {
    params: {
      country: string;
      name: string;
      card_id: string;
      address: string;
      residence_address: string;
    };
    message: string;
    data: Answer;
  };
  "POST user/real_name2": {
    params: {
      card_id?: string;
      front_pic: string;
      reverse_pic: string;
      hand_pic: string;
    };
    message: string;
    data: Answer;
  };
  "POST user/register": {
    params: {
      type: "email" | "mobile";
      user_string: string;
      area_code?: string;
      code: string;
      password: string;
      re_password: string;
      agree: 0 | 1;
      extension_code?: string;
      country?: string;
    };
    message: string;
    data: Registered;
  };
  "GET user/sessions": {
    params: Record<string, never>;
    message: Session[];
    data: "";
  };
  "POST user/sessions/revoke": {
    params: {
      id?: number;
      others?: 0 | 1;
    };
    message: string;
    data: Revoked;
  };
  "POST user/stop_email_change": {
    params: {
      code: string;
    };
    message: string;
    data: "";
  };
  "POST user/totp/disable": {
    params: {
      password: string;
      code: string;
    };
    message: string;
    data: "";
  };
  "POST user/totp/enable": {
    params: {
      setup_id: string;
      code: string;
    };
    message: RecoveryCodes;
    data: "";
  };
  "POST user/totp/recovery": {
    params: {
      password: string;
      code: string;
    };
    message: RecoveryCodes;
    data: "";
  };
  "POST user/totp/setup": {
    params: {
      password: string;
    };
    message: Setup;
    data: "";
  };
  "POST user/withdraw_code": {
    params: {
      on: 0 | 1;
      password: string;
      code?: string;
      otp?: string;
    };
    message: string;
    data: WithdrawCode;
  };
  "POST wallet/addaddress": {
    params: {
      currency_id: number;
      netType: string;
      address: string;
      notes?: string;
      pay_password: string;
      code: string;
      otp?: string;
    };
    message: string;
    data: Stored;
  };
  "POST wallet/change": {
    params: {
      currency_id: number;
      number: string;
      from_field: "change" | "lever" | "micro" | "trust";
      to_field: "change" | "lever" | "micro" | "trust";
    };
    message: string;
    data: Moved;
  };
  "POST wallet/charge_req": {
    params: {
      currency: number;
      amount: string;
      netType?: string;
      imgs: string;
      hash?: string;
      account?: string;
    };
    message: string;
    data: ClaimMade;
  };
  "GET wallet/costs": {
    params: {
      coin?: number;
    };
    message: CoinCost[];
    data: "";
  };
  "POST wallet/deladdress": {
    params: {
      address_id: number;
    };
    message: string;
    data: "";
  };
  "POST wallet/detail": {
    params: {
      currency: number;
      type: "change" | "lever" | "micro" | "trust";
    };
    message: WalletDetail;
    data: "";
  };
  "GET wallet/export": {
    params: {
      from_ms: number;
      to_ms: number;
      currency?: number;
    };
    message: string;
    data: unknown;
  };
  "POST wallet/flashAgainst": {
    params: {
      quote_id?: number;
      l_currency_id?: number;
      r_currency_id?: number;
      num?: string;
      min_net?: string;
      price?: string;
    };
    message: string;
    data: FlashRow;
  };
  "GET wallet/flashAgainstList": {
    params: Record<string, never>;
    message: FlashCoins;
    data: "";
  };
  "GET wallet/flash_history": {
    params: {
      page?: number;
      limit?: number;
    };
    message: Paginator<FlashRow>;
    data: "";
  };
  "POST wallet/flash_quote": {
    params: {
      l_currency_id: number;
      r_currency_id: number;
      num: string;
    };
    message: FlashQuote;
    data: "";
  };
  "POST wallet/get_address": {
    params: {
      currency?: number;
    };
    message: Address[];
    data: "";
  };
  "POST wallet/get_in_address": {
    params: {
      currency: number;
    };
    message: Record<string, string>;
    data: Receiving;
  };
  "POST wallet/get_info": {
    params: {
      currency: number;
      netType?: string;
    };
    message: WithdrawInfo;
    data: "";
  };
  "GET wallet/hzhistory": {
    params: {
      page?: number;
      limit?: number;
    };
    message: Paginator<TransferRow>;
    data: "";
  };
  "POST wallet/legal_log": {
    params: {
      currency: number;
      type: number;
      kind?: number;
      page?: number;
      limit?: number;
    };
    message: PageB_LogRow;
    data: "";
  };
  "POST wallet/list": {
    params: {
      currency_name?: string;
    };
    message: WalletList;
    data: "";
  };
  "POST wallet/out": {
    params: {
      currency: number;
      number: string;
      address?: string;
      address_id?: number;
      card_id?: number;
      netType?: string;
      pay_password: string;
      notes?: string;
      code?: string;
      otp?: string;
      rate?: string;
      arrives?: string;
    };
    message: string;
    data: WithdrawalMade;
  };
  "POST wallet/out_cancel": {
    params: {
      id: number;
    };
    message: string;
    data: Answer;
  };
  "GET wallet/value_history": {
    params: {
      range?: "1d" | "1w" | "1m";
    };
    message: ValueHistory;
    data: "";
  };
  "GET /files/{key}": {
    params: {
      key: string;
    };
    message: string;
    data: unknown;
  };
  "GET /healthz": {
    params: Record<string, never>;
    message: string;
    data: unknown;
  };
  "GET /metrics": {
    params: Record<string, never>;
    message: string;
    data: unknown;
  };
  "GET /operator/api/audit": {
    params: {
      operator_id?: number;
      action?: string;
      object?: string;
      object_id?: number;
      from_ms?: number;
      to_ms?: number;
      page?: number;
      limit?: number;
    };
    message: Paginator<AuditRow>;
    data: "";
  };
  "GET /operator/api/catalog": {
    params: {
      kind: string;
    };
    message: Record<string, unknown>[];
    data: "";
  };
  "POST /operator/api/catalog/pause": {
    params: {
      product: string;
      match_id?: number;
      on: 0 | 1;
      reason: string;
    };
    message: string;
    data: "";
  };
  "POST /operator/api/catalog/propose": {
    params: {
      kind: string;
      id?: number;
      values: Record<string, unknown>;
      effective_ms?: number;
      reason: string;
    };
    message: Proposal;
    data: "";
  };
  "POST /operator/api/chat/reply": {
    params: {
      user_id: number;
      content: string;
    };
    message: Message;
    data: "";
  };
  "POST /operator/api/decide": {
    params: {
      kind: string;
      id: number;
      decision: "approve" | "reject";
      reason?: string;
      version: number;
      hash: string;
      reference?: string;
      observation_id?: number;
      otp?: string;
    };
    message: string;
    data: Decided;
  };
  "GET /operator/api/disputes": {
    params: {
      page?: number;
      limit?: number;
    };
    message: Paginator<Dispute>;
    data: "";
  };
  "GET /operator/api/file": {
    params: {
      key: string;
      view_id: number;
    };
    message: string;
    data: unknown;
  };
  "GET /operator/api/incidents": {
    params: {
      state?: string;
      page?: number;
      limit?: number;
    };
    message: Paginator<Incident>;
    data: "";
  };
  "GET /operator/api/item": {
    params: {
      kind: string;
      id: number;
      reason: string;
    };
    message: QueueItem;
    data: "";
  };
  "POST /operator/api/login": {
    params: {
      name: string;
      password: string;
      otp: string;
    };
    message: string;
    data: OperatorLogin;
  };
  "POST /operator/api/logout": {
    params: Record<string, never>;
    message: string;
    data: "";
  };
  "POST /operator/api/market/retire": {
    params: {
      match_id: number;
      at_ms: number;
      reason: string;
    };
    message: Proposal;
    data: "";
  };
  "GET /operator/api/me": {
    params: Record<string, never>;
    message: Operator;
    data: Colleagues;
  };
  "GET /operator/api/news": {
    params: {
      id?: number;
      c_id?: number;
      lang?: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu";
      page?: number;
      limit?: number;
    };
    message: Paginator<EditedNews>;
    data: "";
  };
  "POST /operator/api/news/delete": {
    params: {
      id: number;
    };
    message: string;
    data: "";
  };
  "POST /operator/api/news/save": {
    params: {
      id?: number;
      c_id: number;
      lang: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu";
      title: string;
      content?: string;
      cover?: string;
      link?: string;
      sorts?: number;
      publish_ms?: number;
    };
    message: EditedNews;
    data: "";
  };
  "POST /operator/api/observation": {
    params: {
      chain: string;
      tx: string;
      output: number;
      address: string;
      currency_id: number;
      amount: string;
      confirmations: number;
    };
    message: Observation;
    data: "";
  };
  "POST /operator/api/observation/reverse": {
    params: {
      id: number;
      reason: string;
    };
    message: Proposal;
    data: "";
  };
  "GET /operator/api/observations": {
    params: {
      state?: string;
      page?: number;
      limit?: number;
    };
    message: Paginator<Observation>;
    data: "";
  };
  "POST /operator/api/offering/launch": {
    params: {
      id: number;
      reason: string;
    };
    message: Proposal;
    data: "";
  };
  "POST /operator/api/operator/release": {
    params: {
      id: number;
    };
    message: Operator;
    data: "";
  };
  "POST /operator/api/operator/save": {
    params: {
      id?: number;
      name: string;
      roles: string[];
      active: 0 | 1;
      linked_member: string;
      mail?: string;
      reason: string;
    };
    message: Proposal;
    data: "";
  };
  "GET /operator/api/operators": {
    params: Record<string, never>;
    message: Operator[];
    data: "";
  };
  "POST /operator/api/password": {
    params: {
      old_password: string;
      password: string;
      otp: string;
    };
    message: string;
    data: "";
  };
  "POST /operator/api/proposal/cancel": {
    params: {
      id: number;
    };
    message: Proposal;
    data: "";
  };
  "POST /operator/api/proposal/confirm": {
    params: {
      id: number;
      hash: string;
      otp?: string;
    };
    message: Proposal;
    data: "";
  };
  "POST /operator/api/proposal/stop": {
    params: {
      id: number;
      reason: string;
    };
    message: Proposal;
    data: "";
  };
  "GET /operator/api/proposals": {
    params: {
      state?: string;
      page?: number;
      limit?: number;
    };
    message: Paginator<Proposal>;
    data: "";
  };
  "GET /operator/api/queue": {
    params: {
      kind: string;
      status?: "open" | "done" | "all";
      page?: number;
      limit?: number;
    };
    message: Paginator<QueueRow>;
    data: "";
  };
  "GET /operator/api/settlement": {
    params: Record<string, never>;
    message: Settlement;
    data: "";
  };
  "POST /operator/api/setup": {
    params: {
      link: string;
      password?: string;
      otp?: string;
    };
    message: OperatorSetup;
    data: "";
  };
  "GET /operator/api/sources": {
    params: Record<string, never>;
    message: PriceSources;
    data: "";
  };
  "POST /operator/api/ticket/reply": {
    params: {
      id: number;
      content: string;
      close?: 0 | 1;
    };
    message: Message;
    data: "";
  };
  "GET /operator/api/treasury": {
    params: Record<string, never>;
    message: Pool[];
    data: "";
  };
  "POST /operator/api/treasury/move": {
    params: {
      from: string;
      to: string;
      currency_id: number;
      amount: string;
      reason: string;
    };
    message: Proposal;
    data: "";
  };
  "GET /operator/api/user/detail": {
    params: {
      id: number;
      reason: string;
    };
    message: UserDetail;
    data: "";
  };
  "POST /operator/api/user/end_sessions": {
    params: {
      id: number;
      reason: string;
    };
    message: string;
    data: Revoked;
  };
  "POST /operator/api/user/freeze": {
    params: {
      id: number;
      scope: "withdraw" | "all";
      reason: string;
    };
    message: string;
    data: "";
  };
  "POST /operator/api/user/kyc_revoke": {
    params: {
      id: number;
      level: 1 | 2;
      reason: string;
    };
    message: Proposal;
    data: "";
  };
  "POST /operator/api/user/role": {
    params: {
      id: number;
      role: "user" | "promoter" | "partner";
      reason: string;
    };
    message: Proposal;
    data: "";
  };
  "GET /operator/api/user/search": {
    params: {
      q: string;
      page?: number;
      limit?: number;
    };
    message: Paginator<UserRow>;
    data: "";
  };
  "POST /operator/api/user/unfreeze": {
    params: {
      id: number;
      reason: string;
    };
    message: Proposal;
    data: "";
  };
  "POST /operator/api/withdrawal/returned": {
    params: {
      id: number;
      reason: string;
    };
    message: Proposal;
    data: "";
  };
  "POST /operator/api/withdrawal/sent": {
    params: {
      id: number;
      tx: string;
      output?: number;
    };
    message: string;
    data: Sent;
  };
  "POST /operator/api/withdrawal/unmark": {
    params: {
      id: number;
      reason: string;
    };
    message: Proposal;
    data: "";
  };
  "GET /readyz": {
    params: Record<string, never>;
    message: string;
    data: unknown;
  };
  "POST /sandbox/clock": {
    params: {
      advance_ms?: number;
      to_ms?: number;
      sessions?: 0 | 1;
    };
    message: Advanced;
    data: "";
  };
  "POST /sandbox/faucet": {
    params: {
      asset: string;
      amount: string;
      account?: "change" | "lever" | "micro" | "trust";
    };
    message: Credited;
    data: "";
  };
  "POST /sandbox/operator": {
    params: {
      role: "support" | "verifier" | "treasury" | "market" | "auditor" | "admin";
      name?: string;
    };
    message: SandboxOperator;
    data: "";
  };
  "GET /sandbox/outbox": {
    params: {
      to: string;
      limit?: number;
    };
    message: OutboxMessage[];
    data: "";
  };
  "POST /sandbox/price": {
    params: {
      symbol: string;
      price?: string;
      release?: 0 | 1;
      halt?: 0 | 1;
    };
    message: Priced;
    data: "";
  };
}
