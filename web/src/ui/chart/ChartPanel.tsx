import { useQuery } from '@tanstack/react-query';
import { memo, useEffect, useEffectEvent, useRef, useState } from 'react';
import { create } from 'zustand';
import { PERIODS, type Candle, type CandleSource, type PeriodName } from '../../lib/candles';
import { fetchCode } from '../../lib/code';
import { t, useLocale } from '../../lib/i18n';
import type { PriceLine } from '../../lib/priceLines';
import { Button } from '../Button';
import { Periods } from '../Choice';
import { priceText } from '../Figures';
import { Icon } from '../Icon';
import * as icons from '../icons';
import { SkeletonRows } from '../ListState';
import type { ChartHandle } from './chart';
import { candleTime, chartFigure } from './chartText';
import css from './Chart.module.css';

type State = 'loading' | 'ready' | 'empty' | 'failed';
/** The period a person chose stays for the next pair. */
const usePeriod = create<{ period: PeriodName }>(() => ({ period: '30min' }));

interface Props {
  symbol: string;
  digits: number;
  candles: CandleSource;
  /** Rising candles are drawn hollow. */
  hollow: boolean;
  table: boolean;
  /** One sentence for screen readers; the lines are added to it. */
  summary: string;
  /** Prices to mark. New ones are drawn without a new chart. */
  lines?: readonly PriceLine[];
  /** Takes the whole height it is given. */
  fill?: boolean;
  /** Shows the chart on the full screen; without it no button offers that. */
  onExpand?: () => void;
  /** Keeps the place while the chart is shown elsewhere. */
  away?: boolean;
}

function Legend({ point, digits, period }: { point: Candle | null; digits: number; period: PeriodName }) {
  const locale = useLocale();
  if (!point) {
    return (
      <p className={css.legend}>
        <i />
        {t(period === 'timeline' ? 'trade.chart.line' : 'trade.chart.ma')}
      </p>
    );
  }
  const figure = (value: number) => chartFigure(value, digits, locale);
  return (
    <p className={`${css.legend} num`}>
      {t('trade.chart.point', {
        time: candleTime(locale, period)(point.timestamp, false),
        open: figure(point.open),
        high: figure(point.high),
        low: figure(point.low),
        close: figure(point.close),
        volume: chartFigure(point.volume, 4, locale),
      })}
    </p>
  );
}

/** Pan and zoom without a drag or a pinch, and the full screen. */
function Buttons({ chart, onExpand }: { chart: () => ChartHandle | undefined; onExpand?: (() => void) | undefined }) {
  const actions = [
    { icon: 'back', label: t('trade.chart.older'), run: () => chart()?.pan(10) },
    { icon: icons.minus, label: t('trade.chart.out'), run: () => chart()?.zoom(0.8) },
    { icon: icons.plus, label: t('trade.chart.in'), run: () => chart()?.zoom(1.25) },
    { icon: 'forward', label: t('trade.chart.newer'), run: () => chart()?.pan(-10) },
  ] as const;
  return (
    <div className={css.tools}>
      {actions.map(({ icon, label, run }) => (
        <button key={icon} type="button" aria-label={label} onClick={run}>
          <Icon name={icon} size={16} />
        </button>
      ))}
      {onExpand && (
        <button type="button" aria-label={t('trade.chart.full')} aria-haspopup="dialog" onClick={onExpand}>
          <Icon name={icons.expand} size={16} />
        </button>
      )}
    </div>
  );
}

const NONE: readonly PriceLine[] = [];

/** The drawing code and its library, fetched side by side. */
const code = () => import('./chart');
const library = () => import('klinecharts');
const drawing = () => Promise.all([fetchCode(code), fetchCode(library)]);

function Canvas({ symbol, digits, candles, hollow, period, summary, lines = NONE, onExpand, away = false }: Omit<Props, 'table' | 'fill'> & { period: PeriodName }) {
  const locale = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ChartHandle | undefined>(undefined);
  const [state, setState] = useState<State>('loading');
  const [point, setPoint] = useState<Candle | null>(null);
  const [attempt, setAttempt] = useState(0);
  const told = useEffectEvent((next: State) => setState(next));
  const mounted = useEffectEvent((handle: ChartHandle | undefined) => {
    chart.current = handle;
    handle?.setLines(lines);
  });
  useEffect(() => chart.current?.setLines(lines), [lines]);

  useEffect(() => {
    const container = box.current;
    if (!container || away) return;
    const control = new AbortController();
    const feed = candles.of(period);
    const alive = <T,>(run: (value: T) => void) => (value: T) => {
      if (!control.signal.aborted) run(value);
    };
    told('loading');
    drawing()
      .then(([{ mountChart }, klinecharts]) => mountChart(klinecharts, container, { feed, period, symbol, digits, hollow, locale, onPoint: alive(setPoint), onState: alive(told) }, control.signal))
      .then(
        (handle) => {
          if (control.signal.aborted) handle?.destroy();
          else mounted(handle);
        },
        alive(() => told('failed')),
      );
    return () => {
      control.abort();
      chart.current?.destroy();
      chart.current = undefined;
    };
  }, [symbol, period, candles, digits, hollow, locale, attempt, away]);

  return (
    <div className={css.frame}>
      <Legend point={point} digits={digits} period={period} />
      <Buttons chart={() => chart.current} onExpand={onExpand} />
      <div ref={box} className={css.canvas} role="img" aria-label={[summary, ...lines.map(({ label, price }) => `${label} ${priceText(price, digits, locale)}`)].join(' ')} />
      {state === 'loading' && <div className={css.shimmer} aria-hidden="true" />}
      {state === 'empty' && <p className={css.over}>{t('trade.chart.empty')}</p>}
      {state === 'failed' && (
        <div className={css.over} role="alert">
          <p>{t('trade.chart.failed')}</p>
          <Button small onClick={() => setAttempt(attempt + 1)}>
            {t('ui.tryAgain')}
          </Button>
        </div>
      )}
    </div>
  );
}

const ROWS = 20;

/** The last 20 candles as a table. */
function CandleTable({ digits, candles, period }: Pick<Props, 'digits' | 'candles'> & { period: PeriodName }) {
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
          {query.data
            .slice(-ROWS)
            .toReversed()
            .map((candle) => (
              <tr key={candle.timestamp}>
                <th scope="row">{time(candle.timestamp, true)}</th>
                <td>{figure(candle.open)}</td>
                <td>{figure(candle.high)}</td>
                <td>{figure(candle.low)}</td>
                <td>{figure(candle.close)}</td>
                <td>{chartFigure(candle.volume, 4, locale)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

/** Periods and the chart, or its table. */
export const ChartPanel = memo(function ChartPanel({ fill = false, table, ...chart }: Props) {
  useLocale();
  const { period } = usePeriod();
  return (
    <section className={fill ? `${css.panel} ${css.fill}` : css.panel} aria-label={t('trade.chart.title')}>
      <div className={css.periods}>
        <Periods label={t('trade.chart.period')} value={period} onValue={(next) => usePeriod.setState({ period: next })} options={PERIODS.map(({ value, label }) => ({ value, label: t(label) }))} />
      </div>
      {table ? <CandleTable {...chart} period={period} /> : <Canvas {...chart} period={period} />}
    </section>
  );
});
