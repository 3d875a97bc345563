// Generated from the wire contract. Do not edit by hand.
/* oxlint-disable */

export interface Paginator<T> {
  /** page returned */
  current_page: number;
  /** rows */
  data: T[];
  /** applied limit */
  per_page: number;
  /** rows in all */
  total: number;
  /** at least 1 */
  last_page: number;
  /** first row number on the page */
  from: number | null;
  /** last row number on the page */
  to: number | null;
  /** null on the last page */
  next_page_url: string | null;
  /** null on the first page */
  prev_page_url: string | null;
}

export interface PageB<T> {
  /** rows */
  list: T[];
  /** rows in all */
  count: number;
  /** page returned */
  page: number;
  /** applied limit */
  limit: number;
}

export interface PageC<T> {
  /** rows */
  order_list: T[];
  /** rows in all */
  total: number;
  /** page returned */
  page: number;
  /** applied limit */
  limit: number;
}

export interface AccessRow {
  /** number */
  id: number;
  /** role of the operator */
  role: string;
  /** what was seen or done */
  action: string;
  /** kind of object */
  kind: string;
  /** reason given */
  reason: string;
  /** time */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface Address {
  /** address */
  id: number;
  /** coin */
  currency: number;
  /** chain */
  nettype: string;
  /** address */
  address: string;
  /** label */
  notes: string;
  /** end of the 24 h wait */
  usable_at_ms: number;
  /** added */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface Alert {
  /** number */
  id: number;
  /** pair */
  match_id: number;
  /** pair */
  symbol: string;
  /** condition */
  direction: "above" | "below";
  /** level */
  price: string;
  /** 0 after it fired */
  active: 0 | 1;
  /** fired */
  fired_at: string | null;
  /** the same instant in UTC milliseconds */
  fired_at_ms: number | null;
  /** made */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface Answer {
  /** object concerned */
  id: number;
  /** journal sequence of the command */
  seq: number;
  /** state of the object after the command */
  state: string;
}

export interface AppConfig {
  /** 2.5.8 */
  version: string;
  /** version of this document */
  contract: string;
  /** hash of the running build */
  build: string;
  /** mode of the journal */
  mode: "sandbox" | "live";
  /** journal time */
  server_time_ms: number;
  /** -240 */
  display_offset_minutes: number;
  /** country the switches are for */
  country: string;
  /** the eleven */
  languages: Language[];
  /** en */
  default_language: string;
  /** switches for the country */
  products: ProductSwitch[];
  /** all listed coins */
  currencies: Coin[];
  /** spot pairs */
  markets: MarketRules[];
  /** contract pairs */
  contracts: ContractRules[];
  /** current risk texts */
  risk_texts: ({
    product: string;
    version: string;
    title: string;
    body: string;
  })[];
  /** numbers the client shows or checks */
  limits: {
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
  };
  /** price index settings */
  index: {
    sources: string[];
    quorum: number;
    stale_ms: number;
    deviation: string;
  };
  /** /socket.io/ */
  socket_path: string;
  /** chat page */
  support_url: string;
}

export interface AuditRow {
  /** number */
  id: number;
  /** journal sequence */
  seq: number;
  /** operator */
  operator_id: number;
  /** action */
  action: string;
  /** kind of object */
  kind: string;
  /** object */
  object_id: number;
  /** reason */
  reason: string;
  /** chained hash */
  hash: string;
  /** time */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface Book {
  /** pair */
  symbol: string;
  /** book sequence, rises by 1 with every change */
  seq: number;
  /** [price, quantity], high to low */
  bids: string[][];
  /** [price, quantity], low to high */
  asks: string[][];
  /** CRC-32 of the best 25 levels, see Realtime */
  checksum: number;
  /** time of the last change */
  time_ms: number;
}

export interface Card {
  /** card number in the list */
  id: number;
  /** selected bank */
  bank_id: number | null;
  /** bank */
  bank_name: string;
  /** number, all but the last four hidden */
  bank_account: string;
  /** holder */
  real_name: string;
  /** branch */
  bank_branch: string;
  /** international: bank address */
  bank_address: string;
  /** international: SWIFT or Fedwire */
  swift_code: string;
  /** international: account number, masked */
  iban: string;
  /** international: recipient address */
  residence_address: string;
  /** international: postal code */
  postal_code: string;
  /** variant */
  is_international: 0 | 1;
  /** end of the 24 h wait */
  usable_at_ms: number;
  /** added */
  create_time: string;
  /** the same instant in UTC milliseconds */
  create_time_ms: number;
}

export interface CashInfo {
  /** newest card, missing when there is none */
  id?: number;
  /** as Card */
  bank_id?: number | null;
  /** as Card */
  bank_name?: string;
  /** as Card */
  bank_account?: string;
  /** as Card */
  real_name?: string;
  /** as Card */
  bank_branch?: string;
  /** as Card */
  bank_address?: string;
  /** as Card */
  swift_code?: string;
  /** as Card */
  iban?: string;
  /** as Card */
  residence_address?: string;
  /** as Card */
  postal_code?: string;
  /** as Card */
  create_time?: string;
  /** the same instant in UTC milliseconds */
  create_time_ms?: number;
  /** as Card */
  usable_at_ms?: number;
  /** cards stored */
  count: number;
  /** banks that can be chosen */
  banks: ({
    id: number;
    name: string;
  })[];
}

export interface ChartRow {
  /** start of the candle */
  id: number;
  /** start of the candle */
  time: number;
  /** first */
  open: number;
  /** highest */
  high: number;
  /** lowest */
  low: number;
  /** last */
  close: number;
  /** base coin (0 for the index series) */
  volume: number;
  /** = volume */
  amount: number;
  /** quote coin */
  vol: number;
  /** trades */
  count: number;
  /** period */
  period: string;
  /** timeline only: quote volume / base volume since the start */
  average?: number;
  /** base code */
  "base-currency": string;
  /** quote code */
  "quote-currency": string;
  /** false = current candle */
  final: boolean;
}

export interface CodeSent {
  /** earliest next request */
  resend_ms: number;
  /** end of validity */
  expires_ms: number;
  /** masked target */
  sent_to: string;
}

export interface Coin {
  /** coin number */
  id: number;
  /** BTC */
  code: string;
  /** shown name */
  name: string;
  /** never null */
  logo: string;
  /** decimals of every amount of the coin */
  scale: number;
  /** always 0 */
  is_legal: 0 | 1;
  /** spot account */
  is_match: 0 | 1;
  /** contract account */
  is_lever: 0 | 1;
  /** option account */
  is_micro: 0 | 1;
  /** plan account */
  is_trust: 0 | 1;
  /** empty for coins that cannot leave */
  networks: Network[];
}

export interface Commitment {
  /** order */
  id: number;
  /** offering */
  config_id: number;
  /** token */
  new_currency_name: string;
  /** payment coin */
  currency_name: string;
  /** payment coin */
  currency_id: number;
  /** paid */
  amount: string;
  /** USDT value fixed at payment */
  value: string;
  /** allocated tokens, 0 before allocation */
  new_currency_num: string;
  /** tokens released */
  released_num: string;
  /** USDT cost of the tokens */
  cost: string;
  /** kept, payment coin */
  charge: string;
  /** returned, payment coin */
  refund: string;
  /** price of one token */
  change_rate: string;
  /** accumulated return, USDT */
  interest: string;
  /** same as interest */
  original_interest: string;
  /** total return rate */
  interest_rate: string;
  /** lock-up */
  day: number;
  /** 1 subscribing, 2 locked, 3 ended */
  status: number;
  /** 3 under review, 1 passed, 2 refunded */
  exam_status: number;
  /** launch */
  online_time: string;
  /** the same instant in UTC milliseconds */
  online_time_ms: number;
  /** next tranche */
  next_release_ms: number | null;
  /** last tokens released */
  complete_at: string | null;
  /** the same instant in UTC milliseconds */
  complete_at_ms: number | null;
  /** committed */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
  /** last change */
  updated_at: string;
  /** the same instant in UTC milliseconds */
  updated_at_ms: number;
}

export interface CommitmentPage {
  /** rows */
  order_list: Commitment[];
  /** rows in all */
  total: number;
  /** sum of interest */
  total_interest: string;
  /** page */
  page: number;
  /** limit */
  limit: number;
}

export interface ContractRules {
  /** pair number */
  match_id: number;
  /** base coin of one lot */
  lot: string;
  /** price step */
  tick: string;
  /** offered leverage */
  multiples: number[];
  /** opening and closing fee */
  fee: string;
  /** distance of the execution price from the mark */
  spread: string;
  /** liquidation fee */
  liq_fee: string;
  /** fee per 00:00 UTC */
  overnight: string;
  /** profit cap as a multiple of the margin */
  cap_roi: number;
  /** lots per order */
  max_lots: number;
  /** maintenance tiers by notional at opening */
  tiers: ({
    bound: string;
    max_multiple: number;
    mmr: string;
    deduction: string;
  })[];
}

export interface Country {
  /** country number */
  id: number;
  /** name in the caller's language */
  name: string;
  /** dial code without + */
  area_code: string;
  /** two letters */
  iso: string;
}

export interface DepositRow {
  /** claim */
  id: number;
  /** coin code or USD */
  name: string;
  /** coin or 9999 */
  currency: number;
  /** chain or empty */
  netType: string;
  /** claimed amount */
  amount: string;
  /** credited amount */
  credited: string | null;
  /** credited coin */
  credited_name: string | null;
  /** 1 under review, 2 passed, 3 rejected */
  status: number;
  /** reason when rejected */
  remark: string;
  /** proof */
  img: string;
  /** transaction key */
  tx: string | null;
  /** seen */
  confirmations: number | null;
  /** needed */
  confirmations_needed: number | null;
  /** bank transfer */
  is_bank: 0 | 1;
  /** claimed */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
  /** decided */
  decided_at: string | null;
  /** the same instant in UTC milliseconds */
  decided_at_ms: number | null;
}

export interface Entry {
  /** number */
  seq: number;
  /** journal time */
  time_ms: number;
  /** kind of command */
  kind: string;
  /** hash of the entry before */
  prev: string;
  /** own hash */
  hash: string;
  /** fields without users: samples, prices, trades, rules */
  public: Record<string, unknown>;
  /** commitment to the private fields */
  sealed: string | null;
  /** the private fields, only in entries of the caller */
  own?: Record<string, unknown>;
}

export interface FlashCoin {
  /** coin */
  id: number;
  /** code */
  name: string;
  /** logo */
  logo: string;
  /** USDT price */
  price: string;
  /** smallest amount */
  min_number: string;
  /** largest amount */
  max_number: string;
  /** spot available ("0" for a guest) */
  balance: string;
  /** same as price */
  to_pb_price: string;
}

export interface FlashQuote {
  /** quote */
  quote_id: number;
  /** sold coin */
  l_currency_id: number;
  /** bought coin */
  r_currency_id: number;
  /** sold amount */
  num: string;
  /** before fee */
  gross: string;
  /** fee, in the bought coin */
  fee: string;
  /** amount received */
  net: string;
  /** gross / num, display */
  price: string;
  /** index of the sold coin */
  index_from: string;
  /** index of the bought coin */
  index_to: string;
  /** last instant of validity */
  expires_ms: number;
}

export interface FlashRow {
  /** exchange */
  id: number;
  /** quote used */
  quote_id: number | null;
  /** sold coin */
  l_currency_id: number;
  /** code */
  l_currency_name: string;
  /** bought coin */
  r_currency_id: number;
  /** code */
  r_currency_name: string;
  /** sold amount */
  num: string;
  /** before fee */
  gross: string;
  /** fee */
  fee: string;
  /** received */
  net: string;
  /** 1 done */
  status: number;
  /** word for the status */
  status_name: string;
  /** time */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface Head {
  /** last committed entry */
  seq: number;
  /** chain hash, 64 hex */
  hash: string;
  /** Merkle root of all entry hashes up to seq */
  root: string;
  /** Ed25519 over seq, hash and root */
  signature: string;
  /** public key */
  key: string;
  /** hash of the state at state_seq */
  state_hash: string;
  /** entry of state_hash */
  state_seq: number;
  /** leader epoch */
  epoch: number;
  /** journal time */
  time_ms: number;
  /** mode */
  mode: "sandbox" | "live";
  /** hash of the first entry */
  genesis: string;
}

export interface Hosting {
  /** order */
  id: number;
  /** plan */
  config_id: number;
  /** coin */
  currency_id: number;
  /** code */
  currency_name: string;
  /** logo */
  logo: string;
  /** cycle */
  day: number;
  /** principal */
  amount: string;
  /** fraction, terms of this order */
  day_rate: string;
  /** terms of this order */
  day_percent: string;
  /** whole cycle */
  interest_rate: string;
  /** interest at maturity */
  total_interest: string;
  /** accrued now */
  current_interest: string;
  /** first interest day */
  start_at: string;
  /** the same instant in UTC milliseconds */
  start_at_ms: number;
  /** maturity instant */
  end_at: string;
  /** the same instant in UTC milliseconds */
  end_at_ms: number;
  /** interest days left */
  remain_day: number;
  /** 1 in hosting, 2 ended */
  status: number;
  /** 0 no, 1 redeemed early */
  is_cancel: number;
  /** part of cancel_fee */
  damages: string;
  /** part of cancel_fee */
  penalty: string;
  /** deduction if redeemed now, or taken when redeemed */
  cancel_fee: string;
  /** paid back */
  returned: string | null;
  /** journal sequence */
  seq: number;
  /** bought */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
  /** last change */
  updated_at: string;
  /** the same instant in UTC milliseconds */
  updated_at_ms: number;
}

export interface Inclusion {
  /** entry */
  seq: number;
  /** its hash */
  hash: string;
  /** head */
  head_seq: number;
  /** root of the head */
  root: string;
  /** from entry to root */
  path: ({
    side: "left" | "right";
    hash: string;
  })[];
}

export interface IndexSample {
  /** pair */
  symbol: string;
  /** journal sequence */
  seq: number;
  /** time of the sample */
  time_ms: number;
  /** index price */
  price: string;
  /** raw quotes and their use */
  sources: ({
    name: string;
    price: string;
    age_ms: number;
    used: 0 | 1;
    why?: "stale" | "deviation" | "nonpositive";
  })[];
}

export interface Invite {
  /** invitation code */
  extension_code: string;
  /** code of the promoter or partner status, empty for others */
  authorization_code: string;
  /** direct invitees */
  invite_num: number;
  /** rebates, USDT value */
  invite_return_total: string;
  /** role */
  role: "user" | "promoter" | "partner";
  /** direct invitees */
  return_rate1: string;
  /** second level */
  return_rate2: string;
  /** 0 */
  return_rate3: string;
  /** return_rate1 */
  total_return_rate: string;
  /** link with the code */
  share_url: string;
  /** banner */
  ad: {
    image: string;
  };
}

export interface Invitee {
  /** number */
  id: number;
  /** masked */
  account: string;
  /** masked */
  account_number: string;
  /** masked */
  phone: string;
  /** masked */
  email: string;
  /** basic level */
  verified: 0 | 1;
  /** joined */
  time: string;
  /** the same instant in UTC milliseconds */
  time_ms: number;
}

export interface Language {
  /** one of the eleven codes */
  code: string;
  /** own name of the language */
  name: string;
  /** tag for the browser, for example ja */
  bcp47: string;
}

export interface Leaf {
  /** entry of the cut */
  seq: number;
  /** coin */
  currency_id: number;
  /** own total in the tree */
  balance: string;
  /** own blinding value */
  nonce: string;
  /** position */
  index: number;
  /** leaf hash */
  leaf: string;
  /** from leaf to root */
  path: ({
    side: "left" | "right";
    hash: string;
    sum: string;
  })[];
  /** root hash */
  root: string;
  /** root sum */
  total: string;
}

export interface LeverDeal {
  /** pair */
  match_id: number;
  /** pair */
  symbol: string;
  /** offered leverage and preset lots */
  multiple: {
    muit: ({
      value: number;
    })[];
    share: ({
      value: number;
    })[];
  };
  /** lots per order */
  lever_share_limit: {
    min: number;
    max: number;
  };
  /** mark */
  last_price: string;
  /** price of opening long now */
  buy_price: string;
  /** price of opening short now */
  sell_price: string;
  /** time of the sample */
  mark_time_ms: number;
  /** available margin */
  user_lever: string;
  /** open notional of the user */
  all_levers: string;
  /** 1 */
  ustd_price: string;
  /** USD per USDT */
  ExRAte: string;
  /** terms for new positions */
  rules: ContractRules;
  /** up to 10 open positions */
  my_transaction: Position[];
  /** last 20 openings and closings, without users */
  lever_transaction: ({
    price: string;
    number: string;
    type: number;
    time: number;
  })[];
}

export interface LeverTrades {
  /** totals of the open positions */
  rate_profits_total: {
    hazard_rate: string;
    profits_total: string;
  };
  /** positions */
  message: Paginator<Position>;
}

export interface Liabilities {
  /** entry of the cut */
  seq: number;
  /** the cut before */
  previous_seq: number | null;
  /** its time */
  time_ms: number;
  /** sum tree of each coin */
  assets: ({
    currency_id: number;
    currency_name: string;
    total: string;
    users: number;
    root: string;
    external: string;
  })[];
}

export interface Loan {
  /** loan */
  id: number;
  /** product */
  config_id: number;
  /** lent coin */
  currency_id: number;
  /** code */
  currency_name: string;
  /** principal */
  amount: string;
  /** principal still owed */
  outstanding: string;
  /** cycle */
  day: number;
  /** terms of this loan */
  interest_rate: string;
  /** interest to the due date */
  interest: string;
  /** interest owed now */
  interest_due: string;
  /** penalty owed now */
  penalty_due: string;
  /** outstanding + interest_due + penalty_due */
  debt: string;
  /** repaid so far */
  paid: string;
  /** principal + interest */
  total_return: string;
  /** collateral coin */
  collateral_currency_id: number;
  /** code */
  collateral_currency_name: string;
  /** frozen collateral */
  collateral: string;
  /** debt / value now */
  ltv: string | null;
  /** 75 % reached */
  margin_call: 0 | 1;
  /** 1 pending, 2 in loan, 3 finished, 4 cancelled, 5 overdue */
  status: number;
  /** how it ended */
  reason: "REPAID" | "AUTO_DEBIT" | "LIQUIDATED" | "USER" | "REJECTED" | "EXPIRED" | "LTV" | null;
  /** operator's reason when refused */
  note: string;
  /** collateral sold */
  sold: string | null;
  /** applied */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
  /** paid out */
  start_at: string | null;
  /** the same instant in UTC milliseconds */
  start_at_ms: number | null;
  /** due */
  end_at: string | null;
  /** the same instant in UTC milliseconds */
  end_at_ms: number | null;
  /** ended */
  finished_at: string | null;
  /** the same instant in UTC milliseconds */
  finished_at_ms: number | null;
}

export interface LoanProduct {
  /** product */
  id: number;
  /** lent coin */
  currency_id: number;
  /** code */
  currency_name: string;
  /** logo */
  currency_logo: string;
  /** cycle */
  day: number;
  /** per started day */
  interest_rate: string;
  /** 3 */
  overdue_multiplier: number;
  /** smallest */
  min_amount: string;
  /** largest */
  max_amount: string;
  /** 60 */
  start_ltv: string;
  /** 75 */
  call_ltv: string;
  /** 83 */
  liquidation_ltv: string;
  /** 2 */
  liquidation_fee: string;
  /** 72 */
  grace_hours: number;
  /** accepted collateral */
  collateral: ({
    currency_id: number;
    currency_name: string;
    price: string;
    balance: string;
  })[];
  /** 1 = open */
  status: 0 | 1;
}

export interface LoanQuote {
  /** product */
  config_id: number;
  /** principal */
  amount: string;
  /** cycle */
  day: number;
  /** interest to the due date */
  interest: string;
  /** to repay at the due date */
  total_return: string;
  /** collateral coin */
  collateral_currency_id: number;
  /** offered collateral */
  collateral: string;
  /** smallest that passes */
  min_collateral: string;
  /** USDT value */
  collateral_value: string;
  /** amount / value */
  ltv: string;
  /** collateral price that liquidates at full interest */
  liquidation_price: string;
  /** index used */
  price: string;
  /** its time */
  price_time_ms: number;
  /** 1 = would be accepted now */
  accepted: 0 | 1;
  /** first guard that fails */
  error?: string;
}

export interface LogRow {
  /** line */
  id: number;
  /** journal sequence */
  seq: number;
  /** owner */
  user_id: number;
  /** signed change */
  value: string;
  /** what happened */
  info: string;
  /** kind, see Account log kinds */
  type: number;
  /** 2 spot, 3 contract, 4 option, 5 plan */
  account: number;
  /** which balance */
  part: "avail" | "frozen";
  /** coin */
  currency: number;
  /** code */
  currency_name: string;
  /** balance before */
  before: string;
  /** balance after */
  after: string;
  /** kind of the object, for example spot_order */
  object: string;
  /** object number */
  object_id: number;
  /** time */
  created_time: string;
  /** the same instant in UTC milliseconds */
  created_time_ms: number;
}

export interface LoginEvent {
  /** number */
  id: number;
  /** success */
  ok: 0 | 1;
  /** way */
  method: "password" | "totp" | "recovery" | "passkey";
  /** browser and system */
  device: string;
  /** network address, last part hidden */
  address: string;
  /** time */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface LoginExtra {
  /** user number */
  user_id: number;
  /** end of the session */
  expires_ms: number;
  /** length of inactivity that ends it */
  idle_ms: number;
}

export interface MarketRules {
  /** pair number */
  match_id: number;
  /** BTC/USDT */
  symbol: string;
  /** base coin */
  currency_id: number;
  /** quote coin */
  legal_id: number;
  /** decimals of prices */
  price_digits: number;
  /** smallest price step */
  tick: string;
  /** decimals of quantities */
  qty_digits: number;
  /** smallest quantity step */
  step: string;
  /** smallest quantity */
  min_qty: string;
  /** largest quantity, null = none */
  max_qty: string | null;
  /** smallest value in quote coin */
  min_notional: string;
  /** largest value in quote coin */
  max_notional: string;
  /** maker fee */
  maker_fee: string;
  /** taker fee */
  taker_fee: string;
  /** lowest and highest limit price of a buy, percent of the reference */
  band_buy: string[];
  /** the same for a sell */
  band_sell: string[];
  /** 1 = the pair has a price index */
  index: 0 | 1;
  /** step of the index */
  index_tick: string | null;
  /** state */
  status: "open" | "paused" | "retiring" | "retired";
}

export interface Message {
  /** number */
  id: number;
  /** author */
  from: "me" | "support" | "system";
  /** text */
  content: string;
  /** pictures */
  imgs: string[];
  /** time */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface Network {
  /** BTC, ERC20 or TRC20 */
  chain: string;
  /** shown name */
  name: string;
  /** smallest credited deposit */
  deposit_min: string;
  /** needed before credit */
  confirmations: number;
  /** smallest withdrawal */
  withdraw_min: string;
  /** fee inside the amount */
  withdraw_fee: string;
  /** deposits open */
  deposit_on: 0 | 1;
  /** withdrawals open */
  withdraw_on: 0 | 1;
}

export interface News {
  /** number */
  id: number;
  /** 4 notice, 5 banner, 19 help */
  c_id: number;
  /** title */
  title: string;
  /** picture */
  cover: string | null;
  /** small picture */
  thumbnail: string | null;
  /** target of a banner */
  link: string | null;
  /** language */
  lang: string;
  /** order */
  sorts: number;
  /** published */
  create_time: string;
  /** the same instant in UTC milliseconds */
  create_time_ms: number;
}

export interface NewsDetail {
  /** number */
  id: number;
  /** category */
  c_id: number;
  /** title */
  title: string;
  /** sanitised HTML */
  content: string;
  /** author */
  author: string;
  /** picture */
  cover: string | null;
  /** published */
  create_time: string;
  /** the same instant in UTC milliseconds */
  create_time_ms: number;
}

export interface Notification {
  /** number */
  id: number;
  /** kind */
  kind: "deposit" | "withdrawal" | "order" | "option" | "contract" | "plan" | "subscription" | "loan" | "identity" | "security" | "ticket" | "chat" | "alert" | "system";
  /** title */
  title: string;
  /** text */
  content: string;
  /** object */
  object_id: number | null;
  /** read */
  read: 0 | 1;
  /** time */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface Observation {
  /** number */
  id: number;
  /** chain */
  chain: string;
  /** transaction */
  tx: string;
  /** output or log index */
  output: number;
  /** receiving address */
  address: string;
  /** owner of the address */
  user_id: number | null;
  /** coin */
  currency_id: number;
  /** amount */
  amount: string;
  /** confirmations */
  confirmations: number;
  /** who entered it */
  entries: ({
    operator_id: number;
    at_ms: number;
  })[];
  /** state */
  state: "entered" | "matched" | "conflict" | "credited" | "reversed";
}

export interface Offering {
  /** offering */
  id: number;
  /** token */
  new_currency_id: number;
  /** code */
  new_currency_name: string;
  /** first payment coin */
  currency_id: number;
  /** code */
  currency_name: string;
  /** payment coins and price of one token */
  pay_currencies: ({
    id: number;
    name: string;
    price: string;
  })[];
  /** supply */
  num: string;
  /** supply not yet covered by commitments */
  last_num: string;
  /** USDT value of the commitments */
  committed_value: string;
  /** commitments accepted up to factor x supply */
  oversub_factor: number;
  /** smallest commitment, USDT value */
  buy_num: string;
  /** largest sum for a user, USDT value */
  user_cap: string;
  /** USDT price of one token */
  change_rate: string;
  /** lock-up days */
  day: number;
  /** cumulative release */
  release: ({
    day: number;
    share: string;
  })[];
  /** total return now, 0 without a reference price */
  interest_rate: string;
  /** 0 without a reference price */
  predict_rate: string;
  /** start */
  send_start: string;
  /** the same instant in UTC milliseconds */
  send_start_ms: number;
  /** close */
  send_end: string;
  /** the same instant in UTC milliseconds */
  send_end_ms: number;
  /** estimated launch */
  online_time: string;
  /** the same instant in UTC milliseconds */
  online_time_ms: number;
  /** text */
  introduction: string;
  /** 1 subscribing, 2 launched, 3 settled */
  status: number;
  /** exact state */
  state: "upcoming" | "open" | "sold_out" | "allocated" | "launched" | "ended" | "cancelled";
  /** 1 popup on the home page, 2 not */
  is_recommend: number;
  /** popup title */
  recommend_title: string;
  /** popup text */
  recommend_content: string;
  /** listed */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface Operator {
  /** number */
  id: number;
  /** login name */
  name: string;
  /** roles */
  roles: string[];
  /** always 1 once active */
  totp: 0 | 1;
  /** enabled */
  active: 0 | 1;
  /** last use */
  last_at: string | null;
  /** the same instant in UTC milliseconds */
  last_at_ms: number | null;
}

export interface OptionCoin {
  /** coin */
  id: number;
  /** code */
  name: string;
  /** logo */
  logo: string;
  /** fee of the stake */
  micro_trade_fee: string;
  /** smallest stake */
  micro_min: string;
  /** largest stake over all durations */
  micro_max: string;
  /** open orders allowed */
  micro_holdtrade_max: number;
  /** sum of open stakes allowed */
  micro_open_stake_max: string;
  /** preset stakes */
  micro_numbers: ({
    id: number;
    number: string;
    currency_name: string;
  })[];
  /** option account ("0" for a guest) */
  user_wallet: {
    currency: number;
    currency_name: string;
    micro_balance: string;
    lock_micro_balance: string;
    micro_with_insurance: string;
  };
}

export interface OptionDuration {
  /** time option */
  id: number;
  /** length */
  seconds: number;
  /** profit of up and down */
  profit_ratio: string;
  /** profit of even */
  even_profit_ratio: string;
  /** half width of the even band, percent of the open price */
  tolerance: string;
  /** up/down bet when the outcome is even */
  tie_rule: "refund" | "lose";
  /** smallest stake in USDT */
  min_num: string;
  /** largest stake up/down in USDT */
  max_num: string;
  /** largest stake even in USDT */
  even_max_num: string;
  /** limits for each stake coin */
  limits: ({
    currency_id: number;
    min: string;
    max: string;
    even_max: string;
  })[];
  /** 1 on */
  status: 0 | 1;
}

export interface OptionOrder {
  /** order */
  id: number;
  /** owner */
  user_id: number;
  /** pair */
  match_id: number;
  /** pair */
  symbol_name: string;
  /** stake coin */
  currency_id: number;
  /** code */
  currency_name: string;
  /** 1 up, 2 down, 0 even */
  type: number;
  /** word */
  type_name: string;
  /** length */
  seconds: number;
  /** stake */
  number: string;
  /** fee */
  fee: string;
  /** profit if won, terms of this order */
  profit_ratio: string;
  /** 1 = even bet */
  even: 0 | 1;
  /** terms of this order */
  tolerance: string;
  /** terms of this order */
  tie_rule: "refund" | "lose";
  /** profit if won */
  profit: string;
  /** price of the open sample */
  open_price: string;
  /** time of the open sample */
  open_time_ms: number;
  /** current price while open, delivery price when closed */
  end_price: string | null;
  /** time of the delivery sample */
  end_time_ms: number | null;
  /** delivery instant */
  delivery_time_ms: number;
  /** 0 when due */
  remain_milli_seconds: number;
  /** 1 open, 3 closed */
  status: number;
  /** word */
  status_name: string;
  /** 1 up, 2 down, 0 even; null while open or refunded */
  outcome: number | null;
  /** result */
  result: "open" | "won" | "lost" | "push" | "refunded";
  /** 1 won, -1 lost, 0 push or refunded; null while open */
  profit_result: number | null;
  /** word */
  profit_result_name: string;
  /** true = no valid delivery price, stake and fee returned */
  refund: boolean;
  /** net, signed */
  fact_profits: string | null;
  /** amount returned to the account */
  payout: string | null;
  /** journal sequence of the purchase */
  seq: number;
  /** journal sequence of the settlement */
  settle_seq: number | null;
  /** bought */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
  /** settled */
  complete_at: string | null;
  /** the same instant in UTC milliseconds */
  complete_at_ms: number | null;
}

export interface OptionReceipt {
  /** the order */
  order: OptionOrder;
  /** sample used for the open price */
  open_sample: IndexSample;
  /** sample used for the delivery price */
  delivery_sample: IndexSample | null;
  /** first sample after the delivery instant, shows that none was skipped */
  next_sample: IndexSample | null;
  /** band in price units */
  tolerance_price: string;
  /** delivery - open */
  difference: string | null;
  /** rule applied; hash as in the purchase entry */
  rule: {
    name: string;
    version: number;
    hash: string;
    text: string;
  };
  /** postings of the settlement */
  postings: ({
    account: string;
    currency_id: number;
    value: string;
  })[];
  /** journal sequence */
  buy_seq: number;
  /** journal sequence */
  settle_seq: number | null;
  /** hashes of the journal entries involved */
  entry_hashes: ({
    seq: number;
    hash: string;
  })[];
}

export interface Pair {
  /** pair number (= match_id) */
  id: number;
  /** pair number */
  match_id: number;
  /** BASE/QUOTE */
  symbol: string;
  /** quote coin */
  legal_id: number;
  /** base coin */
  currency_id: number;
  /** quote code */
  legal_name: string;
  /** base code */
  currency_name: string;
  /** base logo */
  logo: string;
  /** displayed price: index where the pair has one, else last trade */
  now_price: string;
  /** last spot trade */
  last_price: string | null;
  /** latest index sample */
  index_price: string | null;
  /** its time */
  index_at_ms: number | null;
  /** 1 = no fresh sample */
  stale: 0 | 1;
  /** price 24 h ago */
  open: string;
  /** 24 h */
  high: string;
  /** 24 h */
  low: string;
  /** signed percent without sign of percent, +1.20 */
  change: string;
  /** signed difference */
  change_value: string;
  /** base coin, 24 h, spot trades */
  volume: string;
  /** quote coin, 24 h */
  quote_volume: string;
  /** decimals of prices */
  price_digits: number;
  /** decimals of quantities */
  qty_digits: number;
  /** spot */
  maker_fee: string;
  /** spot */
  taker_fee: string;
  /** contract spread in price points at the current price */
  spread: string;
  /** contract */
  overnight: string;
  /** contract */
  lever_trade_fee: string;
  /** base coin of one lot */
  lever_share_num: string;
  /** smallest lots */
  lever_min_share: number;
  /** largest lots */
  lever_max_share: number;
  /** option */
  micro_trade_fee: string;
  /** listed */
  is_display: 0 | 1;
  /** spot open */
  open_coin_trade: 0 | 1;
  /** contracts open */
  open_lever: 0 | 1;
  /** options open */
  open_microtrade: 0 | 1;
  /** order */
  sort: number;
}

export interface Passkey {
  /** number */
  id: number;
  /** label */
  name: string;
  /** made */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
  /** last use */
  last_at: string | null;
  /** the same instant in UTC milliseconds */
  last_at_ms: number | null;
}

export interface Plan {
  /** plan */
  id: number;
  /** coin */
  currency_id: number;
  /** code */
  currency_name: string;
  /** logo */
  currency_logo: string;
  /** title */
  title: string;
  /** cycle in days */
  day: number;
  /** daily yield */
  day_percent: string;
  /** daily yield as a fraction */
  day_rate: string;
  /** total yield of the cycle */
  interest_rate: string;
  /** damages per remaining day */
  damage_rate: string;
  /** 1.5 */
  penalty_days: string;
  /** smallest amount */
  save_min: string;
  /** largest amount */
  save_max: string;
  /** 0 = listed product */
  faxing: number;
  /** text to accept */
  agreement_version: string;
  /** service agreement */
  agreement: string;
  /** 1 = open for purchase */
  status: 0 | 1;
  /** listed */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface PlanReport {
  /** interest received, USDT value */
  total_profit: string;
  /** accrued by the last completed day, USDT value */
  today_profit: string;
  /** running orders */
  total_order: number;
  /** hosted, USDT value */
  total_deposit: string;
  /** exact per coin */
  by_currency: ({
    currency_id: number;
    total_profit: string;
    today_profit: string;
    total_deposit: string;
  })[];
}

export interface Pool {
  /** house account */
  account: "fee" | "option_pool" | "contract_pool" | "insurance" | "plan_treasury" | "loan_treasury" | "sub_escrow" | "sub_proceeds" | "flash_pool";
  /** coin */
  currency_id: number;
  /** code */
  currency_name: string;
  /** balance */
  balance: string;
  /** bound for open objects */
  reserve: string;
  /** balance - reserve */
  free: string;
  /** objects behind the reserve */
  open_objects: number;
}

export interface Position {
  /** position */
  id: number;
  /** 1 long, 2 short */
  type: number;
  /** word */
  type_name: string;
  /** pair */
  match_id: number;
  /** pair */
  symbol: string;
  /** base coin */
  currency: number;
  /** quote coin */
  legal: number;
  /** base coin */
  currency_id: number;
  /** quote coin */
  legal_id: number;
  /** mark at opening */
  origin_price: string;
  /** open price */
  price: string;
  /** limit of a waiting order */
  target_price: string | null;
  /** current mark, close price when closed */
  update_price: string;
  /** 0 = none */
  target_profit_price: string;
  /** 0 = none */
  stop_loss_price: string;
  /** 0 = never */
  liquidation_price: string;
  /** price of the profit cap, 0 = not reachable */
  cap_price: string;
  /** lots */
  share: number;
  /** base coins */
  number: string;
  /** leverage */
  multiple: number;
  /** notional at update_price */
  market_value: string;
  /** margin at opening */
  origin_caution_money: string;
  /** margin now */
  caution_money: string;
  /** opening fee */
  trade_fee: string;
  /** closing fee */
  close_fee: string;
  /** overnight rate */
  overnight: string;
  /** overnight paid */
  overnight_money: string;
  /** open profit and loss, signed */
  profits: string;
  /** profits / margin */
  profits_rate: string;
  /** final, signed */
  fact_profits: string | null;
  /** equity / maintenance requirement, at or below 100 = liquidation */
  hazard_rate: string;
  /** 0 waiting, 1 holding, 3 closed, 4 cancelled */
  status: number;
  /** word */
  status_name: string;
  /** 1 = final */
  settled: 0 | 1;
  /** why closed or cancelled */
  reason: "USER" | "TP" | "SL" | "LIQUIDATION" | "PROFIT_CAP" | "ADL" | "RETIRED" | "EXPIRED" | null;
  /** amount returned at close */
  returned: string | null;
  /** opened */
  create_time: number;
  /** opened */
  create_time_ms: number;
  /** opened */
  time: string;
  /** filled */
  transaction_time: string | null;
  /** the same instant in UTC milliseconds */
  transaction_time_ms: number | null;
  /** close requested */
  handle_time: string | null;
  /** the same instant in UTC milliseconds */
  handle_time_ms: number | null;
  /** closed */
  complete_time: string | null;
  /** the same instant in UTC milliseconds */
  complete_time_ms: number | null;
  /** end of a waiting order */
  expires_ms: number | null;
  /** journal sequence */
  seq: number;
}

export interface ProductSwitch {
  /** product */
  product: "spot" | "option" | "contract" | "plan" | "subscription" | "loan" | "flash" | "deposit_coin" | "deposit_bank" | "withdraw_coin" | "withdraw_bank";
  /** opening allowed for this country */
  on: 0 | 1;
  /** why not */
  reason?: string;
  /** version of the risk text the user must have seen */
  risk_version: string;
}

export interface Proposal {
  /** number */
  id: number;
  /** action */
  kind: string;
  /** proposed values */
  values: Record<string, unknown>;
  /** present values */
  before: Record<string, unknown> | null;
  /** reason */
  reason: string;
  /** hash to confirm */
  hash: string;
  /** operator */
  proposer_id: number;
  /** operator */
  confirmer_id: number | null;
  /** state */
  state: "waiting" | "done" | "cancelled" | "expired" | "refused";
  /** guard that refused it */
  error: string | null;
  /** when it acts */
  effective_ms: number | null;
  /** made */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
  /** 72 h after creation */
  expires_ms: number;
}

export interface QueueItem {
  /** the line */
  row: QueueRow;
  /** all fields of the item, read only */
  fields: Record<string, unknown>;
  /** pictures */
  files: ({
    key: string;
    label: string;
  })[];
  /** what happened */
  history: ({
    at_ms: number;
    operator_id: number | null;
    action: string;
    reason: string;
  })[];
  /** guards evaluated now */
  checks: ({
    name: string;
    ok: 0 | 1;
    detail: string;
  })[];
  /** number of the audited view */
  view_id: number;
}

export interface QueueRow {
  /** queue */
  kind: "deposit" | "bank_deposit" | "withdrawal" | "identity" | "loan" | "subscription" | "ticket" | "chat" | "fund_reset";
  /** item */
  id: number;
  /** rises with every change of the item */
  version: number;
  /** hash of what an approver must have seen */
  hash: string;
  /** user */
  user_id: number;
  /** masked account */
  user_mask: string;
  /** one line */
  summary: string;
  /** value */
  value_usdt: string | null;
  /** approvals needed */
  needs: number;
  /** approvals so far */
  approvals: ({
    operator_id: number;
    at_ms: number;
  })[];
  /** older than its target */
  late: 0 | 1;
  /** state */
  status: string;
  /** submitted */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface QuoteGroup {
  /** quote coin */
  id: number;
  /** code */
  name: string;
  /** logo */
  logo: string;
  /** pairs of this quote coin */
  quotation: Pair[];
}

export interface Rank {
  /** 1..10 */
  rank: number;
  /** 0 = hidden */
  user_id: number;
  /** masked */
  account: string;
  /** USDT value */
  total: string;
  /** direct invitees */
  invitees: number;
}

export interface RebateRow {
  /** number */
  id: number;
  /** rebate */
  value: string;
  /** coin */
  currency_id: number;
  /** code */
  currency_name: string;
  /** 1 or 2 */
  level: number;
  /** UTC day */
  day: string;
  /** masked, * when several */
  from_account_number: string;
  /** credited */
  created_time: string;
  /** the same instant in UTC milliseconds */
  created_time_ms: number;
}

export interface RedeemPreview {
  /** order */
  id: number;
  /** UTC day the figures hold for */
  day_index: number;
  /** days earned */
  accrued_days: number;
  /** days left */
  remain_day: number;
  /** kept by the user */
  current_interest: string;
  /** damages */
  damages: string;
  /** 1.5 times one day's interest */
  penalty: string;
  /** deduction from the principal */
  cancel_fee: string;
  /** amount paid back */
  returned: string;
  /** next 00:00 UTC */
  valid_until_ms: number;
}

export interface SelfLimits {
  /** option stakes per UTC day, USDT value */
  option_stake_day: string | null;
  /** realised loss of options and contracts per UTC day, USDT value */
  loss_day: string | null;
  /** largest multiple */
  leverage_max: number | null;
  /** no opening of options and contracts until then */
  pause_until_ms: number | null;
  /** used today */
  used: {
    option_stake_day: string;
    loss_day: string;
  };
  /** looser values waiting 24 h */
  pending: ({
    field: string;
    value: string | null;
    effective_ms: number;
  })[];
}

export interface Session {
  /** session number */
  id: number;
  /** this session */
  current: 0 | 1;
  /** browser and system, shortened */
  device: string;
  /** network address, last part hidden */
  address: string;
  /** start */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
  /** last use */
  last_at: string;
  /** the same instant in UTC milliseconds */
  last_at_ms: number;
  /** end */
  expires_ms: number;
}

export interface Settlement {
  /** journal time */
  time_ms: number;
  /** last entry */
  seq: number;
  /** due events not yet run */
  due_backlog: number;
  /** oldest of them */
  oldest_due_ms: number | null;
  /** price feeds */
  feeds: ({
    symbol: string;
    last_ms: number;
    stale: 0 | 1;
    sources: ({
      name: string;
      age_ms: number;
      ok: 0 | 1;
    })[];
    pinned: 0 | 1;
  })[];
  /** result of the last check */
  invariants: ({
    name: string;
    ok: 0 | 1;
  })[];
  /** options refunded for want of a price */
  refunds_24h: number;
  /** house accounts */
  pools: Pool[];
  /** nodes */
  nodes: ({
    name: string;
    role: "leader" | "follower";
    seq: number;
    lag_ms: number;
  })[];
}

export interface SpotFill {
  /** fill */
  id: number;
  /** trade */
  trade_id: number;
  /** order */
  order_id: number;
  /** pair */
  symbol: string;
  /** 1 buy, 2 sell */
  type: number;
  /** price */
  price: string;
  /** quantity */
  amount: string;
  /** value */
  value: string;
  /** fee */
  fee: string;
  /** coin of the fee */
  fee_currency: string;
  /** role */
  role: "maker" | "taker";
  /** journal sequence */
  seq: number;
  /** time */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface SpotOrder {
  /** order */
  id: number;
  /** caller's own id */
  client_order_id: string | null;
  /** pair */
  match_id: number;
  /** pair */
  symbol: string;
  /** base coin */
  currency_id: number;
  /** quote coin */
  legal_id: number;
  /** 1 buy, 2 sell */
  type: number;
  /** kind */
  order_type: "limit" | "market" | "stop_limit";
  /** time in force */
  tif: "gtc" | "ioc" | "fok" | "post_only";
  /** limit price */
  target_price: string | null;
  /** trigger */
  stop_price: string | null;
  /** market price at order time */
  trade_price: string | null;
  /** ordered quantity */
  trade_amount: string | null;
  /** market buy: quote to spend */
  funds: string | null;
  /** filled quantity */
  filled_amount: string;
  /** filled value */
  filled_value: string;
  /** filled_value / filled_amount, rounded to the tick */
  avg_price: string | null;
  /** rest on the book */
  left_amount: string | null;
  /** still held */
  frozen: string;
  /** taker fee as a fraction */
  charge_fee: string;
  /** paid fee */
  fee: string;
  /** coin of the fee */
  fee_currency: string;
  /** 1 waiting, 2 completed, 3 cancelled */
  status: number;
  /** stop not yet triggered */
  waiting_trigger: 0 | 1;
  /** why cancelled */
  reason: "USER" | "IOC" | "FOK" | "STP" | "NO_LIQUIDITY" | "RETIRED" | null;
  /** journal sequence */
  seq: number;
  /** placed */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
  /** last change */
  updated_at: string;
  /** the same instant in UTC milliseconds */
  updated_at_ms: number;
}

export interface Stat {
  /** figure */
  name: "spot_volume_24h" | "option_payouts_24h" | "withdrawal_minutes_median_30d" | "withdrawal_minutes_p95_30d" | "withdrawals_rejected_30d" | "withdrawals_paid_30d";
  /** value, USDT for amounts */
  value: string;
  /** first entry it is computed from */
  from_seq: number;
  /** last entry */
  to_seq: number;
  /** its time */
  time_ms: number;
}

export interface Ticker {
  /** pair */
  symbol: string;
  /** pair */
  match_id: number;
  /** window start */
  open: string | null;
  /** highest */
  high: string | null;
  /** lowest */
  low: string | null;
  /** last trade */
  last: string | null;
  /** latest sample */
  index: string | null;
  /** last - open */
  change: string | null;
  /** truncated to 0.01 */
  change_percent: string | null;
  /** base */
  volume: string;
  /** quote */
  quote_volume: string;
  /** trades */
  count: number;
  /** time */
  time_ms: number;
}

export interface Ticket {
  /** number */
  id: number;
  /** subject */
  title: string;
  /** category */
  category: string;
  /** 1 open, 2 answered, 3 closed */
  status: number;
  /** last message, shortened */
  last: string;
  /** opened */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
  /** last change */
  updated_at: string;
  /** the same instant in UTC milliseconds */
  updated_at_ms: number;
}

export interface Trade {
  /** trade number */
  id: number;
  /** journal sequence */
  seq: number;
  /** time */
  ts: number;
  /** side of the taker */
  direction: "buy" | "sell";
  /** price */
  price: string;
  /** base quantity */
  amount: string;
}

export interface TransferRow {
  /** number */
  id: number;
  /** amount */
  value: string;
  /** direction in words */
  info: string;
  /** kind */
  type: number;
  /** account word */
  from_field: string;
  /** account word */
  to_field: string;
  /** coin */
  currency: number;
  /** code */
  currency_name: string;
  /** time */
  created_time: string;
  /** the same instant in UTC milliseconds */
  created_time_ms: number;
}

export interface UserCenter {
  /** user number (UID) */
  id: number;
  /** public account number, also a login name */
  account_number: string;
  /** shown name */
  nickname: string;
  /** picture */
  avatar: string | null;
  /** masked, empty when none */
  phone: string;
  /** masked, empty when none */
  email: string;
  /** dial code */
  area_code: string;
  /** stored language */
  lang: string;
  /** verified name, masked */
  name: string;
  /** identity number, first 2 and last 2 characters */
  card_id: string;
  /** verified country, else empty */
  country: string;
  /** basic level: 0 none, 1 under review, 2 verified, 3 rejected */
  review_status: number;
  /** reason when rejected, else empty */
  reason: string;
  /** advanced level, same codes */
  review_status2: number;
  /** reason of the advanced level */
  reason2: string;
  /** 0 normal, 1 frozen by an operator, 2 frozen by the user */
  status: number;
  /** referral role */
  role: "user" | "promoter" | "partner";
  /** 1 set, 2 not set */
  fund_password: number;
  /** end of the lock */
  fund_locked_until_ms: number | null;
  /** second factor on */
  totp: 0 | 1;
  /** number of passkeys */
  passkeys: number;
  /** end of the hold after a security change */
  withdraw_hold_until_ms: number | null;
  /** own invitation code */
  extension_code: string;
  /** unread notifications */
  unread: number;
  /** sign-up time */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface UserCenter2 {
  /** user number */
  id: number;
  /** masked */
  phone: string;
  /** masked */
  email: string;
  /** advanced level: 0 none, 1 under review, 2 verified, 3 rejected */
  review_status: number;
  /** reason when rejected */
  reason: string;
}

export interface UserRow {
  /** user */
  id: number;
  /** masked */
  account: string;
  /** masked */
  phone: string;
  /** masked */
  email: string;
  /** country */
  country: string;
  /** basic */
  review_status: number;
  /** advanced */
  review_status2: number;
  /** 0 normal, 1 frozen, 2 self-frozen */
  status: number;
  /** sign-up */
  created_at: string;
  /** the same instant in UTC milliseconds */
  created_at_ms: number;
}

export interface VerificationRow {
  /** submission */
  id: number;
  /** 1 basic, 2 advanced */
  type: number;
  /** masked */
  name: string;
  /** masked */
  card_id: string;
  /** country */
  country: string;
  /** 1 under review, 2 verified, 3 rejected */
  review_status: number;
  /** reason when rejected */
  reason: string;
  /** submitted */
  create_time: string;
  /** the same instant in UTC milliseconds */
  create_time_ms: number;
  /** decided */
  review_time: string | null;
  /** the same instant in UTC milliseconds */
  review_time_ms: number | null;
}

export interface WalletDetail {
  /** row */
  id: number;
  /** coin */
  currency: number;
  /** code */
  currency_name: string;
  /** never null */
  currency_logo: string;
  /** coin */
  currency_type: string;
  /** spot available */
  change_balance: string;
  /** spot frozen */
  lock_change_balance: string;
  /** contract available */
  lever_balance: string;
  /** contract frozen */
  lock_lever_balance: string;
  /** option available */
  micro_balance: string;
  /** option frozen */
  lock_micro_balance: string;
  /** plan available */
  trust_balance: string;
  /** plan frozen */
  lock_trust_balance: string;
  /** available of the asked account */
  balance: string;
  /** frozen of the asked account */
  lock_balance: string;
  /** balance + lock_balance */
  total: string;
  /** index in USDT */
  usdt_price: string;
  /** value of total in USDT, rounded down */
  usdt_total: string;
  /** 1 = price older than 60 s */
  price_stale: 0 | 1;
  /** 0 */
  is_legal: 0 | 1;
  /** contract account */
  is_lever: 0 | 1;
  /** spot account */
  is_match: 0 | 1;
  /** option account */
  is_micro: 0 | 1;
  /** plan account */
  is_trust: 0 | 1;
  /** USD per USDT */
  ExRate: string;
  /** taker fee as a fraction */
  coin_trade_fee: string;
  /** deposits open */
  is_charge: boolean;
}

export interface WalletGroup {
  /** coins of the account */
  balance: WalletRow[];
  /** total in USDT */
  totle: string;
  /** same as totle */
  usdt_totle: string;
  /** contract account: open profit and loss, display only */
  unrealised?: string;
}

export interface WalletList {
  /** spot account */
  change_wallet: WalletGroup;
  /** contract account */
  lever_wallet: WalletGroup;
  /** option account */
  micro_wallet: WalletGroup;
  /** plan account */
  trust_wallet: WalletGroup;
  /** always empty */
  legal_wallet: WalletGroup;
  /** sum of the four */
  total_usdt: string;
  /** USD per USDT */
  ExRate: string;
  /** "1" deposits and withdrawals open, "0" closed */
  is_open_CTbi: string;
}

export interface WalletRow {
  /** row */
  id: number;
  /** coin */
  currency: number;
  /** code */
  currency_name: string;
  /** never null */
  currency_logo: string;
  /** coin */
  currency_type: string;
  /** spot available */
  change_balance: string;
  /** spot frozen */
  lock_change_balance: string;
  /** contract available */
  lever_balance: string;
  /** contract frozen */
  lock_lever_balance: string;
  /** option available */
  micro_balance: string;
  /** option frozen */
  lock_micro_balance: string;
  /** plan available */
  trust_balance: string;
  /** plan frozen */
  lock_trust_balance: string;
  /** available of the asked account */
  balance: string;
  /** frozen of the asked account */
  lock_balance: string;
  /** balance + lock_balance */
  total: string;
  /** index in USDT */
  usdt_price: string;
  /** value of total in USDT, rounded down */
  usdt_total: string;
  /** 1 = price older than 60 s */
  price_stale: 0 | 1;
  /** 0 */
  is_legal: 0 | 1;
  /** contract account */
  is_lever: 0 | 1;
  /** spot account */
  is_match: 0 | 1;
  /** option account */
  is_micro: 0 | 1;
  /** plan account */
  is_trust: 0 | 1;
}

export interface WithdrawInfo {
  /** coin (9999 = bank card, from USDT) */
  currency: number;
  /** code */
  name: string;
  /** fee percent (0 for coins) */
  rate: string;
  /** fixed fee of the asked or first network */
  fee: string;
  /** smallest fee */
  min_fee: string;
  /** smallest amount */
  min_number: string;
  /** largest amount now */
  max_number: string;
  /** spot available */
  change_balance: string;
  /** "0" */
  legal_balance: string;
  /** networks with fee and minimum */
  networks: Network[];
  /** accepted applications today (UTC) */
  day_count: number;
  /** 3 */
  day_count_max: number;
  /** USDT value of today */
  day_value: string;
  /** limit of the level */
  day_value_max: string;
  /** 12 */
  expected_hours: number;
  /** bank card: US dollars for one USDT */
  payout_rate: string | null;
  /** security hold */
  hold_until_ms: number | null;
}

export interface WithdrawRow {
  /** withdrawal */
  id: number;
  /** coin code */
  name: string;
  /** coin or 9999 */
  currency: number;
  /** chain or empty */
  netType: string;
  /** amount asked */
  number: string;
  /** fee amount */
  rate: string;
  /** amount that arrives */
  real_number: string;
  /** bank card: US dollars paid out, fixed at submission */
  payout_usd: string | null;
  /** 1 submitted, 2 passed, 3 rejected, cancelled or returned */
  status: number;
  /** exact state */
  state: "under_review" | "passed" | "sent" | "rejected" | "cancelled" | "returned";
  /** reason when rejected */
  reason: string;
  /** address, or masked card */
  address: string;
  /** remark */
  notes: string;
  /** transaction */
  tx: string | null;
  /** bank card */
  is_bank: 0 | 1;
  /** create_time + 12 h */
  expected_at: string;
  /** the same instant in UTC milliseconds */
  expected_at_ms: number;
  /** expected time has passed */
  late: 0 | 1;
  /** submitted */
  create_time: string;
  /** the same instant in UTC milliseconds */
  create_time_ms: number;
}

/** Every call: parameters, payload (`message`) and extra fields (`data`). */
export interface Calls {
  "POST set/lang": { params: { lang: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu"; }; message: string; data: unknown };
  "POST get/lang": { params: Record<string, never>; message: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu"; data: unknown };
  "POST set/get_customer_url": { params: Record<string, never>; message: {
      customer_url: string;
      cover: string;
      xtitle: string;
      support_email: string;
      chat_on: 0 | 1;
    }; data: unknown };
  "POST set/sms_other_mail": { params: { type?: "operation" | "fund" | "contact" | "security"; }; message: string; data: CodeSent };
  "POST area_code": { params: { lang?: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu"; }; message: Country[]; data: {
      verification: string;
    } };
  "GET app/config": { params: { country?: string; }; message: AppConfig; data: unknown };
  "POST upload": { params: { file: Blob; purpose?: "kyc" | "deposit" | "ticket" | "avatar"; }; message: string; data: {
      key: string;
      width: number;
      height: number;
      bytes: number;
    } };
  "GET /files/{key}": { params: { key: string; }; message: string; data: unknown };
  "GET openapi.json": { params: Record<string, never>; message: string; data: unknown };
  "GET /healthz": { params: Record<string, never>; message: string; data: unknown };
  "GET /readyz": { params: Record<string, never>; message: string; data: unknown };
  "GET /metrics": { params: Record<string, never>; message: string; data: unknown };
  "POST sms_mail": { params: { user_string: string; type: "register" | "forget" | "bind"; }; message: string; data: CodeSent };
  "POST sms_send": { params: { user_string: string; area_code: string; type: "register" | "forget" | "bind"; }; message: string; data: CodeSent };
  "POST user/register": { params: { type: "email" | "mobile"; user_string: string; area_code?: string; code: string; password: string; re_password: string; agree: 0 | 1; extension_code?: string; country?: string; }; message: string; data: {
      user_id: number;
      account_number: string;
    } };
  "POST user/login": { params: { user_string: string; password: string; user_type?: "email" | "mobile" | "username"; area_code?: string; }; message: string; data: LoginExtra };
  "POST user/login/verify": { params: { challenge: string; method: "totp" | "recovery" | "passkey"; code?: string; credential?: Record<string, unknown>; }; message: string; data: LoginExtra };
  "POST user/logout": { params: Record<string, never>; message: string; data: unknown };
  "POST user/check_mobile": { params: { user_string: string; area_code: string; mobile_code: string; type?: "register" | "forget" | "bind"; }; message: string; data: {
      valid_until_ms: number;
    } };
  "POST user/check_email": { params: { user_string: string; email_code: string; type?: "register" | "forget" | "bind"; }; message: string; data: {
      valid_until_ms: number;
    } };
  "POST user/forget": { params: { account: string; area_code?: string; code: string; password: string; repassword: string; }; message: string; data: unknown };
  "POST user/e_pwd": { params: { old_password: string; password: string; re_password?: string; type?: 1 | 2; otp?: string; }; message: string; data: unknown };
  "POST user/has_password": { params: Record<string, never>; message: number; data: unknown };
  "POST safe/update_password": { params: { password: string; re_password: string; oldpassword?: string; login_password?: string; code?: string; otp?: string; }; message: string; data: {
      review: 0 | 1;
      hold_until_ms: number | null;
    } };
  "POST user/edit_email": { params: { email: string; code: string; password: string; otp?: string; }; message: string; data: unknown };
  "POST user/edit_mobile": { params: { mobile: string; area_code: string; code: string; password: string; otp?: string; }; message: string; data: unknown };
  "POST user/edit_profile": { params: { nickname?: string; avatar?: string; }; message: string; data: unknown };
  "GET user/sessions": { params: Record<string, never>; message: Session[]; data: unknown };
  "POST user/sessions/revoke": { params: { id?: number; others?: 0 | 1; }; message: string; data: {
      revoked: number;
    } };
  "GET user/login_history": { params: { page?: number; limit?: number; }; message: Paginator<LoginEvent>; data: unknown };
  "POST user/totp/setup": { params: { password: string; }; message: {
      setup_id: string;
      secret: string;
      uri: string;
    }; data: unknown };
  "POST user/totp/enable": { params: { setup_id: string; code: string; }; message: {
      recovery_codes: string[];
    }; data: unknown };
  "POST user/totp/disable": { params: { password: string; code: string; }; message: string; data: unknown };
  "POST user/totp/recovery": { params: { password: string; code: string; }; message: {
      recovery_codes: string[];
    }; data: unknown };
  "POST user/passkey/options": { params: { purpose: "register" | "login"; user_string?: string; }; message: {
      challenge: string;
      options: Record<string, unknown>;
      expires_ms: number;
    }; data: unknown };
  "POST user/passkey/register": { params: { challenge: string; credential: Record<string, unknown>; name: string; password: string; }; message: Passkey; data: unknown };
  "POST user/passkey/login": { params: { challenge: string; credential: Record<string, unknown>; }; message: string; data: LoginExtra };
  "GET user/passkey/list": { params: Record<string, never>; message: Passkey[]; data: unknown };
  "POST user/passkey/remove": { params: { id: number; password: string; }; message: string; data: unknown };
  "GET user/limits": { params: Record<string, never>; message: SelfLimits; data: unknown };
  "POST user/limits": { params: { option_stake_day?: string | "none"; loss_day?: string | "none"; leverage_max?: number | "none"; pause_until_ms?: number | "none"; }; message: SelfLimits; data: unknown };
  "POST user/freeze": { params: { password: string; days: 1 | 7 | 30 | 0; }; message: string; data: {
      until_ms: number | null;
    } };
  "GET user/access_log": { params: { page?: number; limit?: number; }; message: Paginator<AccessRow>; data: unknown };
  "POST user/export": { params: { password: string; }; message: {
      id: number;
      status: string;
    }; data: unknown };
  "GET user/export": { params: { id: number; }; message: {
      id: number;
      status: "working" | "ready" | "expired";
      url: string | null;
      expires_ms: number | null;
    }; data: unknown };
  "GET user/center": { params: Record<string, never>; message: UserCenter; data: unknown };
  "GET user/center2": { params: Record<string, never>; message: UserCenter2; data: unknown };
  "POST user/real_name": { params: { country: string; name: string; card_id: string; address: string; residence_address: string; }; message: string; data: Answer };
  "POST user/real_name2": { params: { card_id?: string; front_pic: string; reverse_pic: string; hand_pic: string; }; message: string; data: Answer };
  "GET charge_mention/verification_log": { params: { page?: number; limit?: number; }; message: Paginator<VerificationRow>; data: unknown };
  "POST user/cash_info": { params: { lang?: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu"; }; message: CashInfo; data: unknown };
  "POST user/cash_save": { params: { bank_name: string; bank_account: string; real_name: string; bank_branch: string; bank_id?: number; is_international?: 0 | 1; bank_address?: string; swift_code?: string; iban?: string; residence_address?: string; postal_code?: string; }; message: string; data: {
      id: number;
      usable_at_ms: number;
    } };
  "GET user/cash_list": { params: Record<string, never>; message: Card[]; data: unknown };
  "POST user/cash_del": { params: { id: number; }; message: string; data: unknown };
  "GET currency/quotation_new": { params: Record<string, never>; message: QuoteGroup[]; data: unknown };
  "GET currency/deal": { params: { currency_id: number; legal_id: number; }; message: Pair; data: unknown };
  "GET currency/new_timeshar": { params: { symbol: string; period: "1min" | "5min" | "15min" | "30min" | "60min" | "1day" | "1week" | "1mon" | "timeline" | "1H" | "1D" | "1W" | "1M"; from?: number; to?: number; series?: "index" | "trade"; }; message: ChartRow[]; data: unknown };
  "GET currency/user_currency_list": { params: Record<string, never>; message: ({
      id: number;
      name: string;
      logo: string;
      is_legal: 0 | 1;
      is_lever: 0 | 1;
      is_match: 0 | 1;
      is_micro: 0 | 1;
      is_trust: 0 | 1;
      wallet: WalletRow | null;
    })[]; data: unknown };
  "POST news/list": { params: { c_id: number; lang?: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu"; page?: number; limit?: number; }; message: PageB<News>; data: unknown };
  "POST news/detail": { params: { id: number; }; message: NewsDetail; data: unknown };
  "GET market/book": { params: { symbol: string; levels?: number; }; message: Book; data: unknown };
  "GET market/trades": { params: { symbol: string; limit?: number; before_id?: number; }; message: Trade[]; data: unknown };
  "GET market/ticker": { params: { symbol?: string; }; message: Ticker[]; data: unknown };
  "GET market/index": { params: { symbol: string; from_ms?: number; to_ms?: number; }; message: IndexSample[]; data: unknown };
  "POST wallet/list": { params: { currency_name?: string; }; message: WalletList; data: unknown };
  "GET wallet/value_history": { params: { range?: "1d" | "1w" | "1m"; }; message: {
      points: ({
        time_ms: number;
        total_usdt: string;
      })[];
      net_in_usdt: string;
    }; data: unknown };
  "POST wallet/detail": { params: { currency: number; type: "change" | "lever" | "micro" | "trust"; }; message: WalletDetail; data: unknown };
  "POST wallet/legal_log": { params: { currency: number; type: number; kind?: number; page?: number; limit?: number; }; message: PageB<LogRow>; data: unknown };
  "POST wallet/change": { params: { currency_id: number; number: string; from_field: "change" | "lever" | "micro" | "trust"; to_field: "change" | "lever" | "micro" | "trust"; }; message: string; data: {
      id: number;
      seq: number;
      from_balance: string;
      to_balance: string;
    } };
  "GET wallet/hzhistory": { params: { page?: number; limit?: number; }; message: Paginator<TransferRow>; data: unknown };
  "GET wallet/export": { params: { from_ms: number; to_ms: number; currency?: number; }; message: string; data: unknown };
  "POST wallet/get_in_address": { params: { currency: number; }; message: Record<string, string>; data: {
      chains: ({
        chain: string;
        address: string;
        min: string;
        confirmations: number;
        on: 0 | 1;
      })[];
      min: string | null;
    } };
  "POST wallet/charge_req": { params: { currency: number; amount: string; netType?: string; imgs: string; hash?: string; account?: string; }; message: string; data: {
      id: number;
      seq: number;
    } };
  "GET charge_mention/log2": { params: { status?: number; page?: number; limit?: number; }; message: Paginator<DepositRow>; data: unknown };
  "POST wallet/get_info": { params: { currency: number; netType?: string; }; message: WithdrawInfo; data: unknown };
  "POST wallet/get_address": { params: { currency?: number; }; message: Address[]; data: unknown };
  "POST wallet/addaddress": { params: { currency_id: number; netType: string; address: string; notes?: string; pay_password: string; code: string; otp?: string; }; message: string; data: {
      id: number;
      usable_at_ms: number;
    } };
  "POST wallet/deladdress": { params: { address_id: number; }; message: string; data: unknown };
  "POST wallet/out": { params: { currency: number; number: string; address?: string; address_id?: number; card_id?: number; netType?: string; pay_password: string; notes?: string; code?: string; otp?: string; rate?: string; }; message: string; data: {
      id: number;
      seq: number;
      number: string;
      fee: string;
      real_number: string;
      payout_usd: string | null;
      expected_at_ms: number;
      day_count: number;
    } };
  "POST wallet/out_cancel": { params: { id: number; }; message: string; data: Answer };
  "GET charge_mention/log3": { params: { status?: number; page?: number; limit?: number; }; message: Paginator<WithdrawRow>; data: unknown };
  "GET wallet/flashAgainstList": { params: Record<string, never>; message: {
      left: FlashCoin[];
      right: FlashCoin[];
    }; data: unknown };
  "POST wallet/flash_quote": { params: { l_currency_id: number; r_currency_id: number; num: string; }; message: FlashQuote; data: unknown };
  "POST wallet/flashAgainst": { params: { quote_id?: number; l_currency_id?: number; r_currency_id?: number; num?: string; min_net?: string; price?: string; }; message: string; data: FlashRow };
  "GET wallet/flash_history": { params: { page?: number; limit?: number; }; message: Paginator<FlashRow>; data: unknown };
  "POST coin/trade": { params: { legal_id: number; currency_id: number; type: number; amount?: string; target_price?: string; order_type?: "limit" | "market" | "stop_limit"; tif?: "gtc" | "ioc" | "fok" | "post_only"; stop_price?: string; funds?: string; client_order_id?: string; }; message: string; data: {
      order: SpotOrder;
      fills: SpotFill[];
    } };
  "PUT coin/trade": { params: { id?: number; client_order_id?: string; }; message: string; data: {
      order: SpotOrder;
    } };
  "GET coin/list": { params: { currency_id?: number; legal_id?: number; status?: number; type?: number; page?: number; limit?: number; }; message: SpotOrder[]; data: unknown };
  "GET coin/order": { params: { id?: number; client_order_id?: string; }; message: {
      order: SpotOrder;
      fills: SpotFill[];
    }; data: unknown };
  "POST coin/cancel_all": { params: { currency_id?: number; legal_id?: number; }; message: string; data: {
      cancelled: number[];
    } };
  "GET coin/fills": { params: { currency_id?: number; legal_id?: number; order_id?: number; page?: number; limit?: number; }; message: Paginator<SpotFill>; data: unknown };
  "GET microtrade/seconds": { params: Record<string, never>; message: OptionDuration[]; data: unknown };
  "GET microtrade/payable_currencies": { params: Record<string, never>; message: OptionCoin[]; data: unknown };
  "POST microtrade/submit": { params: { match_id: number; currency_id: number; type: 1 | 2 | 0; seconds: number; number: string; lang?: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu"; }; message: OptionOrder; data: unknown };
  "GET microtrade/lists": { params: { match_id?: number; status?: number; currency_id?: number; page?: number; limit?: number; }; message: Paginator<OptionOrder>; data: unknown };
  "GET microtrade/receipt": { params: { id: number; }; message: OptionReceipt; data: unknown };
  "POST lever/deal": { params: { currency_id: number; legal_id: number; }; message: LeverDeal; data: unknown };
  "POST lever/submit": { params: { share: number; multiple: number; legal_id: number; currency_id: number; type: number; status?: 0 | 1; target_price?: string; target_profit_price?: string; stop_loss_price?: string; }; message: string; data: {
      position: Position;
    } };
  "POST lever/my_trade": { params: { currency_id?: number; legal_id?: number; status?: 0 | 1 | 3 | 4 | -1; page?: number; limit?: number; }; message: LeverTrades; data: unknown };
  "POST lever/close": { params: { id: number; }; message: string; data: {
      position: Position;
    } };
  "POST lever/setstop": { params: { id: number; target_profit_price: string; stop_loss_price: string; }; message: string; data: {
      position: Position;
    } };
  "POST lever/cancel": { params: { id: number; }; message: string; data: {
      position: Position;
    } };
  "GET lh/deposit/report": { params: Record<string, never>; message: PlanReport; data: unknown };
  "GET lh/deposit/config": { params: { page?: number; limit?: number; }; message: Plan[]; data: unknown };
  "GET lh/deposit/product_info": { params: { id: number; }; message: Plan; data: unknown };
  "POST lh/deposit": { params: { config_id: number; amount: string; agree: 0 | 1; }; message: string; data: {
      order: Hosting;
    } };
  "GET lh/deposit/order": { params: { status?: number; is_cancel?: 0 | 1; page?: number; limit?: number; }; message: PageC<Hosting>; data: unknown };
  "GET lh/deposit/order/preview": { params: { id: number; }; message: RedeemPreview; data: unknown };
  "POST lh/deposit/order/cancel": { params: { id: number; max_fee?: string; }; message: string; data: {
      order: Hosting;
    } };
  "GET lh/send/config": { params: { page?: number; limit?: number; }; message: Offering[]; data: unknown };
  "GET lh/send/product_info": { params: { id: number; }; message: Offering; data: unknown };
  "POST lh/send/order": { params: { config_id: number; amount: string; currency_id?: number; }; message: string; data: {
      order: Commitment;
    } };
  "GET lh/send/order_list": { params: { status?: number; page?: number; limit?: number; }; message: CommitmentPage; data: unknown };
  "GET lh/send/get_recommend": { params: Record<string, never>; message: Offering | Record<string, unknown>; data: unknown };
  "GET user/bossconfig": { params: Record<string, never>; message: LoanProduct[]; data: unknown };
  "GET user/bossorder": { params: { config_id: number; amount: string; collateral?: string; collateral_currency_id?: number; preview?: 0 | 1; }; message: LoanQuote; data: unknown };
  "POST user/bossorder": { params: { config_id: number; amount: string; collateral: string; collateral_currency_id?: number; }; message: string; data: {
      order: Loan;
    } };
  "GET user/bosslist": { params: { status?: number; page?: number; limit?: number; }; message: Paginator<Loan>; data: unknown };
  "GET user/bossdetail": { params: { id: number; }; message: Loan; data: unknown };
  "POST user/bossrepay": { params: { id: number; amount?: string; all?: 0 | 1; }; message: string; data: {
      order: Loan;
      taken: string;
      penalty: string;
      interest: string;
      principal: string;
    } };
  "POST user/bosscollateral": { params: { id: number; amount: string; }; message: string; data: {
      order: Loan;
    } };
  "POST user/bosscancel": { params: { id: number; }; message: string; data: {
      order: Loan;
    } };
  "GET user/invite": { params: Record<string, never>; message: Invite; data: unknown };
  "POST user/my_invite_list": { params: { page?: number; limit?: number; }; message: Paginator<Invitee>; data: unknown };
  "POST user/my_account_return": { params: { time?: string; page?: number; limit?: number; }; message: Paginator<RebateRow>; data: unknown };
  "POST user/invite_list": { params: Record<string, never>; message: Rank[]; data: {
      from_seq: number;
      to_seq: number;
    } };
  "GET user/my_poster": { params: Record<string, never>; message: {
      extension_code: string;
      share_url: string;
      pics: string[];
    }; data: unknown };
  "GET user/my_share": { params: Record<string, never>; message: {
      share_title: string;
      share_content: string;
      share_url: string;
      extension_code: string;
    }; data: unknown };
  "GET user/poster_image": { params: { index?: number; }; message: string; data: unknown };
  "GET notice/list": { params: { kind?: string; page?: number; limit?: number; }; message: Paginator<Notification>; data: unknown };
  "POST notice/read": { params: { id?: number; all?: 0 | 1; }; message: string; data: {
      unread: number;
    } };
  "GET alert/list": { params: Record<string, never>; message: Alert[]; data: unknown };
  "POST alert/add": { params: { match_id: number; direction: "above" | "below"; price: string; }; message: Alert; data: unknown };
  "POST alert/del": { params: { id: number; }; message: string; data: unknown };
  "GET favor/list": { params: Record<string, never>; message: number[]; data: unknown };
  "POST favor/add": { params: { match_id: number; }; message: number[]; data: unknown };
  "POST favor/del": { params: { match_id: number; }; message: number[]; data: unknown };
  "POST feedback/add": { params: { title: string; content: string; category?: "account" | "deposit" | "withdrawal" | "trade" | "other"; imgs?: string[]; }; message: Ticket; data: unknown };
  "GET feedback/list": { params: { page?: number; limit?: number; }; message: Paginator<Ticket>; data: unknown };
  "GET feedback/detail": { params: { id: number; }; message: {
      ticket: Ticket;
      messages: Message[];
    }; data: unknown };
  "POST feedback/reply": { params: { id: number; content: string; imgs?: string[]; }; message: Message; data: unknown };
  "GET chat/history": { params: { before_id?: number; limit?: number; }; message: Message[]; data: unknown };
  "POST chat/send": { params: { content: string; imgs?: string[]; }; message: Message; data: unknown };
  "GET proof/head": { params: Record<string, never>; message: Head; data: unknown };
  "GET proof/entries": { params: { from: number; limit?: number; }; message: Entry[]; data: unknown };
  "GET proof/inclusion": { params: { seq: number; head_seq?: number; }; message: Inclusion; data: unknown };
  "GET proof/liabilities": { params: { seq?: number; }; message: Liabilities; data: unknown };
  "GET proof/my_leaf": { params: { currency_id: number; }; message: Leaf; data: unknown };
  "GET public/pools": { params: Record<string, never>; message: Pool[]; data: {
      from_seq: number;
      to_seq: number;
    } };
  "GET public/stats": { params: Record<string, never>; message: Stat[]; data: unknown };
  "POST /operator/api/login": { params: { name: string; password: string; otp: string; }; message: string; data: {
      operator: Operator;
      expires_ms: number;
    } };
  "POST /operator/api/setup": { params: { link: string; password?: string; otp?: string; }; message: {
      name: string;
      secret: string | null;
      uri: string | null;
      active: 0 | 1;
    }; data: unknown };
  "POST /operator/api/logout": { params: Record<string, never>; message: string; data: unknown };
  "GET /operator/api/me": { params: Record<string, never>; message: Operator; data: unknown };
  "POST /operator/api/password": { params: { old_password: string; password: string; otp: string; }; message: string; data: unknown };
  "GET /operator/api/queue": { params: { kind: string; status?: "open" | "done" | "all"; page?: number; limit?: number; }; message: Paginator<QueueRow>; data: unknown };
  "GET /operator/api/item": { params: { kind: string; id: number; reason: string; }; message: QueueItem; data: unknown };
  "GET /operator/api/file": { params: { key: string; view_id: number; }; message: string; data: unknown };
  "POST /operator/api/decide": { params: { kind: string; id: number; decision: "approve" | "reject"; reason?: string; version: number; hash: string; reference?: string; observation_id?: number; }; message: string; data: {
      row: QueueRow;
      done: 0 | 1;
    } };
  "POST /operator/api/observation": { params: { chain: string; tx: string; output: number; address: string; currency_id: number; amount: string; confirmations: number; }; message: Observation; data: unknown };
  "GET /operator/api/observations": { params: { state?: string; page?: number; limit?: number; }; message: Paginator<Observation>; data: unknown };
  "POST /operator/api/observation/reverse": { params: { id: number; reason: string; }; message: Proposal; data: unknown };
  "POST /operator/api/withdrawal/sent": { params: { id: number; tx: string; }; message: string; data: {
      row: QueueRow;
    } };
  "POST /operator/api/withdrawal/returned": { params: { id: number; reason: string; }; message: Proposal; data: unknown };
  "GET /operator/api/treasury": { params: Record<string, never>; message: Pool[]; data: unknown };
  "POST /operator/api/treasury/move": { params: { from: string; to: string; currency_id: number; amount: string; reason: string; }; message: Proposal; data: unknown };
  "GET /operator/api/proposals": { params: { state?: string; page?: number; limit?: number; }; message: Paginator<Proposal>; data: unknown };
  "POST /operator/api/proposal/confirm": { params: { id: number; hash: string; }; message: Proposal; data: {
      link: string | null;
    } };
  "POST /operator/api/proposal/cancel": { params: { id: number; }; message: Proposal; data: unknown };
  "GET /operator/api/catalog": { params: { kind: string; }; message: Record<string, unknown>[]; data: unknown };
  "POST /operator/api/catalog/propose": { params: { kind: string; id?: number; values: Record<string, unknown>; effective_ms?: number; reason: string; }; message: Proposal; data: unknown };
  "POST /operator/api/catalog/pause": { params: { product: string; match_id?: number; on: 0 | 1; reason: string; }; message: string; data: unknown };
  "POST /operator/api/market/retire": { params: { match_id: number; at_ms: number; reason: string; }; message: Proposal; data: unknown };
  "POST /operator/api/offering/launch": { params: { id: number; reason: string; }; message: Proposal; data: unknown };
  "GET /operator/api/news": { params: { c_id?: number; lang?: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu"; page?: number; limit?: number; }; message: Paginator<NewsDetail>; data: unknown };
  "POST /operator/api/news/save": { params: { id?: number; c_id: number; lang: "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu"; title: string; content?: string; cover?: string; link?: string; sorts?: number; publish_ms?: number; }; message: NewsDetail; data: unknown };
  "POST /operator/api/news/delete": { params: { id: number; }; message: string; data: unknown };
  "GET /operator/api/user/search": { params: { q: string; page?: number; limit?: number; }; message: Paginator<UserRow>; data: unknown };
  "GET /operator/api/user/detail": { params: { id: number; reason: string; }; message: {
      user: UserRow;
      wallets: WalletRow[];
      log: LogRow[];
    }; data: unknown };
  "POST /operator/api/user/freeze": { params: { id: number; scope: "withdraw" | "all"; reason: string; }; message: string; data: unknown };
  "POST /operator/api/user/unfreeze": { params: { id: number; reason: string; }; message: Proposal; data: unknown };
  "POST /operator/api/user/kyc_revoke": { params: { id: number; level: 1 | 2; reason: string; }; message: Proposal; data: unknown };
  "POST /operator/api/user/role": { params: { id: number; role: "user" | "promoter" | "partner"; reason: string; }; message: Proposal; data: unknown };
  "POST /operator/api/ticket/reply": { params: { id: number; content: string; close?: 0 | 1; }; message: Message; data: unknown };
  "POST /operator/api/chat/reply": { params: { user_id: number; content: string; }; message: Message; data: unknown };
  "GET /operator/api/operators": { params: Record<string, never>; message: Operator[]; data: unknown };
  "POST /operator/api/operator/save": { params: { id?: number; name: string; roles: string[]; active: 0 | 1; reason: string; }; message: Proposal; data: unknown };
  "GET /operator/api/audit": { params: { operator_id?: number; from_ms?: number; to_ms?: number; page?: number; limit?: number; }; message: Paginator<AuditRow>; data: unknown };
  "GET /operator/api/settlement": { params: Record<string, never>; message: Settlement; data: unknown };
  "POST /sandbox/faucet": { params: { asset: string; amount: string; account?: "change" | "lever" | "micro" | "trust"; }; message: {
      currency_id: number;
      account: string;
      amount: string;
      balance: string;
      seq: number;
    }; data: unknown };
  "POST /sandbox/clock": { params: { advance_ms?: number; to_ms?: number; sessions?: 0 | 1; }; message: {
      from_ms: number;
      time_ms: number;
      seq: number;
      events: number;
      samples: number;
    }; data: unknown };
  "POST /sandbox/price": { params: { symbol: string; price?: string; release?: 0 | 1; halt?: 0 | 1; }; message: {
      symbol: string;
      sample: IndexSample | null;
      pinned: 0 | 1;
      halted: 0 | 1;
    }; data: unknown };
  "GET /sandbox/outbox": { params: { to: string; limit?: number; }; message: ({
      id: number;
      to: string;
      purpose: string;
      code: string | null;
      text: string;
      time_ms: number;
    })[]; data: unknown };
  "POST /sandbox/operator": { params: { role: "support" | "verifier" | "treasury" | "market" | "auditor" | "admin"; name?: string; }; message: {
      token: string;
      operator: Operator;
      expires_ms: number;
    }; data: unknown };
}
