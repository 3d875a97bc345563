import { memo, useEffect, useEffectEvent, useRef, useState } from 'react';
import { PERIODS, type CandleSource, type Gap, type PeriodName, type VolumeOf } from '../../lib/candles';
import { fetchCode } from '../../lib/code';
import { t, useLocale } from '../../lib/i18n';
import { useConnected } from '../../lib/online';
import type { PriceLine } from '../../lib/priceLines';
import { clock } from '../../lib/time';
import { Button } from '../Button';
import { Periods } from '../Choice';
import { priceText } from '../Figures';
import { Icon } from '../Icon';
import * as icons from '../icons';
import { later } from '../Later';
import type { ChartHandle, Point } from './chart';
import css from './Chart.module.css';
import { Legend } from './Legend';
import { setLook, useLook } from './look';
import { ChartNotes } from './Notes';

type State = 'loading' | 'ready' | 'empty' | 'failed';

interface Props {
  symbol: string;
  digits: number;
  candles: CandleSource;
  /** Rising candles are drawn hollow. */
  hollow: boolean;
  table: boolean;
  /** One sentence for screen readers; the lines are appended to it. */
  summary: string;
  /** Prices to mark. Changes do not create a new chart. */
  lines?: readonly PriceLine[];
  /** Fills the height of its container. */
  fill?: boolean;
  /** Shows the chart full screen; without it there is no button for that. */
  onExpand?: () => void;
  /** Opens a price alert, with the price under the finger if there is one. */
  onAlert?: ((price: string | undefined) => void) | undefined;
  /** When the last price came, ms, if none has come for long; null if none ever came. */
  since?: number | null | undefined;
  /** Keeps its space while the chart is shown elsewhere. */
  away?: boolean;
}

/** Pan and zoom without a drag or a pinch, and the full screen. */
function Buttons({ chart, onExpand, onAlert }: { chart: () => ChartHandle | undefined; onExpand?: (() => void) | undefined; onAlert?: (() => void) | undefined }) {
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
      {onAlert && (
        <button type="button" aria-label={t('trade.setAlert')} aria-haspopup="dialog" onClick={onAlert}>
          <Icon name="bell" size={16} />
        </button>
      )}
      {onExpand && (
        <button type="button" aria-label={t('trade.chart.full')} aria-haspopup="dialog" onClick={onExpand}>
          <Icon name={icons.expand} size={16} />
        </button>
      )}
    </div>
  );
}

const NONE: readonly PriceLine[] = [];

/** The drawing code and its library, loaded in parallel. */
const code = () => import('./chart');
const library = () => import('klinecharts');
const drawing = () => Promise.all([fetchCode(code), fetchCode(library)]);

function Canvas({ symbol, digits, candles, hollow, period, summary, lines = NONE, since, onExpand, onAlert, away = false }: Omit<Props, 'table' | 'fill'> & { period: PeriodName }) {
  const locale = useLocale();
  const box = useRef<HTMLDivElement>(null);
  const chart = useRef<ChartHandle | undefined>(undefined);
  const [state, setState] = useState<State>('loading');
  const [point, setPoint] = useState<Point | null>(null);
  const [volume, setVolume] = useState<VolumeOf>();
  const [past, setPast] = useState<number>();
  const [gaps, setGaps] = useState<readonly Gap[]>([]);
  const [attempt, setAttempt] = useState(0);
  const connected = useConnected();
  const { overlay, pane } = useLook();
  const told = useEffectEvent((next: State) => setState(next));
  const started = useEffectEvent(() => {
    setState('loading');
    setPast(undefined);
    setGaps([]);
  });
  const mounted = useEffectEvent((handle: ChartHandle | undefined) => {
    chart.current = handle;
    handle?.setLines(lines);
    handle?.setLook({ overlay, pane });
  });
  useEffect(() => chart.current?.setLines(lines), [lines]);
  useEffect(() => chart.current?.setLook({ overlay, pane }), [overlay, pane]);

  useEffect(() => {
    const container = box.current;
    if (!container || away) return;
    const control = new AbortController();
    const feed = candles.of(period);
    const alive = <T,>(run: (value: T) => void) => (value: T) => {
      if (!control.signal.aborted) run(value);
    };
    started();
    drawing()
      .then(([{ mountChart }, klinecharts]) => mountChart(klinecharts, container, { feed, period, symbol, digits, hollow, locale, onPoint: alive(setPoint), onVolume: alive(setVolume), onPast: alive(setPast), onGaps: alive(setGaps), onState: alive(told) }, control.signal))
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

  // Without candles the library draws an axis with figures of its own, which are not prices.
  const blank = state === 'failed' || state === 'empty';
  return (
    <>
      <div className={pane === 'none' ? css.frame : `${css.frame} ${css.taller}`}>
        <Legend point={point} digits={digits} period={period} overlay={overlay} pane={pane} volume={state === 'ready' ? volume : undefined} />
        <Buttons chart={() => chart.current} onExpand={onExpand} onAlert={onAlert && (() => onAlert(point?.price?.toFixed(digits)))} />
        <div ref={box} className={blank ? `${css.canvas} ${css.blank}` : since !== undefined || !connected ? `${css.canvas} ${css.old}` : css.canvas} role="img" aria-label={[summary, ...lines.map(({ label, price }) => `${label} ${priceText(price, digits, locale)}`)].join(' ')} />
        {state === 'loading' && <div className={css.shimmer} aria-hidden="true" />}
        {state === 'empty' && <p className={css.over}>{t('trade.chart.empty')}</p>}
        {state === 'failed' && (
          <div className={css.over} role="alert">
            <p>{t(connected ? 'trade.chart.failed' : 'trade.chart.failedOffline')}</p>
            <Button small onClick={() => setAttempt(attempt + 1)}>
              {t('ui.tryAgain')}
            </Button>
          </div>
        )}
      </div>
      <ChartNotes of={candles} past={past} gaps={gaps} period={period} />
    </>
  );
}

/** Says that the chart has stopped updating. The app shows offline above every screen. */
function Still({ since }: { since: number | null | undefined }) {
  const locale = useLocale();
  const connected = useConnected();
  if (!connected || since === undefined) return null;
  return (
    <p className={css.still} role="status">
      <Icon name="warn" size={16} />
      {since ? t('trade.chart.stale', { time: clock(since, locale, true) }) : t('trade.chart.noPrice')}
    </p>
  );
}

/** The table is rarely used, so its code loads on demand. */
const CandleTable = later(() => import('./CandleTable'), 4);

/** Periods and the chart, or its table. */
export const ChartPanel = memo(function ChartPanel({ fill = false, table, ...chart }: Props) {
  useLocale();
  const period = useLook((look) => look.period);
  return (
    <section className={fill ? `${css.panel} ${css.fill}` : css.panel} aria-label={t('trade.chart.title')}>
      <div className={css.periods}>
        <Periods label={t('trade.chart.period')} value={period} onValue={(next) => setLook({ period: next })} options={PERIODS.map(({ value, label }) => ({ value, label: t(label) }))} />
      </div>
      <Still since={chart.since} />
      {table ? <CandleTable digits={chart.digits} candles={chart.candles} period={period} /> : <Canvas {...chart} period={period} />}
    </section>
  );
});
