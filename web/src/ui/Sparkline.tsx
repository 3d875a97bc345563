import { useId } from 'react';

/** Small line without axes; `values` are chart numbers, oldest first. */
interface Props {
  values: readonly number[];
  width?: number;
  height?: number;
  /** Direction colour of the line; accent if absent. */
  tone?: 'up' | 'down';
  /** Tinted area below and a dashed line at the first value, for the portfolio. */
  area?: boolean;
  /** Accessible text; without it the line is decoration. */
  label?: string;
  className?: string;
}

export function Sparkline({ values, width = 64, height = 28, tone, area = false, label, className }: Props) {
  const id = useId();
  if (values.length < 2) return <svg width={width} height={height} aria-hidden="true" className={className} />;
  const low = Math.min(...values);
  const range = Math.max(...values) - low || 1;
  const pad = area ? 5 : 3;
  const x = (n: number) => (n / (values.length - 1)) * (area ? width - 4 : width);
  const y = (value: number) => height - pad - ((value - low) / range) * (height - 2 * pad);
  const at = (n: number) => Math.round(n * 10) / 10;
  const path = values.map((value, n) => `${n ? 'L' : 'M'}${at(x(n))} ${at(y(value))}`).join('');
  const color = tone ? `var(--${tone})` : 'var(--accent)';
  return (
    <svg
      className={className}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      fill="none"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {area && (
        <>
          <linearGradient id={id} x1="0" y1="0" x2="0" y2="1">
            <stop stopColor="var(--accent)" stopOpacity=".26" />
            <stop offset="1" stopColor="var(--accent)" stopOpacity="0" />
          </linearGradient>
          <path d={`${path}V${height}H0Z`} fill={`url(#${id})`} />
        </>
      )}
      {area && <path d={`M0 ${at(y(values[0] ?? 0))}H${width}`} stroke="var(--line-strong)" strokeDasharray="2 5" vectorEffect="non-scaling-stroke" />}
      <path d={path} stroke={color} strokeWidth={area ? 1.75 : 1.5} strokeLinejoin="round" strokeLinecap="round" vectorEffect="non-scaling-stroke" />
      {/* A zero-length stroke is a dot that stays round when the line is stretched. */}
      {area && <path d={`M${width - 4} ${at(y(values.at(-1) ?? 0))}h0`} stroke={color} strokeWidth="8" strokeLinecap="round" vectorEffect="non-scaling-stroke" />}
    </svg>
  );
}
