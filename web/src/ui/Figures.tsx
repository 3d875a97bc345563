import { useLocale } from '../lib/i18n';
import { amount, format, formatPercent, rescale, sign, type Amount as Money, type Kind } from '../lib/money';
import { Icon, type IconName } from './Icon';
import { Arrow } from './Status';
import css from './Figures.module.css';

/** "Not available" is a dash, never a zero. */
export const UNKNOWN = '—';
export const HIDDEN = '••••';

/** Decimals shown for a coin: fewest and most. */
export function decimals(code: string, scale: number): { min: number; max: number } {
  if (code === 'USDT' || code === 'USDC' || code === 'USD') return { min: 2, max: 2 };
  return { min: Math.min(4, scale), max: scale };
}

export interface AmountProps {
  /** Wire text or an amount; undefined while unknown. */
  value: string | Money | undefined;
  /** Coin code, shown after the figure. */
  code?: string;
  kind?: Kind;
  /** Every decimal of the coin. */
  full?: boolean;
  /** Plus before gains, for changes and results. */
  signed?: boolean;
  /** Without the coin, which is shown elsewhere. */
  bare?: boolean;
  hidden?: boolean;
}

/** Text of an amount with its unit, rounded by its kind. */
export function amountText({ value, code = '', kind = 'balance', full = false, signed = false, bare = false }: Omit<AmountProps, 'hidden'>, locale: string): string {
  if (value === undefined) return UNKNOWN;
  const money = typeof value === 'string' ? amount(value) : value;
  const { min, max } = decimals(code, money.scale);
  const text = format(money, locale, { kind, min, max: full ? Math.max(money.scale, min) : max, sign: signed ? 'plus' : 'auto' });
  return code && !bare ? `${text}\u00a0${code}` : text;
}

export function Amount({ hidden = false, ...props }: AmountProps) {
  const locale = useLocale();
  return <span className="num">{hidden ? HIDDEN : amountText(props, locale)}</span>;
}

/** Large balance, with the fraction less prominent than the whole. */
export function BigAmount({ value, code, hidden = false }: { value: string | Money | undefined; code: string; hidden?: boolean }) {
  const locale = useLocale();
  if (hidden || value === undefined) {
    return (
      <span className={css.big}>
        {hidden ? HIDDEN : UNKNOWN}
        <small>{code}</small>
      </span>
    );
  }
  const text = amountText({ value, code, bare: true }, locale);
  const cut = /^(.*?)([.,]\d*)?$/.exec(text);
  return (
    <span className={`${css.big} ${text.length > 11 ? css.long : ''}`}>
      {cut?.[1]}
      <span>{cut?.[2]}</span>
      <small>{code}</small>
    </span>
  );
}

/** A market price at its tick, as sent. A zero means that there is none. */
export function priceText(value: string | null | undefined, digits: number | undefined, locale: string): string {
  if (!value) return UNKNOWN;
  const price = amount(value);
  if (sign(price) === 0) return UNKNOWN;
  const scale = digits ?? price.scale;
  return format(rescale(price, scale), locale, { kind: 'price', min: scale, max: scale });
}

export function Price({ value, digits }: { value: string | null | undefined; digits?: number | undefined }) {
  const locale = useLocale();
  return <span className="num">{priceText(value, digits, locale)}</span>;
}

const DECIMAL = /^[+-]?\d+(\.\d+)?$/;

/** Change in percent: arrow, sign, direction colour. */
export function Change({ percent }: { percent: string | null | undefined }) {
  const locale = useLocale();
  if (!percent || !DECIMAL.test(percent)) return <span className="t3">{UNKNOWN}</span>;
  const change = amount(percent);
  const direction = sign(change) > 0 ? 'up' : sign(change) < 0 ? 'down' : 'even';
  return (
    <span className={`num ${css.change} ${direction === 'even' ? 't2' : direction}`}>
      <Arrow direction={direction} />
      {formatPercent(change, locale, { kind: 'result', min: 2, max: 2, sign: 'plus' })}
    </span>
  );
}

/** Profit or loss in money: arrow, sign, colour; rounded against us, or with every decimal. */
export function Result({ value, code = '', full = false, bare = false, hidden = false }: { value: string | Money; code?: string; full?: boolean; bare?: boolean; hidden?: boolean }) {
  const locale = useLocale();
  if (hidden) return <span className="num">{HIDDEN}</span>;
  const money = typeof value === 'string' ? amount(value) : value;
  const direction = sign(money) > 0 ? 'up' : sign(money) < 0 ? 'down' : 'even';
  return (
    <span className={`num ${css.change} ${direction === 'even' ? 't2' : direction}`}>
      <Arrow direction={direction} />
      {amountText({ value: money, code, full, bare, kind: 'result', signed: true }, locale)}
    </span>
  );
}

/** Signs that device fonts may lack are drawn. */
const COINS: Record<string, readonly [sign: string | { path: IconName }, tint: string]> = {
  BTC: [{ path: 'M9 6v12M7 6h6.200a3 3 0 010 6H9M13.200 12h.6a3 3 0 010 6H7M10.500 6V3.800M13.500 6V3.800M10.500 18v2.200M13.500 18v2.200' }, 'btc'],
  ETH: [{ path: 'M6.500 6h11M8 12h8M6.500 18h11' }, 'eth'],
  USDT: [{ path: 'M6 5.500h12M12 5.500V19M8 13l8-3M8 16.500l8-3' }, 'usdt'],
  USDC: ['$', 'usdc'],
};
const SIGN = { sm: 16, md: 20, lg: 24 } as const;

/** Tinted disc with a currency sign or the first letter. */
export function CoinDisc({ code, size = 'md' }: { code: string; size?: 'sm' | 'md' | 'lg' }) {
  const [mark, tint] = COINS[code] ?? [code.slice(0, 1), 'other'];
  return (
    <span className={`${css.disc} ${css[size]} ${css[tint]}`} aria-hidden="true">
      {typeof mark === 'string' ? mark : <Icon name={mark.path} size={SIGN[size]} />}
    </span>
  );
}

/** BTC/USDT with the quote coin quieter. */
export function PairName({ symbol }: { symbol: string }) {
  const [base, quote] = symbol.split('/');
  return (
    <span>
      {base}
      <wbr />
      <span className="t3 m">/{quote}</span>
    </span>
  );
}
