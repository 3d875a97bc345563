import type { Position } from '../../generated/api';
import { sideOf } from '../../lib/position';
import { CoinDisc } from '../../ui/Figures';
import { SideTag } from '../../ui/Status';
import { baseOf, positionSide, sizeText } from '../../ui/positionText';
import css from './Contracts.module.css';

/** Pair, size and side, at the top of a sheet about one position. */
export const PositionHead = ({ position }: { position: Position }) => (
  <div className={css.what}>
    <CoinDisc code={baseOf(position)} />
    <div className="grow">
      <div className="b">{position.symbol}</div>
      <div className="lab t2 num">{sizeText(position)}</div>
    </div>
    <SideTag direction={sideOf(position) === 'long' ? 'up' : 'down'}>{positionSide(position)}</SideTag>
  </div>
);
