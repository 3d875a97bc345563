import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import type { Gap, LinePoint, LineSource } from '../../lib/candles';
import { useNow } from '../../lib/clock';
import { t, useLocale } from '../../lib/i18n';
import { lineToken, type PriceLine } from '../../lib/priceLines';
import { clock, serverNow } from '../../lib/time';
import { Button } from '../Button';
import { priceText } from '../Figures';
import css from './Chart.module.css';
import { chartFigure } from './chartText';
import { edgeOf, join, layout, type Frame } from './liveLine';
import { ChartNotes } from './Notes';

const REPAINT = 250;

interface Props {
  source: LineSource;
  digits: number;
  /** One sentence for screen readers; the lines are appended to it. */
  summary: string;
  lines?: readonly PriceLine[];
  /** No sample has come for long, so the line is drawn as past. */
  stale?: boolean;
}

const NONE: readonly PriceLine[] = [];
const NO_GAPS: readonly Gap[] = [];

/** The samples of a source, read and then followed, shown at most four times a second. */
function usePoints(source: LineSource) {
  const [state, setState] = useState<{ points: LinePoint[]; state: 'loading' | 'ready' | 'failed' }>({ points: [], state: 'loading' });
  useEffect(() => {
    let over = false;
    let waiting: LinePoint[] = [];
    const read = () =>
      void source.newest().then(
        (rows) => {
          if (!over) setState(({ points }) => ({ points: join(points, rows), state: 'ready' }));
        },
        () => {
          if (!over) setState((now) => (now.state === 'loading' ? { ...now, state: 'failed' } : now));
        },
      );
    read();
    const leave = source.follow((point) => waiting.push(point), read);
    const timer = setInterval(() => {
      if (!waiting.length) return;
      const due = waiting;
      waiting = [];
      setState(({ points, state }) => ({ points: join(points, due), state: state === 'failed' ? 'ready' : state }));
    }, REPAINT);
    return () => {
      over = true;
      leave();
      clearInterval(timer);
    };
  }, [source]);
  return state;
}

function useFrame() {
  const box = useRef<HTMLDivElement>(null);
  const [frame, setFrame] = useState<Frame>({ width: 0, height: 0 });
  const measure = useEffectEvent(() => {
    const { clientWidth = 0, clientHeight = 0 } = box.current ?? {};
    if (clientWidth !== frame.width || clientHeight !== frame.height) setFrame({ width: clientWidth, height: clientHeight });
  });
  useLayoutEffect(() => {
    measure();
    const sizes = new ResizeObserver(() => measure());
    if (box.current) sizes.observe(box.current);
    return () => sizes.disconnect();
  }, []);
  return { box, frame };
}

type Layout = ReturnType<typeof layout>;

function Mark({ line, plot, frame }: { line: PriceLine; plot: Layout; frame: Frame }) {
  const { y, beyond } = edgeOf(plot.y(line.price), frame.height);
  const [from, to] = [line.from === undefined ? 0 : plot.x(line.from), line.to === undefined ? frame.width : plot.x(line.to)];
  const color = `var(--${lineToken(line)})`;
  const arrow = beyond === 'up' ? '▲ ' : beyond === 'down' ? '▼ ' : '';
  const above = line.direction !== 'up';
  return (
    <g fill={color}>
      {!beyond && <path d={`M${from} ${y}H${to}`} stroke={color} strokeWidth="1.5" strokeDasharray="4 3" fill="none" />}
      {line.from !== undefined && !beyond && <path d={line.direction === 'down' ? `M${from - 6} ${y - 5}h12l-6 10z` : line.direction === 'up' ? `M${from - 6} ${y + 5}h12l-6-10z` : `M${from - 5} ${y - 4}h10v2.5h-10zm0 5.5h10v2.5h-10z`} />}
      {line.to !== undefined && !beyond && <circle cx={to} cy={y} r="3.5" />}
      <text x={line.to === undefined && line.from === undefined ? 2 : Math.min(to, frame.width)} y={beyond ? y + 4 : above ? y - 8 : y + 17} textAnchor={line.to === undefined && line.from === undefined ? 'start' : to > frame.width - 24 ? 'end' : 'middle'} className={css.mark}>
        {arrow + line.label}
      </text>
    </g>
  );
}

