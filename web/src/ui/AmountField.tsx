import { useId, useRef, useState, type ReactNode, type Ref } from 'react';
import { t, useLocale } from '../lib/i18n';
import { format, formatPercent, amount, parseInput, part, translateInput, trim, understood, type Amount, type Parsed } from '../lib/money';
import { Chip } from './Choice';
import { FieldFrame } from './Field';
import css from './Field.module.css';

/** What was typed, and in which language: 0.005 means something else elsewhere. */
export interface Typed {
  text: string;
  locale: string;
}

export interface AmountText {
  text: string;
  /** For later use; if the language changes in between, it is rewritten. */
  typed: Typed;
  setText: (text: string) => void;
  parsed: Parsed;
  /** The amount, if it can be read. */
  value: Amount | undefined;
  /** How it was understood, if the text has two readings. */
  told: string | undefined;
  /** Puts an amount into the field as this language writes it. */
  set: (value: Amount) => void;
}

/** State of an amount field: the typed text and its meaning, which stays the same after a change of language. */
export function useAmount(scale: number, initial: string | Typed = ''): AmountText {
  const locale = useLocale();
  const [kept, setKept] = useState<Typed>(() => (typeof initial === 'string' ? { text: initial, locale } : initial));
  const typed = kept.locale === locale ? kept : { text: translateInput(kept.text, kept.locale, locale), locale };
  if (typed !== kept) setKept(typed);
  const setText = (text: string) => setKept({ text, locale });
  const parsed = parseInput(typed.text, locale, scale);
  return { text: typed.text, typed, setText, parsed, value: parsed.ok ? parsed.value : undefined, told: understood(typed.text, locale, scale), set: (value) => setText(format(trim(value), locale)) };
}

/** State of the only amount of a form: it shows its complaint once it was left, and gets the focus when it blocks the form. */
export function useAmountInput(scale: number, initial: string | Typed = '') {
  const field = useAmount(scale, initial);
  const input = useRef<HTMLInputElement>(null);
  const [touched, setTouched] = useState(false);
  return {
    field,
    input,
    /** The complaint, while it may be shown. */
    shown: (complaint: string | undefined) => (touched && field.text !== '' ? complaint : undefined),
    touch: () => setTouched(true),
    onBlocked: () => {
      setTouched(true);
      input.current?.focus();
    },
    clear: () => {
      field.setText('');
      setTouched(false);
    },
  };
}

interface Props {
  label: ReactNode;
  field: AmountText;
  unit: string;
  /** Largest amount that the chips fill in; with it, chips appear. */
  available?: Amount | undefined;
  chips?: boolean;
  aside?: ReactNode;
  error?: string | undefined;
  hint?: ReactNode;
  placeholder?: string;
  onBlur?: () => void;
  ref?: Ref<HTMLInputElement>;
}

/** Amount in the reader's notation: grouped on blur, plain while typing. */
export function AmountField({ label, field, unit, available, chips = available !== undefined, aside, error, hint, placeholder, onBlur, ref }: Props) {
  const id = useId();
  const locale = useLocale();
  const leave = () => {
    if (field.value) field.setText(format(field.value, locale, { min: Math.min(field.value.scale, 2), max: field.value.scale }));
    onBlur?.();
  };
  return (
    <div>
      <FieldFrame id={id} label={label} aside={aside} error={error} hint={hint} below={field.told && t('ui.understood', { amount: field.told, unit })}>
        <input
          ref={ref}
          id={id}
          className={css.input}
          inputMode="decimal"
          autoComplete="off"
          placeholder={placeholder}
          value={field.text}
          onChange={(event) => field.setText(event.target.value)}
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
