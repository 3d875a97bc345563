import { useQuery } from '@tanstack/react-query';
import type { CandleSource, Gap, LineSource, PeriodName } from '../../lib/candles';
import { t, useLocale } from '../../lib/i18n';
import { clock, date, formatter } from '../../lib/time';
import { isDaily } from './chartText';
import css from './Chart.module.css';

interface Props {
  of: Pick<CandleSource | LineSource, 'key' | 'sources'>;
  /** Where our own candles begin, ms, if candles of public venues precede them. */
  past?: number | undefined;
  gaps: readonly Gap[];
  /** Absent for the live line, whose times are those of its samples. */
  period?: PeriodName;
}

/** When the sources are read again, ms: sooner while none are known. */
const AGAIN = 30_000;
const UNKNOWN_AGAIN = 5_000;

/** A moment on a chart; with its year for days and weeks, which span several years. */
const moment = (at: number, period: PeriodName | undefined, locale: string) =>
  period && isDaily(period) ? formatter(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(at) : `${date(at, locale)}, ${clock(at, locale, !period)}`;

function Sources({ of: { key, sources } }: Pick<Props, 'of'>) {
  const locale = useLocale();
  const query = useQuery({ queryKey: ['chartSources', key], enabled: sources !== undefined, refetchInterval: ({ state }) => (state.data ? AGAIN : UNKNOWN_AGAIN), queryFn: async () => (await sources?.()) ?? null });
  const names = query.data;
  const text = () => {
    if (!sources) return t('journal.chart.trades');
    if (names === undefined) return query.isError ? t('journal.chart.unread') : '\u00a0';
    if (names === null) return t('journal.chart.none');
    return names.length === 0 ? t('journal.chart.computed') : t('journal.chart.index', { names: new Intl.ListFormat(locale).format(names) });
  };
  return <p className={css.past}>{text()}</p>;
}

/** Names the sources of the prices, the candles that our log does not contain, and the times without prices. */
export default function NoteLines({ of, past, gaps, period }: Props) {
  const locale = useLocale();
  const last = gaps.at(-1);
  return (
    <>
      <Sources of={of} />
      {past !== undefined && <p className={css.past}>{t('trade.chart.past', { time: moment(past, period, locale) })}</p>}
      {last && <p className={css.past}>{t(gaps.length === 1 ? 'journal.chart.gap' : 'journal.chart.gaps', { count: gaps.length, from: moment(last.from, period, locale), to: moment(last.to, period, locale) })}</p>}
    </>
  );
}
