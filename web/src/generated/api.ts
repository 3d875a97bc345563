// Made by `make types` from the description that the server gives of itself. Do not edit.
/* oxlint-disable */

export type Account = "change" | "lever" | "micro" | "trust";

export type AccountNumber = 2 | 3 | 4 | 5;

/** Answer of the clock. */
export interface Advanced {
  from_ms: number;
  time_ms: number;
  seq: number;
  events: number;
  samples: number;
}

/** Everything the app must know at its start. */
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

/** The order book. */
export interface Book {
  symbol: string;
  seq: number;
  bids: string[][];
  asks: string[][];
  checksum: number;
  time_ms: number;
}

/** Numbers of the orders that were cancelled. */
export interface Cancelled {
  cancelled: number[];
}

/** A decimal as a JSON number, exactly as printed; only chart rows have such numbers. */
export type ChartNumber = number;

/** A candle on the wire; its numbers are JSON numbers. */
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
}

/** Numbers the client shows or checks. */
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

/** Beside "code sent". */
export interface CodeSent {
  resend_ms: number;
  expires_ms: number;
  sent_to: string;
}

/** Beside "the code is correct". */
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

/** Rules of a contract pair. There are no contracts in this release, so the list of it is empty. */
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
  /** Fee per 00:00 UTC, percent. */
  overnight: string;
  /** Profit cap as a multiple of the margin. */
  cap_roi: number;
  /** Lots per order. */
  max_lots: number;
  /** Maintenance tiers by notional at opening. */
  tiers: ContractTier[];
}

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

/** A country to choose. */
export interface Country {
  id: number;
  name: string;
  area_code: string;
  iso: string;
}

/** Answer of the faucet. */
export interface Credited {
  currency_id: number;
  account: Account;
  amount: string;
  balance: string;
  seq: number;
}

/** Answer of `set/get_customer_url`. */
export interface CustomerService {
  customer_url: string;
  cover: string;
  xtitle: string;
  support_email: string;
  chat_on: Flag;
}

export type Direction = "buy" | "sell";

/** The entries that the balances follow from. */
export interface EntryRange {
  from_seq: number;
  to_seq: number;
}

export type FillRole = "maker" | "taker";

export type Flag = 0 | 1;

export type FundPassword = 1 | 2;

/** One accepted price with what it was made of. */
export interface IndexSample {
  symbol: string;
  seq: number;
  time_ms: number;
  price: string;
  sources: IndexSource[];
}

/** How the price index is made. */
export interface IndexSettings {
  sources: string[];
  quorum: number;
  stale_ms: number;
  deviation: string;
}

/** One raw quote and its use. */
export interface IndexSource {
  name: string;
  price: string;
  age_ms: number;
  used: Flag;
  why?: Unused;
}

export type Lang = "en" | "jp" | "kr" | "esp" | "zh" | "hk" | "th" | "teq" | "ydl" | "deyu" | "fayu";

/** A language of the product. */
export interface Language {
  code: string;
  name: string;
  bcp47: string;
}

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

/** Beside the token. */
export interface LoginExtra {
  user_id: number;
  expires_ms: number;
  idle_ms: number;
}

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
  status: MarketStatus;
}

export type MarketStatus = "open" | "paused" | "retiring" | "retired";

export type Mode = "sandbox" | "live";

/** Beside "transferred". */
export interface Moved {
  id: number;
  seq: number;
  from_balance: string;
  to_balance: string;
}

/** A network of a coin. No coin leaves or enters in this release, so lists of it are empty. */
export interface Network {
  /** `BTC`, `ERC20` or `TRC20`. */
  chain: string;
  /** Shown name. */
  name: string;
  /** Smallest credited deposit. */
  deposit_min: string;
  /** Needed before credit. */
  confirmations: number;
  /** Smallest withdrawal. */
  withdraw_min: string;
  /** Fee inside the amount. */
  withdraw_fee: string;
  /** Deposits open. */
  deposit_on: Flag;
  /** Withdrawals open. */
  withdraw_on: Flag;
}

/** A line of a list. */
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

/** One article. */
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

/** An order alone. */
export interface OrderOnly {
  order: SpotOrder;
}

export type OrderType = "limit" | "market" | "stop_limit";

/** An order and its fills. */
export interface OrderWithFills {
  order: SpotOrder;
  fills: SpotFill[];
}

/** A kept message. */
export interface OutboxMessage {
  id: number;
  to: string;
  purpose: string;
  code: string | null;
  text: string;
  time_ms: number;
}

