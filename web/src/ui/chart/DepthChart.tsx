import { t, useLocale } from '../../lib/i18n';
import { chartFigure } from './chartText';
import { depthCurve, pathOf, type Row } from './depthCurve';
import css from './Chart.module.css';

interface Props {
  symbol: string;
  /** Code of the base coin. */
  unit: string;
  bids: readonly Row[];
  asks: readonly Row[];
  /** Decimals of prices and of quantities. */
  digits: number;
  quantityDigits: number;
}

const [WIDTH, HEIGHT] = [400, 150];

/** The order book as two curves that meet at the present price. */
export function DepthChart({ symbol, unit, bids, asks, digits, quantityDigits }: Props) {
  const locale = useLocale();
  const curve = depthCurve(bids, asks);
  const price = (value: number) => chartFigure(value, digits, locale);
  const quantity = (value: number) => chartFigure(value, quantityDigits, locale);
  const summary = t('trade.depthSummary', { symbol, unit, bids: quantity(curve.bids.at(-1)?.sum ?? 0), asks: quantity(curve.asks.at(-1)?.sum ?? 0), low: price(curve.low), high: price(curve.high) });
  const sides = [
    { side: curve.bids, tone: 'up' },
    { side: curve.asks, tone: 'down' },
  ] as const;
  return (
    <div className={css.depth}>
      <p className="lab t2">{t('trade.depthNote')}</p>
      <p className={`${css.depthFull} num`}>
        {quantity(curve.full)} {unit}
      </p>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={summary}>
        <path d={`M0 .5H${WIDTH}`} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
        {sides.map(({ side, tone }) => {
          const path = pathOf(side, curve, WIDTH, HEIGHT);
          return (
            path && (
              <g key={tone}>
                <path d={`${path}V${HEIGHT}Z`} fill={`var(--${tone}-soft)`} />
                <path d={path} fill="none" stroke={`var(--${tone})`} strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
              </g>
            )
          );
        })}
      </svg>
      <p className={`${css.depthPrices} num`} aria-hidden="true">
        <span>{price(curve.low)}</span>
        <span>{price(curve.middle)}</span>
        <span>{price(curve.high)}</span>
      </p>
    </div>
  );
}
