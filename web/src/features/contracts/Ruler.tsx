import type { Position } from '../../generated/api';
import { t } from '../../lib/i18n';
import { amount, type Amount } from '../../lib/money';
import { liquidationOf } from '../../lib/position';
import { priceAt } from '../../ui/positionText';
import { placed, ruler, stopOf, takeOf } from './position';
import css from './Contracts.module.css';

const TEXT = { stop: 'contracts.sl', profit: 'contracts.tp' } as const;

/** Prices of a position, to scale: liquidation, stop-loss, take-profit, entry and present price. */
export function Ruler({ position, mark, gains }: { position: Position; mark: Amount; gains: boolean }) {
  const liquidation = liquidationOf(position);
  const marks = ruler({ liquidation, stop: stopOf(position), profit: takeOf(position), open: amount(position.price), now: mark });
  const at = (name: string) => marks.find((one) => one.name === name)?.at ?? 0;
  const [open, now] = [at('open'), at('now')];
  const label = t(liquidation ? 'contracts.ruler' : 'contracts.rulerNever', { liquidation: priceAt(liquidation), now: priceAt(mark), open: priceAt(position.price) });
  return (
    <div className={css.ruler} role="img" aria-label={label}>
      <i />
      <s className={gains ? css.gain : css.loss} style={{ left: `${Math.min(open, now) * 100}%`, width: `${Math.abs(now - open) * 100}%` }} />
      {marks.map(({ name, at: where }) => (
        <b key={name} className={name === 'liquidation' ? css.liquidation : name === 'open' ? css.open : name === 'now' ? css.now : undefined} style={{ left: `${where * 100}%` }} />
      ))}
      <span className={css.nowText} style={placed(now)}>
        {t('contracts.now')}
      </span>
      {liquidation && (
        <span className={css.liquidationText} style={placed(at('liquidation'))}>
          {t('contracts.liquidationShort', { price: priceAt(liquidation) })}
        </span>
      )}
      {marks.map(({ name, at: where }) =>
        // Beside liquidation, whose label takes 0.3 of the ruler, a stop keeps its mark, and its price in the figures.
        name === 'profit' || (name === 'stop' && (!liquidation || Math.abs(where - at('liquidation')) > 0.3)) ? (
          <span key={name} style={placed(where)}>
            {t(TEXT[name])}
          </span>
        ) : null,
      )}
    </div>
  );
}
