import type { OptionOrder } from '../generated/api';
import { t, useLocale } from '../lib/i18n';
import { href } from '../lib/nav';
import { dateTime } from '../lib/time';
import { amountText, PairName } from './Figures';
import { SideTag, StatusChip, type Direction } from './Status';
import css from './OptionRow.module.css';

const SIDES: Readonly<Record<OptionOrder['type'], { direction: Direction; word: 'options.up' | 'options.down' | 'options.even' }>> = {
  1: { direction: 'up', word: 'options.up' },
  2: { direction: 'down', word: 'options.down' },
  0: { direction: 'even', word: 'options.even' },
};
export const OptionSide = ({ type }: { type: OptionOrder['type'] }) => <SideTag direction={SIDES[type].direction}>{t(SIDES[type].word)}</SideTag>;

const RESULTS = { open: 'options.running', won: 'options.won', lost: 'options.lost', push: 'options.push', refunded: 'options.refunded' } as const;

interface Props {
  option: OptionOrder;
  /** The instant that its list is ordered by: the purchase, unless another is given. */
  at?: number;
}

/** One option in a list, with a link to its receipt. Wins and losses look alike. */
export function OptionRow({ option, at = option.created_at_ms }: Props) {
  const locale = useLocale();
  const { id, type, result, number, currency_name: code, fact_profits: net } = option;
  return (
    <a className={css.row} href={href('option/detail', { order: id })}>
      <span className={css.line}>
        <span className="b">
          <PairName symbol={option.symbol_name} />
        </span>
        <OptionSide type={type} />
        <span className="num b right grow">{net === null ? amountText({ value: number, code }, locale) : amountText({ value: net, code, kind: 'result', signed: true }, locale)}</span>
      </span>
      <span className={css.line}>
        <StatusChip tone={result === 'open' ? 'info' : 'done'} {...(result === 'lost' && { icon: 'close' as const })}>{t(RESULTS[result])}</StatusChip>
        <span className="cap t3 num right grow">{dateTime(at, locale)}</span>
      </span>
    </a>
  );
}
