import { href } from '../lib/nav';
import { Icon, type IconName } from './Icon';
import css from './QuickActions.module.css';

export interface QuickAction {
  path: string;
  query?: Readonly<Record<string, string | number>>;
  icon: IconName;
  label: string;
}

/** Money actions side by side. */
export function QuickActions({ label, actions }: { label: string; actions: readonly QuickAction[] }) {
  return (
    <nav className={css.actions} aria-label={label}>
      {actions.map((action) => (
        <a key={action.path} href={href(action.path, action.query)}>
          <i>
            <Icon name={action.icon} />
          </i>
          {action.label}
        </a>
      ))}
    </nav>
  );
}
