import { useId, useState, type ComponentProps, type ReactNode, type Ref } from 'react';
import { t } from '../lib/i18n';
import { Icon } from './Icon';
import css from './Field.module.css';

interface FrameProps {
  label: ReactNode;
  /** Right of the label: what is available, a link. */
  aside?: ReactNode;
  /** What is wrong and how to fix it. */
  error?: string | undefined;
  hint?: ReactNode;
}

/** Label, box and reserved hint line of every field. */
export function FieldFrame({ label, aside, error, hint, id, children }: FrameProps & { id: string; children: ReactNode }) {
  return (
    <div className={css.field}>
      <div className={css.label}>
        <label htmlFor={id}>{label}</label>
        {aside && <span className="num">{aside}</span>}
      </div>
      <div className={error ? `${css.box} ${css.bad}` : css.box}>{children}</div>
      <div id={`${id}-hint`} className={error ? `${css.hint} ${css.error}` : css.hint} role={error ? 'alert' : undefined}>
        {error ? (
          <>
            <Icon name="warn" size={16} />
            <span>{error}</span>
          </>
        ) : (
          hint
        )}
      </div>
    </div>
  );
}

type InputProps = Omit<ComponentProps<'input'>, 'className' | 'id'>;
interface Props extends FrameProps, InputProps {
  /** Inside the box, before and after the text. */
  before?: ReactNode;
  after?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function Field({ label, aside, error, hint, before, after, ...input }: Props) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} error={error} hint={hint}>
      {before}
      <input {...input} id={id} className={css.input} aria-invalid={error ? true : undefined} aria-describedby={`${id}-hint`} />
      {after}
    </FieldFrame>
  );
}

/** Password with a show toggle; password managers and paste are welcome. */
export function PasswordField(props: Omit<Props, 'type' | 'after'>) {
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
  /** Dots in place of digits, for the fund password. */
  secret?: boolean;
  autoFocus?: boolean;
  ref?: Ref<HTMLInputElement>;
}

/** Six digits in one input, drawn as six boxes; typing, paste and autofill work. */
export function CodeField({ label, aside, error, hint, value, onValue, secret = false, ...rest }: CodeProps) {
  const id = useId();
  return (
    <div className={css.field}>
      <div className={css.label}>
        <label htmlFor={id}>{label}</label>
        {aside && <span>{aside}</span>}
      </div>
      <div className={error ? `${css.code} ${css.bad}` : css.code}>
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
      </div>
      <div id={`${id}-hint`} className={error ? `${css.hint} ${css.error}` : css.hint} role={error ? 'alert' : undefined}>
        {error ? (
          <>
            <Icon name="warn" size={16} />
            <span>{error}</span>
          </>
        ) : (
          hint
        )}
      </div>
    </div>
  );
}

interface SearchProps {
  /** Accessible name and placeholder. */
  label: string;
  value: string;
  onValue: (text: string) => void;
}

/** Search over a list; a filled one has a clear button. */
export function SearchField({ label, value, onValue }: SearchProps) {
  return (
    <div className={`${css.box} ${css.search}`}>
      <Icon name="search" size={20} />
      <input
        className={css.input}
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onValue(event.target.value)}
      />
      {value && (
        <button type="button" className={css.toggle} aria-label={t('ui.clear')} onClick={() => onValue('')}>
          <Icon name="close" size={18} />
        </button>
      )}
    </div>
  );
}
