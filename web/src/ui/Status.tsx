import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon';
import * as icons from './icons';
import css from './Status.module.css';

export type Tone = 'info' | 'caution' | 'danger' | 'done';
const ICONS: Record<Tone, IconName> = { info: icons.clock, caution: 'warn', danger: 'close', done: 'check' };

/** Status: icon and word, never a direction colour. */
export function StatusChip({ tone, icon = ICONS[tone], children }: { tone: Tone; icon?: IconName; children: ReactNode }) {
  return (
    <span className={`${css.status} ${css[tone]}`}>
      <Icon name={icon} size={14} />
      {children}
    </span>
  );
}

export type Direction = 'up' | 'down' | 'even';

export function Arrow({ direction }: { direction: Direction }) {
  if (direction === 'even') return <span aria-hidden="true">=</span>;
  return (
    <svg className={css.arrow} viewBox="0 0 8 8" aria-hidden="true">
      <path d={direction === 'up' ? 'M4 .8L7.600 7H.4z' : 'M4 7.200L.4 1h7.200z'} />
    </svg>
  );
}

/** Side of a trade: colour, arrow and word. */
export function SideTag({ direction, children }: { direction: Direction; children: ReactNode }) {
  return (
    <span className={`${css.side} ${css[direction]}`}>
      <Arrow direction={direction} />
      {children}
    </span>
  );
}

/** Icon and up to three lines; at most one of a kind on a screen. */
export function Note({ tone = 'plain', icon, children }: { tone?: 'plain' | 'caution' | 'danger'; icon?: IconName; children: ReactNode }) {
  return (
    <div className={`${css.note} ${css[`note-${tone}`] ?? ''}`}>
      <Icon name={icon ?? (tone === 'plain' ? 'info' : 'warn')} size={20} />
      <div>{children}</div>
    </div>
  );
}

export interface CostLine {
  label: ReactNode;
  value: ReactNode;
  /** Larger, after a hairline. */
  total?: boolean;
  /** Changed while the sheet was open. */
  note?: ReactNode;
}

/** The same lines in the form, the sheet and the receipt. */
export function CostLines({ lines }: { lines: readonly CostLine[] }) {
  return (
    <dl className={css.lines}>
      {lines.map((line, n) => (
        <div key={n} className={line.total ? css.total : undefined}>
          <dt>
            {line.label}
            {line.note && <span className={css.lineNote}> {line.note}</span>}
          </dt>
          <dd>{line.value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface Step {
  title: ReactNode;
  text?: ReactNode;
  state: 'done' | 'now' | 'next' | 'failed';
}

/** Vertical for requests, horizontal for three or four dates. */
export function Timeline({ steps, horizontal = false }: { steps: readonly Step[]; horizontal?: boolean }) {
  return (
    <ol className={horizontal ? `${css.timeline} ${css.horizontal}` : css.timeline}>
      {steps.map((step, n) => (
        <li key={n} className={css[step.state]} aria-current={step.state === 'now' ? 'step' : undefined}>
          <span className={css.mark}>{(step.state === 'done' || step.state === 'failed') && <Icon name={step.state === 'done' ? 'check' : 'close'} size={14} />}</span>
          <div>
            <div className="m">{step.title}</div>
            {step.text && <div className="lab t2">{step.text}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}
