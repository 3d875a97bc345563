import { ACCOUNTS, admits, CONTRACTS, OPTIONS, transferKinds, type Account } from '../../lib/wire';
import type { Coin, CoinCost, WalletList, WalletRow } from '../../generated/api';
import type { Key, Values } from '../../lib/i18n';
import { add, amount, cmp, div, isZero, mul, sign, sub, wire, zero, type Amount, type Parsed } from '../../lib/money';

const USDT_SCALE = 6;

export interface AccountLine {
  account: Account;
  /** USDT values; free and frozen add up to the total. */
  total: Amount;
  free: Amount;
  frozen: Amount;
  /** Whole percent of all accounts, rounded down; text for the locale's formatter. */
  percent: string;
}

/** The four accounts with what is free and what is frozen in them: stakes of running options are in play, and contracts show their open profit and loss. */
export function accountLines(wallet: WalletList, staked: Amount = zero()): AccountLine[] {
  const open: Partial<Record<Account, Amount>> = { [CONTRACTS]: amount(wallet.lever_wallet.unrealised ?? '0'), [OPTIONS]: staked };
  const whole = ACCOUNTS.reduce((sum, account) => add(sum, open[account] ?? zero()), amount(wallet.total_usdt));
  return ACCOUNTS.map((account) => {
    const group = wallet[`${account}_wallet`];
    const beside = open[account] ?? zero();
    const total = add(amount(group.totle), beside);
    const frozen = group.balance.reduce((value, row) => add(value, mul(amount(row[`lock_${account}_balance`]), amount(row.usdt_price), USDT_SCALE)), zero(USDT_SCALE));
    const bound = add(frozen, beside);
    const percent = sign(whole) <= 0 || sign(total) <= 0 ? '0' : wire(div(mul(total, amount('100')), whole, 0));
    return { account, total, free: sub(total, bound), frozen: bound, percent };
  });
}

/** Some value rests on a price older than a minute. */
export const hasStalePrice = (wallet: WalletList) => ACCOUNTS.some((account) => wallet[`${account}_wallet`].balance.some((row) => row.price_stale === 1 && !isZero(amount(row.total))));

export interface CoinLine {
  row: WalletRow;
  code: string;
  name: string;
  total: Amount;
  free: Amount;
  frozen: Amount;
  /** USDT; undefined without any price. */
  value: Amount | undefined;
}

const valueOf = (row: WalletRow) => (isZero(amount(row.usdt_price)) && !isZero(amount(row.total)) ? undefined : amount(row.usdt_total));

/** Coins of the spot account, most valuable first; small ones are those under 1 USDT. */
export function coinLines(rows: readonly WalletRow[], coins: readonly Coin[], hideSmall: boolean): CoinLine[] {
  return rows
    .map((row) => ({
      row,
      code: row.currency_name,
      name: coins.find((coin) => coin.id === row.currency)?.name ?? row.currency_name,
      total: amount(row.total),
      free: amount(row.change_balance),
      frozen: amount(row.lock_change_balance),
      value: valueOf(row),
    }))
    .filter((line) => !hideSmall || line.value === undefined || cmp(line.value, amount('1')) >= 0)
    .toSorted((a, b) => cmp(b.value ?? zero(), a.value ?? zero()) || a.row.currency - b.row.currency);
}

/** A coin in all accounts. */
export interface CoinProfit {
  /** The part whose cost is known, and the part that came in while the coin had no price. */
  quantity: Amount;
  withoutCost: Amount;
  /** USDT for one coin; undefined without a known cost. */
  average: Amount | undefined;
  /** Worth less cost, USDT; undefined without a price or a known cost. */
  unrealised: Amount | undefined;
  /** The same in per cent of the cost; undefined of what cost nothing. */
  percent: Amount | undefined;
  /** Profit of what was sold, USDT. */
  realised: Amount;
}

