import { useEffect, useId, useRef, useState } from 'react';
import type { OptionOrder } from '../../generated/api';
import { t, useLocale } from '../../lib/i18n';
import { amount, approximate, format, make } from '../../lib/money';
import { clock } from '../../lib/time';
import { priceText } from '../../ui/Figures';
import { SIDE } from './model';
import { WINDOW, type Point } from './samples';
import { leftText, sideText } from './text';
import css from './Option.module.css';

const HEIGHT = 240;
const AXIS = 72;
/** Room right of now for what is to come. */
const AHEAD = 0.36;
const FOOT = 22;

/** Three round prices within a range. */
function grid(low: number, high: number): number[] {
  const rough = (high - low) / 3 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough;
  const lines = [];
  for (let at = Math.ceil(low / step) * step; at <= high && lines.length < 5; at += step) lines.push(at);
  return lines;
}

/** The width of an element as it is now. */
function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(358);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const watch = new ResizeObserver(([entry]) => entry && setWidth(Math.max(200, Math.round(entry.contentRect.width))));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return { box, width };
}

interface Props {
  symbol: string;
  points: readonly Point[] | undefined;
  options: readonly OptionOrder[];
  /** Server time. */
  now: number;
  price: string | undefined;
}

/** The index of the last minutes, and each open option from its open price to its delivery. */
export function LiveLine({ symbol, points = [], options, now, price }: Props) {
  const locale = useLocale();
  const id = useId();
  const { box, width } = useWidth();
  const digits = price ? amount(price).scale : 0;
  const open = options.filter(({ status }) => status === 1);
  const shown = points.filter(({ at }) => at >= now - WINDOW && at <= now);
  const last = shown.at(-1);
  const prices = [...shown.map((one) => one.price), ...open.map((option) => approximate(amount(option.open_price)))];
  const [lowest, highest] = [Math.min(...prices), Math.max(...prices)];
  const room = (highest - lowest) * 0.12 || Math.abs(highest) * 0.0002 || 1;
  const [low, high] = [lowest - room, highest + room];
  const right = width - AXIS;
  const from = now - WINDOW;
  const to = now + WINDOW * AHEAD;
  const x = (at: number) => Math.round((Math.min(Math.max(at, from), to) - from) / (to - from) * right * 10) / 10;
  const y = (value: number) => Math.round((10 + ((high - value) / (high - low)) * (HEIGHT - FOOT - 20)) * 10) / 10;
  const path = shown.map((one, n) => `${n ? 'L' : 'M'}${x(one.at)} ${y(one.price)}`).join('');
  const shownDigits = high - low > 20 ? 0 : digits;
  const figure = (value: number) => format(make(BigInt(Math.round(value * 10 ** shownDigits)), shownDigits), locale, { kind: 'price', min: shownDigits });
  const told = open.map((option) => t('options.chartOpen', { direction: sideText(option.type), price: priceText(option.open_price, undefined, locale), left: leftText(option.delivery_time_ms - now) }));
  const label = [t('options.chart', { symbol, price: priceText(price, undefined, locale) }), ...told].join(' ');
  return (
    <div ref={box} className={css.line}>
      {last ? (
        <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} fill="none" role="img" aria-label={label}>
          <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
            <stop stopColor="var(--accent)" stopOpacity=".2" />
            <stop offset="1" stopColor="var(--accent)" stopOpacity="0" />
          </linearGradient>
          {grid(low, high).map((value) => (
            <g key={value}>
              <path d={`M0 ${y(value)}H${right}`} stroke="var(--line)" />
              <text x={width} y={y(value) + 4} textAnchor="end">
                {figure(value)}
              </text>
            </g>
          ))}
          <path d={`${path}V${HEIGHT - FOOT}H${x(shown[0]?.at ?? from)}Z`} fill={`url(#${id})`} />
          <path d={path} stroke="var(--accent)" strokeWidth="1.75" strokeLinejoin="round" />
          {open.map((option) => {
            const level = y(approximate(amount(option.open_price)));
            const [start, end] = [x(option.open_time_ms), x(option.delivery_time_ms)];
            const tone = option.type === 0 ? 'var(--text-1)' : `var(--${SIDE[option.type]})`;
            return (
              <g key={option.id} stroke={tone}>
                <path d={`M${start} ${level}H${end}`} strokeWidth="1.4" strokeDasharray="3 3" />
                <path d={`M${end} ${level}h0`} strokeWidth="6" strokeLinecap="round" />
                <path d={option.type === 2 ? `M${start} ${level + 5}l5 -9h-10z` : option.type === 1 ? `M${start} ${level - 5}l5 9h-10z` : `M${start - 4} ${level - 2}h8m-8 4h8`} fill={tone} />
                <text x={Math.min(end, right - 14)} y={option.type === 2 ? level - 9 : level + 17} textAnchor="middle" stroke="none" className={css.left} style={{ fill: tone }}>
                  {leftText(option.delivery_time_ms - now)}
                </text>
              </g>
            );
          })}
          <path d={`M${x(last.at)} ${y(last.price)}H${right}`} stroke="var(--text-1)" strokeDasharray="2 4" opacity=".6" />
          <circle cx={x(last.at)} cy={y(last.price)} r="8" fill="var(--accent)" opacity=".2" />
          <circle cx={x(last.at)} cy={y(last.price)} r="3.5" fill="var(--accent)" />
          <rect x={right + 2} y={y(last.price) - 9} width={AXIS - 2} height="18" rx="5" fill="var(--text-1)" />
          <text x={right + 1 + AXIS / 2} y={y(last.price) + 4} textAnchor="middle" className={css.now}>
            {priceText(price, undefined, locale)}
          </text>
          {[0, 0.25, 0.5, 0.75].map((part) => (
            <text key={part} x={Math.max(16, right * part)} y={HEIGHT - 4} textAnchor="middle">
              {clock(from + (to - from) * part, locale)}
            </text>
          ))}
        </svg>
      ) : (
        <p className="lab t3" style={{ minHeight: HEIGHT }} role="status">
          {t('options.noLine')}
        </p>
      )}
    </div>
  );
}
