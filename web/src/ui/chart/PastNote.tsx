import type { PeriodName } from '../../lib/candles';
import { t, useLocale } from '../../lib/i18n';
import { candleTime } from './chartText';
import css from './Chart.module.css';

/** Says of which candles our log knows nothing: those that start before `before`, ms. */
export function PastNote({ before, period }: { before: number | undefined; period: PeriodName }) {
  const locale = useLocale();
  return before === undefined ? null : <p className={css.past}>{t('trade.chart.past', { time: candleTime(locale, period)(before, false) })}</p>;
}
