import { useId, useState } from 'react';
import { locale, t } from '../../lib/i18n';
import { abs, approximate, compact, make, type Amount } from '../../lib/money';
import { IconButton } from '../../ui/Button';
import { amountText } from '../../ui/Figures';
import { Icon } from '../../ui/Icon';
import * as icons from '../../ui/icons';
import { Card } from '../../ui/Layout';
import { CostLines } from '../../ui/Status';
import { evenDay, interest as interestOf, type Exit as Leaving, type Terms } from './formulas';
import { exitsOf, typedDay } from './model';
import { balance, rate, unitsText } from './text';
import css from './Plans.module.css';

const WIDTH = 326;
const TOP = 10;
const BOTTOM = 88;

interface CurveProps {
  all: readonly Leaving[];
  day: number;
  scale: number;
  code: string;
}

/** A figure beside the axis. */
const tick = (units: bigint, scale: number) => `${units < 0n ? '\u2212' : '+'}${compact(abs(make(units, scale)), locale())}`;

/** The result of every day; amber below zero, ivory above. */
function Curve({ all, day, scale, code }: CurveProps) {
  const nets = all.map(({ net }) => approximate(make(net, scale)));
  const last = nets.length - 1;
  const [worst, best] = [all[0], all[last]].map((leaving) => tick(leaving?.net ?? 0n, scale)) as [string, string];
  const left = 10 + 6.5 * Math.max(worst.length, best.length);
  const [low, high] = [Math.min(...nets, 0), Math.max(...nets, 0)];
  const x = (n: number) => left + (n / Math.max(1, last)) * (WIDTH - left - 12);
  const y = (net: number) => TOP + ((high - net) / (high - low || 1)) * (BOTTOM - TOP);
  const even = evenDay(all);
  const until = nets.findIndex((net) => net >= 0);
  const [before, after] = [nets[until - 1] ?? 0, nets[until] ?? 0];
  const crossing = until <= 0 ? 0 : until - 1 + -before / (after - before || 1);
  const way = (from: number, to: number) => nets.flatMap((net, n) => (n > from && n < to ? [`L${x(n)} ${y(net)}`] : [])).join('');
  const net = (n: number) => unitsText(all[n]?.net ?? 0n, scale, code);
  const label = t('plans.chart', { worst: net(0), even, end: net(last), days: last });
  return (
    <svg className={css.curve} viewBox={`0 0 ${WIDTH} 112`} fill="none" strokeLinecap="round" role="img" aria-label={label}>
      <path d={`M${left} ${y(0)}H${WIDTH}`} stroke="var(--line-strong)" strokeDasharray="2 4" />
      {[nets[0], nets[last]].every((net = 0) => Math.abs(y(net) - y(0)) > 11) && (
        <text x="0" y={y(0) + 4}>
          0
        </text>
      )}
      <text x="0" y={y(nets[last] ?? 0) + 4}>
        {best}
      </text>
      <text x="0" y={y(nets[0] ?? 0) + 4}>
        {worst}
      </text>
      <path d={`M${x(0)} ${y(nets[0] ?? 0)}${way(0, crossing)}L${x(crossing)} ${y(0)}`} stroke="var(--caution)" strokeWidth="2.5" />
      <path d={`M${x(0)} ${y(nets[0] ?? 0)}${way(0, crossing)}L${x(crossing)} ${y(0)}H${x(0)}Z`} fill="var(--caution)" opacity=".1" />
      <path d={`M${x(crossing)} ${y(0)}${way(crossing, last)}`} stroke="var(--text-1)" strokeWidth="2.5" />
      <path d={`M${x(last - 1)} ${y(nets[last - 1] ?? 0)}L${x(last)} ${y(nets[last] ?? 0)}`} stroke="var(--text-1)" strokeWidth="2" strokeDasharray="1 5" />
      <circle cx={x(last)} cy={y(nets[last] ?? 0)} r="4" fill="var(--text-1)" />
      <path d={`M${x(day)} ${TOP - 6}V${BOTTOM + 4}`} stroke="var(--accent)" strokeWidth="1.5" />
      <circle cx={x(day)} cy={y(nets[day] ?? 0)} r="6" fill="var(--accent)" stroke="var(--surface-1)" strokeWidth="2" />
      <text x={left} y="109">
        {t('plans.dayNumber', { day: 0 })}
      </text>
      {even > 2 && even < last - 2 && (
        <text x={x(even)} y="109" textAnchor="middle">
          {t('plans.even', { day: even })}
        </text>
      )}
      <text x={WIDTH} y="109" textAnchor="end">
        {t('plans.dayNumber', { day: last })}
      </text>
    </svg>
  );
}

