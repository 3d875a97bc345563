import type { ReactNode } from 'react';
import { useDelay } from '../lib/clock';
import { Refusal } from '../lib/errors';
import { t, useLocale } from '../lib/i18n';
import { toLogin } from '../lib/nav';
import { useConnected } from '../lib/online';
import { clock, serverTime } from '../lib/time';
import { Button } from './Button';
import { Icon, type IconName } from './Icon';
import css from './ListState.module.css';

/** Placeholder rows of the real height, shown after 200 ms. */
export function SkeletonRows({ rows = 4 }: { rows?: number }) {
  const late = useDelay(200);
  return (
    <div aria-busy="true" className={css.skeleton} style={{ minHeight: rows * 60 }}>
      <span className="vh" role="status">
        {t('ui.loading')}
      </span>
      {late &&
        Array.from({ length: rows }, (_, n) => (
          <div key={n} className={css.row} aria-hidden="true">
            <u />
            <i />
            <i />
          </div>
        ))}
    </div>
  );
}

/** A line of text that is still loading. */
export const Skeleton = ({ width = 96, height = 16 }: { width?: number; height?: number }) => (
  <span className={css.line} style={{ width, height }} aria-hidden="true" />
);

interface EmptyStateProps {
  icon: IconName;
  title: ReactNode;
  text?: ReactNode;
  children?: ReactNode;
}

/** An icon, what is empty, and one action. */
export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <div className={css.plate}>
      <span className="t2">
        <Icon name={icon} size={32} />
      </span>
      <h2 className="h3">{title}</h2>
      {text && <p className="t2 lab">{text}</p>}
      {children && <div className={css.actions}>{children}</div>}
    </div>
  );
}

/** Asks a guest to log in to see this. */
export const GuestPlate = ({ title, text }: { title: ReactNode; text?: ReactNode }) => (
  <EmptyState icon="lock" title={title} text={text ?? t('ui.guestText')}>
    <Button kind="commit" small onClick={() => toLogin()}>
      {t('ui.logIn')}
    </Button>
    <Button small onClick={() => toLogin('choose')}>
      {t('ui.createAccount')}
    </Button>
  </EmptyState>
);

interface Props<T> {
  /** A react-query result, or anything of its shape. */
  query: { data: T | undefined; isError: boolean; error?: Error | null; isPending: boolean; dataUpdatedAt?: number; refetch: () => unknown };
  /** Shown instead of everything for a guest. */
  guest?: ReactNode;
  isEmpty?: (data: T) => boolean;
  empty?: ReactNode;
  /** Says what did not load, and what is safe. */
  errorTitle: ReactNode;
  errorText?: ReactNode;
  rows?: number;
  children: (data: T) => ReactNode;
}

/**
 * The states of every list: guest, loading, not found, error with retry, empty, data. Old data stays when a refresh fails or the connection is lost,
 * and shows its age.
 */
export function ListState<T>({ query, guest, isEmpty, empty, errorTitle, errorText, rows = 4, children }: Props<T>) {
  const locale = useLocale();
  const connected = useConnected();
  if (guest) return guest;
  if (query.data !== undefined) {
    if (isEmpty?.(query.data)) return empty;
    const asOf = query.dataUpdatedAt ? <span className="num t2">{t('ui.asOf', { time: clock(serverTime(query.dataUpdatedAt), locale, true) })}</span> : null;
    return (
      <>
        {query.isError && (
          <div className={css.failed} role="status">
            <Icon name="warn" size={16} />
            <span className="grow col">
              <span>{errorTitle}</span>
              {asOf}
            </span>
            <Button kind="text" small onClick={() => query.refetch()}>
              {t('ui.tryAgain')}
            </Button>
          </div>
        )}
        {!connected && !query.isError && asOf && <p className={css.asOf}>{asOf}</p>}
        <div className={connected ? css.rows : css.dimmed}>{children(query.data)}</div>
      </>
    );
  }
  if (query.isError) {
    // What does not exist will not load at another try either.
    if (query.error instanceof Refusal && query.error.code === 'E_NOT_FOUND') return <EmptyState icon="search" title={t('app.notFound')} text={t('app.notFoundText')} />;
    return (
      <EmptyState icon="warn" title={errorTitle} text={errorText}>
        <Button small onClick={() => query.refetch()}>
          <Icon name="refresh" size={16} />
          {t('ui.tryAgain')}
        </Button>
      </EmptyState>
    );
  }
  return <SkeletonRows rows={rows} />;
}