function Line({ source, digits, summary, lines = NONE, stale = false, onRetry }: Props & { onRetry: () => void }) {
  const locale = useLocale();
  useNow(1_000);
  const { points, state } = usePoints(source);
  const { box, frame } = useFrame();
  const last = points.at(-1);
  // The newest sample is never beyond the edge of now, even if the device's clock is behind.
  const plot = last && frame.width > 0 ? layout(points, lines, Math.max(serverNow(), last.at), frame) : undefined;
  const short = plot?.ticks.every((tick) => Number.isInteger(tick)) ? 0 : digits;
  return (
    <>
      <div className={css.live}>
        <div ref={box} className={css.plot} role="img" aria-label={[summary, ...lines.map(({ label, price }) => `${label} ${priceText(price, digits, locale)}`)].join(' ')}>
          {plot && last && (
            <svg width={frame.width} height={frame.height} overflow="visible" aria-hidden="true" className="num">
              {plot.ticks.map((tick) => (
                <g key={tick}>
                  <path d={`M0 ${plot.y(tick)}H${frame.width}`} stroke="var(--line)" />
                  <text x={frame.width} dx="4rem" y={plot.y(tick) + 4} textAnchor="end" className={css.axis}>
                    {chartFigure(tick, short, locale)}
                  </text>
                </g>
              ))}
              {plot.times.map((at) => (
                <text key={at} x={plot.x(at)} y={frame.height + 18} textAnchor="middle" className={css.axis}>
                  {clock(at, locale)}
                </text>
              ))}
              {plot.gaps.map(({ from, to }) => (
                <rect key={to} x={plot.x(from)} width={plot.x(to) - plot.x(from)} height={frame.height} className={css.gap} />
              ))}
              <path d={plot.area} fill="var(--accent-soft)" />
              <path d={plot.path} fill="none" stroke={`var(--${stale ? 'text-3' : 'accent'})`} strokeWidth="1.75" strokeLinejoin="round" />
              <path d={`M${plot.x(last.at)} ${plot.y(last.price)}H${frame.width}`} stroke="var(--text-2)" strokeDasharray="3 4" />
              {lines.map((line) => (
                <Mark key={line.id} line={line} plot={plot} frame={frame} />
              ))}
              <circle cx={plot.x(last.at)} cy={plot.y(last.price)} r={stale ? 3 : 8} fill={`var(--${stale ? 'text-3' : 'accent-soft'})`} />
              {!stale && <circle cx={plot.x(last.at)} cy={plot.y(last.price)} r="3.5" fill="var(--accent)" />}
            </svg>
          )}
          {plot && last && (
            <span className={`${css.tag} num`} style={{ top: plot.y(last.price) }} aria-hidden="true">
              {priceText(last.price, digits, locale)}
            </span>
          )}
        </div>
        {state === 'loading' && !last && <div className={css.shimmer} aria-hidden="true" />}
        {state === 'ready' && !last && <p className={css.over}>{t('trade.chart.noSamples')}</p>}
        {state === 'failed' && (
          <div className={css.over} role="alert">
            <p>{t('trade.chart.failed')}</p>
            <Button small onClick={onRetry}>
              {t('ui.tryAgain')}
            </Button>
          </div>
        )}
      </div>
      <ChartNotes of={source} gaps={plot?.gaps ?? NO_GAPS} />
    </>
  );
}

/** The last minutes of an index as one line, with marks for running options and contracts; it needs no chart library. */
export default function LiveLine(props: Props) {
  const [attempt, setAttempt] = useState(0);
  return <Line key={`${props.source.key}|${attempt}`} {...props} onRetry={() => setAttempt(attempt + 1)} />;
}