/** Interest, damages and penalty of a day, and what is returned. */
export const exitLines = ({ days, left, interest, damages, penalty, back }: Leaving, value: Amount, terms: Terms, code: string) => {
  const { scale } = value;
  const daily = amountText({ value: make(interestOf(value.units, terms.yield, 1), scale), code, bare: true }, locale());
  return [
    { label: t('plans.income', { days, daily }), value: unitsText(interest, scale, code, true) },
    ...(left > 0
      ? [
          { label: t('plans.damages', { rate: rateOf(terms.damage), days: left }), value: unitsText(-damages, scale, code, true) },
          { label: t('plans.penalty'), value: unitsText(-penalty, scale, code, true) },
        ]
      : []),
    { label: t('explain.plan.back'), value: balance(make(back, scale), code), total: true },
  ];
};
const rateOf = (units: bigint) => rate(`${units / 1_000_000n}.${(units % 1_000_000n).toString().padStart(6, '0')}`);

interface DayProps {
  day: number;
  days: number;
  onDay: (day: number) => void;
}

/** A text field for the day. A day outside the plan shows an error and changes nothing. */
function DayField({ day, days, onDay }: DayProps) {
  const id = useId();
  const [text, setText] = useState<string>();
  const wrong = text !== undefined && text.trim() !== '' && typedDay(text, days) === undefined;
  const [before, after] = t('plans.dayNumber', { day: '|' }).split('|');
  const type = (typed: string) => {
    setText(typed);
    const chosen = typedDay(typed, days);
    if (chosen !== undefined) onDay(chosen);
  };
  return (
    <div>
      <label className={`lab m ${css.typed}`}>
        {before}
        <input aria-label={t('plans.leaveOn')} aria-invalid={wrong || undefined} aria-describedby={id} inputMode="numeric" autoComplete="off" value={text ?? day} onChange={(event) => type(event.target.value)} onBlur={() => setText(undefined)} />
        {after}
      </label>
      <p id={id} className="cap danger right" role={wrong ? 'alert' : undefined}>
        {wrong && t('plans.dayRange', { days })}
      </p>
    </div>
  );
}

interface Props {
  value: Amount;
  terms: Terms;
  code: string;
  /** The initial day. */
  start: number;
}

/** What an early redemption would pay back on each day. */
export function Exit({ value, terms, code, start }: Props) {
  const [picked, setPicked] = useState(start);
  const day = Math.min(picked, terms.cycle);
  const all = exitsOf(value, terms);
  const exit = all[day];
  if (!exit) return null;
  return (
    <Card>
      <div className={css.pick}>
        <h2 className="h3">{t('plans.early')}</h2>
        <DayField day={day} days={terms.cycle} onDay={setPicked} />
      </div>
      <Curve all={all} day={day} scale={value.scale} code={code} />
      <div className={css.slide}>
        <IconButton label={t('plans.dayBefore')} aria-disabled={day === 0 || undefined} onClick={() => setPicked(Math.max(0, day - 1))}>
          <Icon name={icons.minus} />
        </IconButton>
        <input type="range" min={0} max={terms.cycle} step={1} value={day} aria-label={t('plans.leaveOn')} aria-valuetext={`${t('plans.dayNumber', { day })}: ${balance(make(exit.back, value.scale), code)}`} style={{ backgroundSize: `${(day / terms.cycle) * 100}% 4px, 100% 4px` }} onChange={(event) => setPicked(event.target.valueAsNumber)} />
        <IconButton label={t('plans.dayAfter')} aria-disabled={day === terms.cycle || undefined} onClick={() => setPicked(Math.min(terms.cycle, day + 1))}>
          <Icon name={icons.plus} />
        </IconButton>
      </div>
      <CostLines lines={exitLines(exit, value, terms, code)} />
    </Card>
  );
}
