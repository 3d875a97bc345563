import { amount, format } from '../../lib/money';
import { clock, dateTime, formatter } from '../../lib/time';
import type { PeriodName } from '../../lib/candles';

/** Time of a candle: of the day, or the UTC day itself. */
export function candleTime(locale: string, period: PeriodName) {
  const daily = ['1day', '1week', '1mon'].includes(period);
  // Candles of a day and longer are UTC days.
  const day = formatter(locale, { month: 'short', timeZone: 'UTC', ...(period === '1mon' ? { year: 'numeric' } : { day: 'numeric' }) });
  return (timestamp: number, axis: boolean) => (daily ? day.format(timestamp) : axis ? clock(timestamp, locale) : dateTime(timestamp, locale));
}

/** A chart figure as text, cut to the market's decimals. */
export const chartFigure = (value: number, digits: number, locale: string) => format(amount(value.toFixed(8)), locale, { kind: 'price', min: digits, max: digits });