/** What a coin cost, and what it made at this price of one in USDT, `0` without one. Worth is rounded down as everywhere. */
export function profitOf(of: CoinCost, price: string): CoinProfit {
  const [quantity, cost] = [amount(of.quantity), amount(of.cost)];
  const unrealised = isZero(quantity) || isZero(amount(price)) ? undefined : sub(mul(quantity, amount(price), USDT_SCALE), cost);
  const percent = unrealised && !isZero(cost) ? div(mul(unrealised, amount('100')), cost, 2, 'floor') : undefined;
  return { quantity, withoutCost: amount(of.without_cost), average: of.average === null ? undefined : amount(of.average), unrealised, percent, realised: amount(of.realised) };
}

/** The coin an account's log opens with: the most valuable one, else USDT, else the first. */
export function firstCoin(account: Account, wallet: WalletList, coins: readonly Coin[]): number | undefined {
  const rows = wallet[`${account}_wallet`].balance.filter((row) => !isZero(amount(row.total)));
  const best = rows.toSorted((a, b) => cmp(amount(b.usdt_total), amount(a.usdt_total)))[0];
  const admitted = coins.filter((coin) => admits(account, coin));
  return best?.currency ?? admitted.find((coin) => coin.code === 'USDT')?.id ?? admitted[0]?.id;
}

// ---- change log -------------------------------------------------------------

const TRANSFERS = [11, 12, 15, 16, 17, 18, 19, 20];
const WORDS: Record<number, Key> = {
  50: 'assets.log.hold',
  51: 'assets.log.trade',
  52: 'assets.log.release',
  53: 'assets.log.fee',
  99: 'assets.log.withdrawalHold',
  100: 'assets.log.withdrawalDone',
  101: 'assets.log.withdrawalBack',
  200: 'assets.log.deposit',
  201: 'assets.log.depositCorrection',
  210: 'assets.log.paper',
};

/** Our words for a kind of change; null where the server's own text is shown. */
export function logKey(kind: number): Key | null {
  if (TRANSFERS.includes(kind)) return TRANSFERS.indexOf(kind) % 2 === 0 ? 'assets.log.transferIn' : 'assets.log.transferOut';
  return WORDS[kind] ?? null;
}

/** Kinds that can stand in an account's log on this server. */
export function logKinds(account: Account, sandbox: boolean): number[] {
  return [...transferKinds(account), ...(account === 'change' ? [51, 53, 50, 52, 200, 99, 100, 101, 201] : []), ...(sandbox ? [210] : [])];
}

const YEAR = 366 * 86_400_000;

/** From the first instant of a day to the last of another, `2026-11-22`; undefined for more than a statement can hold. */
export function statementSpan(from: string, to: string): { from_ms: number; to_ms: number } | undefined {
  const [from_ms, to_ms] = [Date.parse(`${from}T00:00`), Date.parse(`${to}T23:59:59.999`)];
  return from_ms <= to_ms && to_ms - from_ms <= YEAR ? { from_ms, to_ms } : undefined;
}

// ---- paper money ------------------------------------------------------------

export interface Reason {
  text: Key;
  values?: Values;
}

/** Most a single request may ask for. */
export function paperLimit(code: string): Amount {
  if (code === 'BTC') return amount('100');
  if (code === 'ETH') return amount('1000');
  return amount('1000000');
}

/** Amounts offered as chips. */
export function paperAmounts(code: string): Amount[] {
  const texts = code === 'BTC' ? ['0.1', '1', '10'] : code === 'ETH' ? ['1', '10', '100'] : ['1000', '10000', '100000'];
  return texts.map(amount);
}

/** Why paper money cannot be asked for, in the server's order; figures are added by the screen. */
export function paperReason(parsed: Parsed, code: string, scale: number): Reason | null {
  if (!parsed.ok) {
    if (parsed.reason === 'empty') return { text: 'assets.needAmount' };
    if (parsed.reason === 'scale') return { text: 'assets.scale', values: { code, scale } };
    return { text: 'errors.E_AMOUNT' };
  }
  if (sign(parsed.value) <= 0) return { text: 'assets.needAmount' };
  return cmp(parsed.value, paperLimit(code)) > 0 ? { text: 'assets.paperMax' } : null;
}
