import { t, type Key } from '../../lib/i18n';
import { Icon } from '../../ui/Icon';
import css from './Identity.module.css';

/** Progress of the submission. */
export function Steps({ names, at }: { names: readonly Key[]; at: number }) {
  return (
    <ol className={css.steps}>
      {names.map((name, n) => (
        <li key={name} className={n <= at ? css.on : undefined} aria-current={n === at ? 'step' : undefined}>
          <i aria-hidden="true">{n < at ? <Icon name="check" size={14} /> : n + 1}</i>
          {t(name)}
        </li>
      ))}
    </ol>
  );
}
