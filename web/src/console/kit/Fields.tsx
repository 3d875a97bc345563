import { useId, type ComponentProps, type ReactNode } from 'react';
import { FieldFrame } from '../../ui/Field';
import { reasonProblem } from '../model/queue';
import css from './kit.module.css';

interface SelectProps<V extends string> extends Omit<ComponentProps<'select'>, 'className' | 'id' | 'onChange' | 'value'> {
  label: ReactNode;
  value: V;
  options: readonly { value: V; label: string }[];
  onValue: (value: V) => void;
  hint?: ReactNode;
}

export function Select<V extends string>({ label, options, onValue, hint, ...rest }: SelectProps<V>) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint}>
      <select {...rest} id={id} className={css.select} aria-describedby={`${id}-hint`} onChange={(event) => onValue(event.target.value as V)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}

interface TextProps extends Omit<ComponentProps<'textarea'>, 'className' | 'id' | 'onChange'> {
  label: ReactNode;
  onValue: (value: string) => void;
  aside?: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
}

export function TextArea({ label, onValue, aside, hint, error, ...rest }: TextProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} hint={hint} error={error}>
      <textarea rows={2} {...rest} id={id} className={css.area} aria-invalid={error ? true : undefined} aria-describedby={`${id}-hint`} onChange={(event) => onValue(event.target.value)} />
    </FieldFrame>
  );
}

interface ReasonProps {
  label: ReactNode;
  value: string;
  onValue: (value: string) => void;
  /** Frequent reasons. */
  templates?: readonly string[];
  /** Complains only after an attempt. */
  tried?: boolean;
  hint?: ReactNode;
  /** Takes the focus when it appears. */
  first?: boolean;
}

/** A reason from the list or typed, 3 to 200 characters. */
export function Reason({ label, value, onValue, templates = [], tried = false, hint, first = false }: ReasonProps) {
  const problem = reasonProblem(value);
  return (
    <div className={css.reason}>
      {templates.length > 0 && (
        <div className={css.templates} role="group" aria-label="Reasons that come up often">
          {templates.map((text) => (
            <button key={text} type="button" className={css.chip} aria-pressed={text === value} onClick={() => onValue(text)}>
              {text}
            </button>
          ))}
        </div>
      )}
      <TextArea
        label={label}
        value={value}
        onValue={onValue}
        maxLength={400}
        // The person opened this to write the reason.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={first}
        aside={`${[...value.trim()].length} of 200`}
        hint={hint}
        error={tried ? problem : undefined}
      />
    </div>
  );
}