/** Form B. */
export interface PageB_LogRow {
  /** Rows. */
  list: LogRow[];
  /** Rows in all. */
  count: number;
  /** Page returned. */
  page: number;
  /** Applied limit. */
  limit: number;
}

/** Form B. */
export interface PageB_News {
  /** Rows. */
  list: News[];
  /** Rows in all. */
  count: number;
  /** Page returned. */
  page: number;
  /** Applied limit. */
  limit: number;
}

/** Form A. */
export interface Paginator_SpotFill {
  /** Page returned. */
  current_page: number;
  /** Rows. */
  data: SpotFill[];
  /** Applied limit. */
  per_page: number;
  /** Rows in all. */
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

/** Form A. */
export interface Paginator_TransferRow {
  /** Page returned. */
  current_page: number;
  /** Rows. */
  data: TransferRow[];
  /** Applied limit. */
  per_page: number;
  /** Rows in all. */
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

/** A pair with its figures. */
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

/** Answer of a price input. */
export interface Priced {
  symbol: string;
  sample: IndexSample | null;
  pinned: Flag;
  halted: Flag;
}

export type Product = "spot" | "option" | "contract" | "plan" | "subscription" | "loan" | "flash" | "deposit_coin" | "deposit_bank" | "withdraw_coin" | "withdraw_bank";

/** Whether a product may be opened. */
export interface ProductSwitch {
  product: Product;
  on: Flag;
  risk_version: string;
}

/** The pairs of one quote coin. */
export interface QuoteGroup {
  id: number;
  name: string;
  logo: string;
  quotation: Pair[];
}

/** Beside "registered". */
export interface Registered {
  user_id: number;
  account_number: string;
}

export type ReviewStatus = 0 | 1 | 2 | 3;

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

export type Side = 1 | 2;

/** One side of a trade on the wire. */
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

/** An order on the wire. */
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
  charge_fee: string;
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

export type SpotReason = "USER" | "IOC" | "FOK" | "STP" | "NO_LIQUIDITY" | "RETIRED";

export type SpotStatus = 1 | 2 | 3;

/** The rolling day of a pair's trades. */
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

export type TimeInForce = "gtc" | "ioc" | "fok" | "post_only";

/** A public trade. */
export interface Trade {
  id: number;
  seq: number;
  ts: number;
  direction: Direction;
  price: string;
  amount: string;
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

export type Unused = "stale" | "deviation" | "nonpositive";

/** The member's own facts. */
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
  role: UserRole;
  fund_password: FundPassword;
  fund_locked_until_ms: number | null;
  totp: Flag;
  passkeys: number;
  withdraw_hold_until_ms: number | null;
  extension_code: string;
  unread: number;
  created_at: string;
  created_at_ms: number;
}

/** The short form. */
export interface UserCenter2 {
  id: number;
  phone: string;
  email: string;
  review_status: ReviewStatus;
  reason: string;
}

/** A coin that more than one account admits. */
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

export type UserRole = "user" | "promoter" | "partner";

export type UserStatus = 0 | 1 | 2;

/** Beside the countries: how sign-up can be verified. */
export interface Verification {
  verification: string;
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
}

/** All accounts. */
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

/** One coin in one account, with what the others hold. */
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

/** Every call: parameters, payload (`message`) and extra fields (`data`). */
export interface Calls {
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
    message: Paginator_SpotFill;
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
    data: "";
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
    data: "";
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
  "POST get/lang": {
    params: Record<string, never>;
    message: Lang;
    data: "";
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
  "GET market/ticker": {
    params: {
      symbol?: string;
    };
    message: Ticker[];
    data: "";
  };
  "GET market/trades": {
    params: {
      symbol: string;
      limit?: number;
      before_id?: number;
    };
    message: Trade[];
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
      page?: number;
      limit?: number;
    };
    message: PageB_News;
    data: "";
  };
  "GET openapi.json": {
    params: Record<string, never>;
    message: string;
    data: unknown;
  };
  "GET public/pools": {
    params: Record<string, never>;
    message: Pool[];
    data: EntryRange;
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
  "POST user/edit_profile": {
    params: {
      nickname?: string;
      avatar?: string;
    };
    message: string;
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
  "POST user/has_password": {
    params: Record<string, never>;
    message: FundPassword;
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
  "POST user/logout": {
    params: Record<string, never>;
    message: string;
    data: "";
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
  "POST wallet/detail": {
    params: {
      currency: number;
      type: "change" | "lever" | "micro" | "trust";
    };
    message: WalletDetail;
    data: "";
  };
  "GET wallet/hzhistory": {
    params: {
      page?: number;
      limit?: number;
    };
    message: Paginator_TransferRow;
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
