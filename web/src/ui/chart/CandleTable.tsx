import { useQuery } from '@tanstack/react-query';
import { pastEnd, type CandleSource, type PeriodName } from '../../lib/candles';
import { t, useLocale } from '../../lib/i18n';
import { Button } from '../Button';
import { SkeletonRows } from '../ListState';
import { candleTime, chartFigure, volumeFigure } from './chartText';
import css from './Chart.module.css';
import { gapsIn } from './missing';
import { ChartNotes } from './Notes';

const ROWS = 20;

/** The last 20 candles as a table. */
export default function CandleTable({ digits, candles, period }: { digits: number; candles: CandleSource; period: PeriodName }) {
  const locale = useLocale();
  const query = useQuery({ queryKey: ['candles', candles.key, period], queryFn: () => candles.of(period).newest(), refetchInterval: 5_000 });
  if (query.isError && !query.data) {
    return (
      <div className={css.failed} role="alert">
        <p>{t('trade.chart.failed')}</p>
        <Button small onClick={() => void query.refetch()}>
          {t('ui.tryAgain')}
        </Button>
      </div>
    );
  }
  if (!query.data) return <SkeletonRows rows={4} />;
  const figure = (value: number) => chartFigure(value, digits, locale);
  const time = candleTime(locale, period);
  const rows = query.data.slice(-ROWS);
  const gaps = candles.of(period).steady ? gapsIn(rows, period) : [];
  return (
    // The table scrolls sideways on a narrow phone, also by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={css.table} tabIndex={0} role="region" aria-label={t('trade.chart.table')}>
      <table>
        <thead>
          <tr>
            {(['time', 'open', 'high', 'low', 'close', 'volume'] as const).map((name) => (
              <th key={name} scope="col">
                {t(`trade.chart.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="num">
          {rows.toReversed().map((candle) => (
            <tr key={candle.timestamp}>
              <th scope="row">{time(candle.timestamp, true)}</th>
              <td>{figure(candle.open)}</td>
              <td>{figure(candle.high)}</td>
              <td>{figure(candle.low)}</td>
              <td>{figure(candle.close)}</td>
              <td>{volumeFigure(candle, locale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ChartNotes of={candles} past={pastEnd(rows)} gaps={gaps} period={period} />
    </div>
  );
}
