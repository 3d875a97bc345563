import type { ComponentProps, ReactNode } from 'react';
import { withoutStop } from '../lib/i18n';
import css from './Button.module.css';

export type ButtonKind = 'commit' | 'up' | 'down' | 'quiet' | 'line' | 'text';
interface Look {
  kind?: ButtonKind;
  small?: boolean;
  /** Full width. */
  wide?: boolean;
}
const look = ({ kind = 'quiet', small, wide }: Look, off = false) =>
  [css.button, css[kind], small && css.small, wide && css.wide, off && css.off].filter(Boolean).join(' ');

interface Props extends Look, Omit<ComponentProps<'button'>, 'className'> {
  loading?: boolean;
  /** Why it cannot be pressed: replaces the label. A press calls `onBlocked` to lead to the first problem. */
  reason?: string | undefined;
  onBlocked?: () => void;
  children: ReactNode;
}

export function Button({ kind, small, wide, loading = false, reason, onBlocked, onClick, children, type = 'button', ...rest }: Props) {
  const off = loading || reason !== undefined || rest.disabled === true;
  return (
    <button
      {...rest}
      type={reason !== undefined || loading ? 'button' : type}
      className={look({ ...(kind && { kind }), ...(small && { small }), ...(wide && { wide }) }, off)}
      aria-disabled={off || undefined}
      aria-busy={loading || undefined}
      onClick={loading ? undefined : reason === undefined ? onClick : onBlocked}
    >
      {loading && <span className={css.ring} />}
      <span>{withoutStop(reason ?? children)}</span>
    </button>
  );
}

interface LinkProps extends Look, Omit<ComponentProps<'a'>, 'className'> {}

/** A link that looks like a button. */
export function ButtonLink({ kind, small, wide, children, ...rest }: LinkProps) {
  return (
    <a {...rest} className={look({ ...(kind && { kind }), ...(small && { small }), ...(wide && { wide }) })}>
      <span>{withoutStop(children)}</span>
    </a>
  );
}

/** Inline link in accent. */
export function TextLink({ children, ...rest }: Omit<ComponentProps<'a'>, 'className'>) {
  return (
    <a {...rest} className={css.link}>
      {children}
    </a>
  );
}

/** Icon button of 44 px with an accessible name. */
export function IconButton({ label, children, ...rest }: Omit<ComponentProps<'button'>, 'className'> & { label: string }) {
  return (
    <button type="button" {...rest} className={css.icon} aria-label={label}>
      {children}
    </button>
  );
}

export function IconLink({ label, children, ...rest }: Omit<ComponentProps<'a'>, 'className'> & { label: string }) {
  return (
    <a {...rest} className={css.icon} aria-label={label}>
      {children}
    </a>
  );
}
