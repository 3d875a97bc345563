import { amount, format } from '../../lib/money';
import { clock, dateTime, deviceZone } from '../../lib/time';
import type { PeriodName } from './candles';

/** Time of a candle: of the day, or the UTC day itself. */
export function candleTime(locale: string, period: PeriodName) {
  const daily = ['1day', '1week', '1mon'].includes(period);
  // Candles of a day and longer are UTC days.
  const day = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, { day: 'numeric', month: 'short', timeZone: daily ? 'UTC' : deviceZone(), ...(period === '1mon' && { day: undefined, year: 'numeric' }) });
  return (timestamp: number, axis: boolean) => (daily ? day.format(timestamp) : axis ? clock(timestamp, locale) : dateTime(timestamp, locale));
}

/** A chart figure as text, cut to the market's decimals. */
export const chartFigure = (value: number, digits: number, locale: string) => format(amount(value.toFixed(8)), locale, { kind: 'price', min: digits, max: digits });
