import { useId, type ComponentProps, type ReactNode } from 'react';
import { Icon } from './Icon';
import css from './Choice.module.css';

export interface Choice<T extends string> {
  value: T;
  label: ReactNode;
  /** Small count behind the label of a tab. */
  count?: number | undefined;
  /** Direction colour while chosen, for buy and sell. */
  tone?: 'up' | 'down';
}
interface ChoiceProps<T extends string> {
  options: readonly Choice<T>[];
  value: T;
  onValue: (value: T) => void;
  /** Accessible name of the group. */
  label: string;
}

/** Scrolls a row that is wider than the screen to its chosen button, with some of what comes before it. */
const show = (chosen: HTMLElement | null) => {
  const row = chosen?.parentElement;
  if (row) row.scrollLeft = chosen.offsetLeft - row.offsetLeft - 80;
};

/** Buttons of which one is pressed; the variants only look different. */
const group =
  (look: string | undefined) =>
  <T extends string>({ options, value, onValue, label }: ChoiceProps<T>) => (
    <div className={look} role="group" aria-label={label}>
      {options.map(({ value: one, label: name, count, tone }) => (
        <button key={one} ref={one === value ? show : undefined} type="button" aria-pressed={one === value} className={tone && (tone === 'up' ? css.up : css.down)} onClick={() => onValue(one)}>
          <span>{name}</span>
          {!!count && <em>{count}</em>}
        </button>
      ))}
    </div>
  );

/** Two or three views of the same thing. */
export const Segment = group(css.segment);
/** Tabs over a list. */
export const UnderlineTabs = group(css.tabs);
/** Small ranges such as chart periods: plain text, the chosen one on a surface. */
export const Periods = group(css.periods);

export function Chip({ on = false, children, ...rest }: Omit<ComponentProps<'button'>, 'className'> & { on?: boolean }) {
  return (
    <button type="button" {...rest} className={on ? `${css.chip} ${css.chosen}` : css.chip} aria-pressed={on || undefined}>
      {children}
    </button>
  );
}

/** A scrolling line of chips. */
export const Chips = ({ children, label }: { children: ReactNode; label: string }) => (
  <div className={css.chips} role="group" aria-label={label}>
    {children}
  </div>
);

interface SwitchProps {
  label: ReactNode;
  note?: ReactNode;
  on: boolean;
  onChange: (on: boolean) => void;
}

export function Switch({ label, note, on, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className={css.switchRow}>
      <label htmlFor={id}>
        <span className="m">{label}</span>
        {note && <span className="lab t2">{note}</span>}
      </label>
      <input id={id} type="checkbox" role="switch" aria-checked={on} className={css.switch} checked={on} onChange={(event) => onChange(event.target.checked)} />
    </div>
  );
}

interface CheckProps extends Omit<ComponentProps<'input'>, 'className' | 'type'> {
  children: ReactNode;
  error?: boolean;
}

/** Tick box with its sentence. */
export function Checkbox({ children, error = false, ...rest }: CheckProps) {
  return (
    <label className={css.check}>
      <input {...rest} type="checkbox" aria-invalid={error || undefined} />
      <span className={css.tick} aria-hidden="true">
        <Icon name="check" size={16} />
      </span>
      <span className="lab t2">{children}</span>
    </label>
  );
}

/** Round mark of a chosen card or row; the row itself is the control. */
export const RadioMark = ({ on }: { on: boolean }) => <span className={on ? `${css.radio} ${css.radioOn}` : css.radio} aria-hidden="true" />;
