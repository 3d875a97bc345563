import { useId, useState, type ReactNode, type Ref } from 'react';
import { t, useLocale } from '../lib/i18n';
import { format, formatPercent, amount, parseInput, part, trim, type Amount, type Parsed } from '../lib/money';
import { Chip } from './Choice';
import { FieldFrame } from './Field';
import css from './Field.module.css';

export interface AmountText {
  text: string;
  setText: (text: string) => void;
  parsed: Parsed;
  /** The amount, once it can be read. */
  value: Amount | undefined;
  /** Puts an amount into the field as this language writes it. */
  set: (value: Amount) => void;
}

/** State of an amount field: what was typed, and what it means. */
export function useAmount(scale: number, initial = ''): AmountText {
  const locale = useLocale();
  const [text, setText] = useState(initial);
  const parsed = parseInput(text, locale, scale);
  return { text, setText, parsed, value: parsed.ok ? parsed.value : undefined, set: (value) => setText(format(trim(value), locale)) };
}

interface Props {
  label: ReactNode;
  field: AmountText;
  unit: string;
  /** Largest amount the chips may fill in; chips appear when it is given. */
  available?: Amount | undefined;
  chips?: boolean;
  aside?: ReactNode;
  error?: string | undefined;
  hint?: ReactNode;
  placeholder?: string;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
}

/** Amount in the reader's own notation: grouped on blur, plain while typing. */
export function AmountField({ label, field, unit, available, chips = available !== undefined, aside, error, hint, placeholder, onBlur, ref }: Props) {
  const id = useId();
  const locale = useLocale();
  const leave = () => {
    if (field.value) field.setText(format(field.value, locale, { min: Math.min(field.value.scale, 2), max: field.value.scale }));
    onBlur?.();
  };
  return (
    <div>
      <FieldFrame id={id} label={label} aside={aside} error={error} hint={hint}>
        <input
          ref={ref}
          id={id}
          className={css.input}
          inputMode="decimal"
          autoComplete="off"
          placeholder={placeholder}
          value={field.text}
          onChange={(event) => field.setText(event.target.value.replace(/[^\d.,\s\u00a0\u202f'’]/g, ''))}
          onBlur={leave}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-hint`}
        />
        <span className={css.unit}>{unit}</span>
      </FieldFrame>
      {chips && (
        <div className={css.chips}>
          {[25, 50, 75].map((percent) => (
            <Chip key={percent} onClick={() => available && field.set(part(available, percent))}>
              {formatPercent(amount(String(percent)), locale)}
            </Chip>
          ))}
          <Chip onClick={() => available && field.set(available)}>{t('ui.max')}</Chip>
        </div>
      )}
    </div>
  );
}
