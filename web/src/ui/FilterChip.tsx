import { useState } from 'react';
import { Chip } from './Choice';
import { Icon } from './Icon';
import { PickerSheet, type PickerOption } from './Picker';

interface Props<T extends string | number> {
  /** Title of the sheet. */
  label: string;
  options: readonly PickerOption<T>[];
  value: T;
  /** The value that filters nothing. */
  all?: T;
  onValue: (value: T) => void;
}

/** A filter of a list: shows the chosen value and opens its choices in a sheet. */
export function FilterChip<T extends string | number>({ label, options, value, all, onValue }: Props<T>) {
  const [open, setOpen] = useState(false);
  const chosen = options.find((option) => option.value === value);
  return (
    <>
      <Chip on={all !== undefined && value !== all} aria-haspopup="dialog" aria-label={typeof chosen?.label === 'string' ? `${label}: ${chosen.label}` : label} onClick={() => setOpen(true)}>
        {chosen?.label ?? label}
        <Icon name="down" size={14} />
      </Chip>
      <PickerSheet open={open} onClose={() => setOpen(false)} title={label} options={options} value={value} onValue={onValue} />
    </>
  );
}
