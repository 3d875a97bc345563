import { useState, type KeyboardEvent, type ReactNode } from 'react';

interface Props<T> {
  /** Accessible name of the group. */
  label: string;
  options: readonly { value: T; content: ReactNode }[];
  value: T | undefined;
  onValue: (value: T) => void;
  /** Class of the group, and of each of its rows. */
  className?: string | undefined;
  row: string | undefined;
  /** The arrow keys only move the focus, because choosing closes the group's container. */
  leadOnly?: boolean;
}

/** Rows of which one is chosen: one tab stop, and arrow keys within (APG, radio group). */
export function Radios<T extends string | number>({ label, options, value, onValue, className, row, leadOnly = false }: Props<T>) {
  const [led, setLed] = useState<T>();
  const stop = Math.max(0, options.findIndex((option) => option.value === (led ?? value)));
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!event.key.startsWith('Arrow')) return;
    event.preventDefault();
    const next = (stop + options.length + (/[DR]/.test(event.key) ? 1 : -1)) % options.length;
    const option = options[next];
    if (!option) return;
    (event.currentTarget.children[next] as HTMLElement).focus();
    if (leadOnly) setLed(option.value);
    else onValue(option.value);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus
    <div role="radiogroup" aria-label={label} className={className} onKeyDown={move}>
      {options.map((option, index) => (
        <button key={option.value} type="button" role="radio" aria-checked={option.value === value} tabIndex={index === stop ? 0 : -1} className={row} onClick={() => onValue(option.value)}>
          {option.content}
        </button>
      ))}
    </div>
  );
}
