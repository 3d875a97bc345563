import type { AppConfig } from '../../generated/api';
import * as money from '../../lib/money';
import { ACCOUNTS, CONTRACTS, SPOT } from '../../lib/wire';
import type { Fields, Json } from '../api';
import { accountWord, isMap, label, shown } from './values';

/** New coins and pairs: the errors in the form, what is sent, and what two operators sign in words. */

export type Form = Readonly<Record<string, string>>;
export type Listed = Pick<AppConfig, 'currencies' | 'markets' | 'index'>;
/** Errors by field. A field without one is fine, and an empty text means that it is only missing. */
export type Problems = Readonly<Record<string, string>>;

const PRICE_DECIMALS = 8;
const PERCENT_DECIMALS = 6;
const CODE = /^[A-Z0-9]{2,12}$/;
const MISSING = 'Missing';

export const newCoin: Form = { code: '', scale: '6', faucet_max: '1000', [SPOT]: '1' };
/** Accounts a coin can be admitted to besides the spot account, which it always has. */
export const OTHER_ACCOUNTS = ACCOUNTS.filter((account) => account !== SPOT);

const isMultiple = (value: money.Amount, step: money.Amount): boolean => {
  const scale = Math.max(value.scale, step.scale);
  const [a, b] = [money.rescale(value, scale).units, money.rescale(step, scale).units];
  return b !== 0n && a % b === 0n;
};

/** A typed figure: its value, or its error. */
function figure(text: string, decimals: number, zero = false): money.Amount | string {
  const read = money.parseInput(text, 'en', decimals);
  if (!read.ok) return read.reason === 'empty' ? MISSING : read.reason === 'scale' ? `At most ${decimals} decimals` : 'Not a number. Write 0.01 or 1,000';
  return money.isZero(read.value) && !zero ? 'More than 0' : read.value;
}

export function coinProblems(form: Form, { currencies }: Listed): Problems {
  const code = (form.code ?? '').trim();
  const found: Record<string, string> = {};
  if (!code) found.code = MISSING;
  else if (!CODE.test(code)) found.code = '2 to 12 capital letters and digits';
  else if (currencies.some((coin) => coin.code === code)) found.code = `${code} is listed already`;
  const most = figure(form.faucet_max ?? '', parseInt(form.scale ?? '0', 10), true);
  if (typeof most === 'string') found.faucet_max = most;
  return found;
}

const wire = (text: string | undefined): string => {
  const read = money.parseInput(text ?? '', 'en', PRICE_DECIMALS);
  return read.ok ? money.wire(money.trim(read.value)) : '';
};

export const coinValues = (form: Form): Fields => ({
  code: (form.code ?? '').trim(),
  scale: parseInt(form.scale ?? '0', 10),
  accounts: ACCOUNTS.filter((account) => account === SPOT || form[account] === '1'),
  faucet_max: wire(form.faucet_max),
});

/** Initial values of a new pair: the fees and bands of the first listed pair, and the order values of one with the same quote. */
export function newPair({ currencies, markets }: Listed): Form {
  const quote = currencies.find((coin) => coin.code === 'USDT') ?? currencies[0];
  const model = markets.find((market) => market.legal_id === quote?.id) ?? markets[0];
  const plain = (text: string | undefined) => (text ? money.wire(money.trim(money.amount(text))) : '');
  return {
    base: '',
    quote: quote?.code ?? '',
    tick: '',
    step: '',
    min_qty: '',
    max_qty: '',
    min_notional: plain(model?.min_notional),
    max_notional: plain(model?.max_notional),
    maker_fee: plain(model?.maker_fee),
    taker_fee: plain(model?.taker_fee),
    buy_low: plain(model?.band_buy[0]),
    buy_high: plain(model?.band_buy[1]),
    sell_low: plain(model?.band_sell[0]),
    sell_high: plain(model?.band_sell[1]),
    first: 'issue',
    issue_price: '',
    index_tick: '',
  };
}

/** The selected price sources. */
export const chosen = (form: Form, { index }: Listed): string[] => index.sources.filter((name) => form[`source.${name}`] === '1');

