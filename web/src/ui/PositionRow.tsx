import type { Position } from '../generated/api';
import { useLocale } from '../lib/i18n';
import { netOf, sideOf } from '../lib/position';
import { dateTimes } from '../lib/time';
import { CoinDisc, Result } from './Figures';
import { Row } from './Layout';
import { baseOf, positionSide, quoteOf, sizeText, stateOf, whyText } from './positionText';
import { Arrow } from './Status';
import css from './PositionRow.module.css';

/** Pair and side, at the start of a row. */
export const PositionTitle = ({ position }: { position: Position }) => (
  <span className={css.title}>
    {position.symbol}
    <span className={`lab flex gap1 ${sideOf(position) === 'long' ? 'up' : 'down'}`}>
      <Arrow direction={sideOf(position) === 'long' ? 'up' : 'down'} />
      {positionSide(position)}
    </span>
  </span>
);


/** A position or order in a list: when it began and ended, what it was, how it ended, and its result. */
export function PositionRow({ position, href, onOpen }: { position: Position; href?: string; onOpen?: () => void }) {
  const locale = useLocale();
  const net = netOf(position);
  const { create_time_ms: from, complete_time_ms: to } = position;
  return (
    <Row
      lead={<CoinDisc code={baseOf(position)} />}
      title={<PositionTitle position={position} />}
      sub={`${dateTimes(from, to ?? from, locale)}. ${whyText(position) ?? sizeText(position)}`}
      value={net && <Result value={net} code={quoteOf(position)} bare />}
      valueSub={<span className="t2">{stateOf(position).text}</span>}
      {...(href && { href })}
      {...(onOpen && { onClick: onOpen })}
    />
  );
}
