import type { Ref } from 'react';
import { Icon } from '../../ui/Icon';
import css from './kit.module.css';

export function SearchBox({ label, value, onValue, ref }: { label: string; value: string; onValue: (text: string) => void; ref?: Ref<HTMLInputElement> }) {
  return (
    <div className={css.search}>
      <Icon name="search" size={16} />
      <input
        {...(ref && { ref })}
        type="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
      />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}