export function pairProblems(form: Form, listed: Listed): Problems {
  const { currencies, markets, index } = listed;
  const coin = (code: string | undefined) => currencies.find((one) => one.code === code);
  const [base, quote] = [coin(form.base), coin(form.quote)];
  const found: Record<string, string> = {};
  const read = (name: string, decimals: number, zero = false): money.Amount | undefined => {
    const value = figure(form[name] ?? '', decimals, zero);
    if (typeof value !== 'string') return value;
    found[name] = value;
    return undefined;
  };
  if (!base) found.base = 'Choose a coin';
  else if (base === quote) found.quote = 'Another coin than the traded one';
  else if (markets.some((market) => market.currency_id === base.id && market.legal_id === quote?.id)) found.base = `${form.base}/${form.quote} is listed already`;
  const [quantities, values] = [base?.scale ?? PRICE_DECIMALS, quote?.scale ?? PRICE_DECIMALS];
  const [tick, step] = [read('tick', PRICE_DECIMALS), read('step', quantities)];
  if (tick && step && money.trim(money.mul(tick, step)).scale > values) found.step = `One step at one price step must be worth whole units of ${form.quote}: at most ${values} decimals`;
  const ordered = (low: string, high: string, decimals: number, zero = false) => {
    const [least, most] = [read(low, decimals, zero), read(high, decimals)];
    if (least && most && money.cmp(least, most) > 0) found[high] = 'Not below the smallest';
    return [least, most] as const;
  };
  const [least, most] = ordered('min_qty', 'max_qty', quantities);
  if (step && least && !isMultiple(least, step)) found.min_qty = 'A multiple of the quantity step';
  if (step && most && !isMultiple(most, step)) found.max_qty = 'A multiple of the quantity step';
  ordered('min_notional', 'max_notional', values);
  ordered('buy_low', 'buy_high', PERCENT_DECIMALS, true);
  ordered('sell_low', 'sell_high', PERCENT_DECIMALS, true);
  for (const name of ['maker_fee', 'taker_fee']) {
    const fee = read(name, PERCENT_DECIMALS, true);
    if (fee && money.cmp(fee, money.amount('100')) > 0) found[name] = 'At most 100 %';
  }
  if (form.first === 'index') {
    read('index_tick', PRICE_DECIMALS);
    if (chosen(form, listed).length < index.quorum) found.sources = `Choose at least ${index.quorum} sources`;
  } else {
    const price = read('issue_price', PRICE_DECIMALS);
    if (price && tick && !isMultiple(price, tick)) found.issue_price = 'A multiple of the price step';
  }
  return found;
}

export function pairValues(form: Form, listed: Listed): Fields {
  const names = ['tick', 'step', 'min_qty', 'max_qty', 'min_notional', 'max_notional', 'maker_fee', 'taker_fee'];
  return {
    symbol: `${form.base}/${form.quote}`,
    base: form.base ?? '',
    quote: form.quote ?? '',
    ...Object.fromEntries(names.map((name) => [name, wire(form[name])])),
    band_buy: [wire(form.buy_low), wire(form.buy_high)],
    band_sell: [wire(form.sell_low), wire(form.sell_high)],
    ...(form.first === 'index' ? { index_tick: wire(form.index_tick), sources: chosen(form, listed) } : { issue_price: wire(form.issue_price) }),
  };
}

export interface Words {
  /** What happens: "List the pair TOK/USDT". */
  title: string;
  /** The decisive figure, large. */
  first: string;
  lines: (readonly [name: string, text: string])[];
}

const exact = (value: Json | undefined): string => (typeof value === 'string' ? money.format(money.amount(value), 'en') : shown(value));
const range = (value: Json | undefined): string => (Array.isArray(value) ? `${exact(value[0])} % to ${exact(value[1])} %` : shown(value));

/** A listing in words, the decisive figures first; undefined for other proposals. */
export function inWords(values: Fields): Words | null {
  if (!isMap(values) || (values.kind !== 'coin' && values.kind !== 'pair')) return null;
  if (values.kind === 'coin') {
    const code = shown(values.code);
    const accounts = Array.isArray(values.accounts) ? values.accounts : [];
    const scale = typeof values.scale === 'number' ? values.scale : 0;
    return {
      title: `List the coin ${code}`,
      first: `${code}, ${scale} decimals`,
      lines: [
        ['Smallest amount', `${scale ? `0.${'1'.padStart(scale, '0')}` : '1'} ${code}. Decimals never change later`],
        ['Accounts', accounts.map(accountWord).join(', ')],
        ['Deposits', 'Closed until a network is agreed on'],
        ...(accounts.includes(CONTRACTS) ? ([['Margin', `${code} can be margin of contracts`]] as const) : []),
      ],
    };
  }
  const [base, quote] = [shown(values.base), shown(values.quote)];
  const issued = values.issue_price !== undefined;
  return {
    title: `List the pair ${shown(values.symbol)}`,
    first: issued ? `Issue price ${exact(values.issue_price)} ${quote} for 1 ${base}` : `Priced by ${shown(values.sources)}`,
    lines: [
      ['First price', issued ? 'The issue price until the first trade, then the last trade. There is no index' : `The median of its sources, in steps of ${exact(values.index_tick)} ${quote}`],
      ['Price step', `${exact(values.tick)} ${quote}. It never changes later`],
      ['Quantity step', `${exact(values.step)} ${base}. It never changes later`],
      ['One order', `${exact(values.min_qty)} to ${exact(values.max_qty)} ${base}, worth ${exact(values.min_notional)} to ${exact(values.max_notional)} ${quote}`],
      ['Fees', `Maker ${exact(values.maker_fee)} %, taker ${exact(values.taker_fee)} %`],
      ['Buy orders', `${range(values.band_buy)} of the price`],
      ['Sell orders', `${range(values.band_sell)} of the price`],
      ...(issued && quote === 'USDT' ? ([['Withdrawals', `Members cannot withdraw ${base} while it has no index in ${quote}: the daily limit needs a price`]] as const) : []),
    ],
  };
}

/** Why a listing was refused, in words. */
export function refusedBecause(values: Fields, field: string | null, rule: string | null): string | null {
  if (field === null) return null;
  if (rule === 'repeated' && (field === 'code' || field === 'symbol')) return `${shown(values[field])} is listed already.`;
  if (rule === 'repeated' && field === 'id') return 'Another listing took its number. Propose it again.';
  return `${label(field)}: ${rule}.`;
}
