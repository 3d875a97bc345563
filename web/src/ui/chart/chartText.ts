import { amount, format } from '../../lib/money';
import { clock, dateTime, formatter } from '../../lib/time';
import type { Candle, PeriodName } from '../../lib/candles';

/** Candles of a day and longer are UTC days. */
export const isDaily = (period: PeriodName) => ['1day', '1week', '1mon'].includes(period);

/** Time of a candle: the time of day, or the UTC day itself. */
export function candleTime(locale: string, period: PeriodName) {
  const daily = isDaily(period);
  const day = formatter(locale, { month: 'short', timeZone: 'UTC', ...(period === '1mon' ? { year: 'numeric' } : { day: 'numeric' }) });
  return (timestamp: number, axis: boolean) => (daily ? day.format(timestamp) : axis ? clock(timestamp, locale) : dateTime(timestamp, locale));
}

/** A chart figure as text, truncated to the market's decimals. */
export const chartFigure = (value: number, digits: number, locale: string) => format(amount(value.toFixed(8)), locale, { kind: 'price', min: digits, max: digits });

/** Traded volume of a candle; unknown for those before our first sample. */
export const volumeFigure = ({ volume, past }: Candle, locale: string) => (past ? '–' : chartFigure(volume, 4, locale));
