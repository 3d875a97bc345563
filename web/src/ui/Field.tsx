import { useEffect, useId, type ComponentProps, type ReactNode, type Ref, type RefObject } from 'react';
import { t } from '../lib/i18n';
import { Icon } from './Icon';
import css from './Field.module.css';

export interface FrameProps {
  label: ReactNode;
  /** Right of the label: an available amount, or a link. */
  aside?: ReactNode;
  /** What is wrong, and how to fix it. */
  error?: string | undefined;
  hint?: ReactNode;
  /** Shown whether or not there is an error. */
  below?: ReactNode;
}

/** Label, box and hint line of every field. The line is always reserved, so that a complaint moves nothing. */
export function FieldFrame({ label, aside, error, hint, below, id, box = css.box, children }: FrameProps & { id: string; box?: string | undefined; children: ReactNode }) {
  return (
    <div className={css.field}>
      <div className={css.label}>
        <label htmlFor={id}>{label}</label>
        {aside && <span className="num">{aside}</span>}
      </div>
      <div className={error ? `${box} ${css.bad}` : box}>{children}</div>
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
      {below && (
        <p className={css.below} role="status">
          {below}
        </p>
      )}
    </div>
  );
}

type InputProps = Omit<ComponentProps<'input'>, 'className' | 'id'>;
export interface FieldProps extends FrameProps, InputProps {
  /** Inside the box, before and after the text. */
  before?: ReactNode;
  after?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

export function Field({ label, aside, error, hint, below, before, after, ...input }: FieldProps) {
  const id = useId();
  return (
    <FieldFrame id={id} label={label} aside={aside} error={error} hint={hint} below={below}>
      {before}
      <input {...input} id={id} className={css.input} aria-invalid={error ? true : undefined} aria-describedby={`${id}-hint`} />
      {after}
    </FieldFrame>
  );
}

interface SearchProps {
  /** Accessible name and placeholder. */
  label: string;
  value: string;
  onValue: (text: string) => void;
}

/** Search over a list; a filled field has a clear button. */
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

/** Focuses the field in a box that shows the refusal, so that it is read out and can be corrected at once. */
export function useRefused(box: RefObject<HTMLElement | null>, refused: unknown): void {
  useEffect(() => {
    if (refused) box.current?.querySelector<HTMLElement>('input[aria-invalid="true"]')?.focus();
  }, [box, refused]);
}

/** Focuses a field of a form by its name. */
export function focusField(form: HTMLFormElement | null, name: string): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLElement) field.focus();
}
