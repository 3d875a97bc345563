import type { PeriodName } from '../../lib/candles';
import { t, useLocale } from '../../lib/i18n';
import { clock, date, formatter } from '../../lib/time';
import { isDaily } from './chartText';
import css from './Chart.module.css';

/** Says of which candles our log knows nothing: those that start before `before`, ms. */
export function PastNote({ before, period }: { before: number | undefined; period: PeriodName }) {
  const locale = useLocale();
  if (before === undefined) return null;
  // With its year: a chart of days and weeks shows several.
  const time = isDaily(period)
    ? formatter(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(before)
    : `${date(before, locale)}, ${clock(before, locale)}`;
  return <p className={css.past}>{t('trade.chart.past', { time })}</p>;
}
