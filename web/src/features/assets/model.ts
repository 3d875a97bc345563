import { DAY } from '../../lib/time';
import { ACCOUNTS, admits, SPOT, transferKinds, type Account } from '../../lib/wire';
import type { Coin, CoinCost, LogRow, MarketRules, WalletList, WalletRow } from '../../generated/api';
import type { Key, Values } from '../../lib/i18n';
import { abs, add, amount, cmp, div, isZero, mul, sign, sub, wire, zero, type Amount, type Parsed } from '../../lib/money';
import { freeOf, frozenOf, heldOf, worth, type AccountWorth, type PriceOf } from '../../lib/total';

export interface AccountLine extends AccountWorth {
  /** Whole percent of all accounts, rounded down; text for the locale's formatter. */
  percent: string;
}

/** The accounts with their shares of the total. */
export function accountLines(accounts: readonly AccountWorth[]): AccountLine[] {
  const whole = accounts.reduce((sum, { total }) => add(sum, total), zero());
  return accounts.map((account) => ({ ...account, percent: sign(whole) <= 0 || sign(account.total) <= 0 ? '0' : wire(div(mul(account.total, amount('100')), whole, 0)) }));
}

/** Whether some value is based on a price older than a minute; a coin without any price has no value. */
export const hasStalePrice = (wallet: WalletList) => ACCOUNTS.some((account) => wallet[`${account}_wallet`].balance.some((row) => row.price_stale === 1 && !isZero(amount(row.usdt_price)) && !isZero(amount(row.total))));

/** Whether a coin has the index price that conversions need; a coin launched here has none. */
export const hasIndex = (markets: readonly Pick<MarketRules, 'symbol' | 'index'>[], code: string) => code === 'USDT' || markets.some(({ symbol, index }) => symbol === `${code}/USDT` && index === 1);

export interface CoinLine {
  row: WalletRow;
  code: string;
  name: string;
  total: Amount;
  free: Amount;
  frozen: Amount;
  /** USDT for one, `0` without any price. */
  price: string;
  /** USDT; undefined without any price. */
  value: Amount | undefined;
}

/** Coins of the spot account at these prices, most valuable first; small ones are those under 1 USDT. */
export function coinLines(rows: readonly WalletRow[], coins: readonly Coin[], priceOf: PriceOf, hideSmall: boolean): CoinLine[] {
  return rows
    .map((row) => {
      const [total, price] = [heldOf(row, SPOT), priceOf(row.currency_name)];
      return {
        row,
        code: row.currency_name,
        name: coins.find((coin) => coin.id === row.currency)?.name ?? row.currency_name,
        total,
        free: freeOf(row, SPOT),
        frozen: frozenOf(row, SPOT),
        price,
        value: isZero(amount(price)) && !isZero(total) ? undefined : worth(total, price),
      };
    })
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
  /** Value less cost, USDT; undefined without a price or a known cost. */
  unrealised: Amount | undefined;
  /** The same in percent of the cost; undefined if the cost is zero. */
  percent: Amount | undefined;
  /** Profit of what was sold, USDT. */
  realised: Amount;
}

/** Cost and profit of a coin at this price of one in USDT, `0` without one. Value is rounded down as everywhere. */
export function profitOf(of: CoinCost, price: string): CoinProfit {
  const [quantity, cost] = [amount(of.quantity), amount(of.cost)];
  const unrealised = isZero(quantity) || isZero(amount(price)) ? undefined : sub(worth(quantity, price), cost);
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

/** The app's text for a kind of change; null where the server's own is shown. */
export function logKey(kind: number): Key | null {
  if (TRANSFERS.includes(kind)) return TRANSFERS.indexOf(kind) % 2 === 0 ? 'assets.log.transferIn' : 'assets.log.transferOut';
  return WORDS[kind] ?? null;
}

/** What one entry of the log changed in a coin of an account. */
export interface LogEvent {
  /** Its lines, newest first; one or more. */
  rows: LogRow[];
  /** The line that names the event. */
  main: LogRow;
  /** Change of the account's whole balance of the coin, or of the free part if one part only became the other. */
  value: Amount;
  /** The line with the balance after it: the newest of the free part, else of the frozen one. */
  last: LogRow;
  /** Change of that balance. Other than `value` if the event also froze or released something. */
  step: Amount;
}

/** Holds, releases and charges serve another event, which gives the name. */
const FOR_SOMETHING = [50, 52, 53];

const sum = (of: readonly LogRow[]) => of.reduce((all, { value }) => add(all, amount(value)), zero());

/** The line that names the event: of the kind that changed the balance most. A move between free and frozen changes nothing. */
function mainOf(lines: readonly LogRow[]): LogRow | undefined {
  const weight = ({ type }: LogRow) => abs(sum(lines.filter((line) => line.type === type)));
  const [heaviest] = lines.filter((line) => !isZero(weight(line))).toSorted((a, b) => cmp(weight(b), weight(a)));
  return heaviest ?? lines.find(({ type }) => !FOR_SOMETHING.includes(type)) ?? lines.at(-1);
}

/** Lines of one entry together; a single market order makes five. */
export function logEvents(rows: readonly LogRow[]): LogEvent[] {
  const together: LogRow[][] = [];
  for (const row of rows) {
    const open = together.at(-1);
    if (open?.[0]?.seq === row.seq) open.push(row);
    else together.push([row]);
  }
  return together.flatMap((lines) => {
    const [newest] = lines;
    if (!newest) return [];
    const free = lines.filter(({ part }) => part !== 'frozen');
    const all = sum(lines);
    const step = free[0] ? sum(free) : all;
    return [{ rows: lines, main: mainOf(lines) ?? newest, value: isZero(all) ? step : all, last: free[0] ?? newest, step }];
  });
}

/** Kinds that can occur in an account's log on this server. */
export function logKinds(account: Account, sandbox: boolean): number[] {
  return [...transferKinds(account), ...(account === 'change' ? [51, 53, 50, 52, 200, 99, 100, 101, 201] : []), ...(sandbox ? [210] : [])];
}

/** Kinds of lines without a text here, in the server's words: those of this account's products. */
export const otherKinds = (rows: readonly LogRow[]): { value: number; label: string }[] =>
  [...new Map(rows.filter(({ type }) => logKey(type) === null).map(({ type, info }) => [type, info]))].map(([value, label]) => ({ value, label }));

const YEAR = 366 * DAY;

/** From the first instant of one day to the last of another, `2026-11-22`; undefined if longer than a statement can be. */
export function statementSpan(from: string, to: string): { from_ms: number; to_ms: number } | undefined {
  const [from_ms, to_ms] = [Date.parse(`${from}T00:00`), Date.parse(`${to}T23:59:59.999`)];
  return from_ms <= to_ms && to_ms - from_ms <= YEAR ? { from_ms, to_ms } : undefined;
}

// ---- paper money ------------------------------------------------------------

export interface Reason {
  text: Key;
  values?: Values;
}

/** The most that a single request can ask for. */
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

/** Why paper money cannot be requested, in the server's order; the screen adds the figures. */
export function paperReason(parsed: Parsed, code: string, scale: number): Reason | null {
  if (!parsed.ok) {
    if (parsed.reason === 'empty') return { text: 'assets.needAmount' };
    if (parsed.reason === 'scale') return { text: 'assets.scale', values: { code, scale } };
    return { text: 'errors.E_AMOUNT' };
  }
  if (sign(parsed.value) <= 0) return { text: 'assets.needAmount' };
  return cmp(parsed.value, paperLimit(code)) > 0 ? { text: 'assets.paperMax' } : null;
}
