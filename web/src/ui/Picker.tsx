import { useId, useState, type ReactNode } from 'react';
import { t } from '../lib/i18n';
import { plain } from '../lib/search';
import { SearchField } from './Field';
import { Icon } from './Icon';
import { EmptyState } from './ListState';
import { Radios } from './Radios';
import { Sheet } from './Sheet';
import look from './Field.module.css';
import css from './Picker.module.css';

export interface PickerOption<T extends string | number> {
  value: T;
  label: ReactNode;
  /** Right of the label: a balance, a dial code. */
  aside?: ReactNode;
  lead?: ReactNode;
  /** The text that the search matches, ignoring case. */
  search?: string;
}
interface SheetProps<T extends string | number> {
  open: boolean;
  onClose: () => void;
  title: string;
  options: readonly PickerOption<T>[];
  value: T | undefined;
  onValue: (value: T) => void;
  /** A search field on top, for long lists. */
  searchable?: boolean;
}

/** One choice from a list, in a sheet. */
export function PickerSheet<T extends string | number>({ open, onClose, title, options, value, onValue, searchable = false }: SheetProps<T>) {
  const [text, setText] = useState('');
  const wanted = plain(text.trim());
  const rows = wanted ? options.filter((option) => option.search && plain(option.search).includes(wanted)) : options;
  return (
    <Sheet open={open} onClose={onClose} title={title}>
      {searchable && <SearchField label={t('ui.search')} value={text} onValue={setText} />}
      <div className={searchable ? css.long : undefined}>
        <Radios
          label={title}
          className={css.list}
          row={css.option}
          leadOnly
          options={rows.map((option) => ({
            value: option.value,
            content: (
              <>
                {option.lead}
                <span className="grow m">{option.label}</span>
                {option.aside && <span className="t2 num">{option.aside}</span>}
                <span className={css.check}>{option.value === value && <Icon name="check" size={20} />}</span>
              </>
            ),
          }))}
          value={value}
          onValue={(chosen) => {
            onValue(chosen);
            onClose();
          }}
        />
        {rows.length === 0 && <EmptyState icon="search" title={t('ui.noMatch', { text })} />}
      </div>
    </Sheet>
  );
}

interface SelectProps<T extends string | number> extends Omit<SheetProps<T>, 'open' | 'onClose' | 'title'> {
  label: string;
  placeholder?: string;
  /** The name by which its form finds it. */
  name?: string | undefined;
  /** Only the control, for a prefix inside another field. */
  bare?: boolean;
  /** The text of the control; the chosen option's label if absent. */
  shown?: ReactNode;
}

/** A field that opens a picker. */
export function Select<T extends string | number>({ label, placeholder, name, bare = false, shown, ...picker }: SelectProps<T>) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const chosen = picker.options.find((option) => option.value === picker.value);
  const control = (
    <button type="button" id={id} name={name} className={bare ? css.bare : css.control} aria-haspopup="dialog" {...(bare && { 'aria-label': typeof shown === 'string' ? `${label} ${shown}` : label })} onClick={() => setOpen(true)}>
      {!bare && chosen?.lead}
      <span className={chosen ? 'grow' : 'grow t3'}>{shown ?? chosen?.label ?? placeholder}</span>
      <Icon name="down" size={16} />
    </button>
  );
  return (
    <>
      {bare ? (
        control
      ) : (
        <div className={look.field}>
          <div className={look.label}>
            <label htmlFor={id}>{label}</label>
          </div>
          <div className={look.box}>{control}</div>
        </div>
      )}
      <PickerSheet {...picker} open={open} onClose={() => setOpen(false)} title={label} />
    </>
  );
}
