import { useId, useState, type Ref } from 'react';
import { t } from '../lib/i18n';
import { Field, FieldFrame, type FieldProps, type FrameProps } from './Field';
import { Icon } from './Icon';
import css from './Field.module.css';

/** Password with a show toggle; password managers and paste work. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'after'>) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      autoCapitalize="off"
      spellCheck={false}
      after={
        <button type="button" className={css.toggle} aria-pressed={shown} aria-label={t('ui.showPassword')} onClick={() => setShown(!shown)}>
          <Icon name={shown ? 'eyeOff' : 'eye'} size={20} />
        </button>
      }
    />
  );
}

interface CodeProps extends FrameProps {
  value: string;
  onValue: (digits: string) => void;
  /** Shows dots instead of digits, for the fund password. */
  secret?: boolean;
  name?: string;
  autoFocus?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** Six digits in one input, drawn as six boxes; typing, paste and autofill work. */
export function CodeField({ label, aside, error, hint, value, onValue, secret = false, ...rest }: CodeProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} error={error} hint={hint} box={css.code}>
      <input
        {...rest}
        id={id}
        className={css.codeInput}
        inputMode="numeric"
        autoComplete={secret ? 'off' : 'one-time-code'}
        type={secret ? 'password' : 'text'}
        maxLength={12}
        value={value}
        onChange={(event) => onValue(event.target.value.replace(/\D/g, '').slice(0, 6))}
        aria-invalid={error ? true : undefined}
        aria-describedby={`${id}-hint`}
      />
      {[0, 1, 2, 3, 4, 5].map((n) => (
        <span key={n} className={n === Math.min(value.length, 5) ? `${css.digit} ${css.next}` : css.digit} aria-hidden="true">
          {value[n] ? secret ? <i /> : value[n] : ''}
        </span>
      ))}
    </FieldFrame>
  );
}
