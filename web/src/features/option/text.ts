import type { OptionOrder } from '../../generated/api';
import { locale, t, type Key } from '../../lib/i18n';
import { amount, format, formatPercent, make, rescale, trim, type Amount } from '../../lib/money';
import { closedText } from '../../ui/closedText';
import { amountText } from '../../ui/Figures';
import type { Tone } from '../../ui/Status';
import { band, type Direction, type Draft, type Reason } from './model';

/** Texts about options: the same in the dock, the sheet, the rows and the receipt. */

const SIDES = { 1: 'options.up', 2: 'options.down', 0: 'options.even' } as const;
export const sideText = (direction: Direction) => t(SIDES[direction]);

export const costText = (value: Amount | string | undefined, code: string) => amountText({ value, code, kind: 'cost' }, locale());
export const balanceText = (value: Amount | string | undefined, code: string) => amountText({ value, code }, locale());
export const resultText = (value: Amount | string | undefined, code: string, bare = false) => amountText({ value, code, kind: 'result', signed: true, bare }, locale());
export const percentText = (percent: string | Amount, min = 0) => formatPercent(typeof percent === 'string' ? trim(amount(percent)) : percent, locale(), { min, max: 4 });
export const countText = (n: number) => format(make(BigInt(n), 0), locale());

/** Half the width of the even band. Prices are on ticks, so a fraction below the tick decides nothing. */
export function bandText(open: string, tolerance: string): string {
  const price = amount(open);
  return format(rescale(band(price, tolerance), price.scale), locale(), { min: price.scale });
}

const pad = (n: number) => String(n).padStart(2, '0');
/** 1:52, or 1:01:52; a begun second counts. */
export function leftText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours ? `${hours}:${pad(minutes)}` : minutes}:${pad(seconds % 60)}`;
}

/** 60 s, 5 min, 1 h, in the reader's language. */
export function lengthText(seconds: number): string {
  const [value, unit] = seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : seconds > 120 && seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'short', numberingSystem: 'latn' }).format(value);
}

/** Why nothing can be bought; fits the main button and the line below a field. */
export function reasonText({ name, value }: Reason, draft: Draft, pair: string): string {
  const code = draft.coin.code;
  switch (name) {
    case 'country':
    case 'unknown':
    case 'identity':
    case 'frozen':
      return closedText(name);
    case 'guest':
    case 'offline':
    case 'stale':
    case 'empty':
    case 'format':
      return t(`trade.reason.${name}` as Key);
    case 'decimals':
      return t('trade.reason.decimals', { unit: code, most: amount(draft.coin.min).scale });
    case 'insufficient':
      return t('trade.reason.insufficient', { quote: code, more: amountText({ value, code, kind: 'cost', bare: true }, locale()) });
    case 'min':
    case 'max':
      return t(`options.${name}`, { amount: balanceText(value && trim(value, 2), code) });
    case 'tooMany':
      return t('options.tooMany', { max: countText(draft.coin.mostRunning) });
    case 'paused':
      return t('options.paused', { pair });
    case 'duration':
      return t('options.chooseEnd');
    case 'ownLimit':
      return t('errors.E_SELF_LIMIT');
  }
}

export function stateOf(option: OptionOrder): { tone: Tone; text: string } {
  if (option.status === 1) return { tone: 'info', text: t('options.running') };
  const texts = { won: 'options.won', lost: 'options.lost', push: 'options.push', refunded: 'options.refunded', open: 'options.running' } as const;
  return { tone: 'done', text: t(texts[option.result]) };
}

/** One plain sentence on why it ended as it did. */
export function whyText(option: OptionOrder, difference: string | undefined, band: string): string {
  const direction = sideText(option.type);
  const values = { direction, difference: difference ?? '', band };
  if (option.result === 'refunded') return t('options.whyRefunded', values);
  if (option.result === 'push') return t('options.whyPush', values);
  const end = option.outcome === 1 ? 'Up' : option.outcome === 2 ? 'Down' : 'Even';
  return t(option.result === 'won' ? `options.whyWon${end}` : `options.whyLost${end}`, values);
}
