import type { CSSProperties } from 'react';
import type { PeriodName, VolumeOf } from '../../lib/candles';
import { t, useLocale } from '../../lib/i18n';
import type { Point } from './chart';
import { candleTime, chartFigure, volumeFigure } from './chartText';
import css from './Chart.module.css';
import { indicatorName, LINE_TOKENS, OVERLAYS, PANE_HEIGHT, type Overlay, type Pane } from './look';

/** A letter and its figure in one grid cell, so that they stay together. */
const Cell = ({ name, value, token }: { name: string; value: string; token?: string }) => (
  <div>
    <dt {...(token && { style: { color: `var(--${token})` } })}>{name}</dt>
    <dd>{value}</dd>
  </div>
);

interface Props {
  point: Point | null;
  digits: number;
  period: PeriodName;
  overlay: Overlay;
  pane: Pane;
  /** Unknown until there are candles. */
  volume: VolumeOf | undefined;
}

/** Names what is drawn; under a finger, with the figures there. */
export function Legend({ point, digits, period, overlay, pane, volume }: Props) {
  const locale = useLocale();
  const line = period === 'timeline';
  const volumeText = volume && t(volume === 'sources' ? 'trade.chart.volSources' : 'trade.chart.volTrades');
  const figure = (value: number) => chartFigure(value, digits, locale);
  const cells = point
    ? [
        { name: candleTime(locale, period)(point.candle.timestamp, false), value: '' },
        { name: t('trade.chart.letters.open'), value: figure(point.candle.open) },
        { name: t('trade.chart.letters.high'), value: figure(point.candle.high) },
        { name: t('trade.chart.letters.low'), value: figure(point.candle.low) },
        { name: t('trade.chart.letters.close'), value: figure(point.candle.close) },
        { name: t('trade.chart.letters.volume'), value: volumeFigure(point.candle, locale) },
        ...point.readings.map(({ title, value, token }) => ({ name: title, value: figure(value), token })),
      ]
    : [];
  const names = overlay === 'MA' || overlay === 'EMA' ? OVERLAYS[overlay].map((length) => `${overlay} ${length}`) : overlay === 'none' ? [] : [indicatorName(overlay)];
  return (
    <>
      {cells.length > 0 ? (
        <dl className={`${css.point} num`} style={{ '--letters': Math.max(...cells.map(({ name, value }) => name.length + value.length)) } as CSSProperties}>
          {cells.map((cell, n) => (
            <Cell key={n} {...cell} />
          ))}
        </dl>
      ) : (
        <p className={css.legend}>
          {(line ? [t('trade.chart.line')] : names).map((name, n) => (
            <span key={name}>
              <i style={{ background: `var(--${LINE_TOKENS[n] ?? 'accent'})` }} />
              {name}
            </span>
          ))}
        </p>
      )}
      {volumeText && (
        <p className={css.paneName} style={{ bottom: `calc(3rem + ${pane === 'none' ? 0 : PANE_HEIGHT}px)` }}>
          {volumeText}
        </p>
      )}
      {pane !== 'none' && (
        <p className={css.paneName} style={{ bottom: `calc(.25rem + ${PANE_HEIGHT}px)` }}>
          {indicatorName(pane)}
        </p>
      )}
    </>
  );
}
