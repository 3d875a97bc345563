import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useDelay, useNow } from '../../lib/clock';
import * as time from '../../lib/time';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/Icon';
import { useIdle } from '../idle';
import { span } from '../model/queue';
import { grouped } from '../model/values';
import { refresh } from '../reads';
import { codeOf, told } from '../words';
import css from './kit.module.css';

/** The time format of every screen: 20 Nov 2026, 21:08:20 (UTC+7). */
export const stamp = (ms: number): string => time.stamp(ms, 'en');
/** Replaces instants in milliseconds in a text, and groups the thousands of its figures. */
export const timed = (text: string): string => grouped(text).replace(/\b\d{13}\b/g, (ms) => stamp(parseInt(ms, 10)));

export function Loading({ rows = 6 }: { rows?: number }) {
  const late = useDelay(200);
  return (
    <div aria-busy="true" className={css.loading}>
      <span className="vh" role="status">
        Loading
      </span>
      {late && Array.from({ length: rows }, (_, n) => <i key={n} aria-hidden="true" />)}
    </div>
  );
}

export function Nothing({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className={css.plate}>
      <Icon name="check" size={32} />
      <h2 className="h3">{title}</h2>
      {children && <p className="t2">{children}</p>}
    </div>
  );
}

/** What failed, its stable name, and an action. */
export function Failure({ error, what, retry }: { error: unknown; what?: string; retry?: () => unknown }) {
  return (
    <div className={css.failure} role="alert">
      <Icon name="warn" size={18} />
      <p className="grow">
        {what && <b>{what} </b>}
        {told(error)} <span className="t2 code">{codeOf(error)}</span>
      </p>
      {retry && (
        <Button small kind="line" onClick={() => retry()}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** Shown in place of a screen that failed. */
export function Broken({ retry }: { retry: () => void }) {
  return (
    <main className={css.plate} role="alert">
      <Icon name="warn" size={32} />
      <h1 className="h3">This page stopped working</h1>
      <p className="t2">The fault is ours. The other pages still work.</p>
      <Button small onClick={retry}>
        Try again
      </Button>
      <Button small kind="line" onClick={() => location.reload()}>
        Reload
      </Button>
    </main>
  );
}

interface ReadyProps<T> {
  query: UseQueryResult<T>;
  what: string;
  empty?: ReactNode;
  isEmpty?: (data: T) => boolean;
  children: (data: T) => ReactNode;
}

/** Loading, failed, empty, loaded. Old rows stay, with their time, when a refresh fails. */
export function Ready<T>({ query, what, empty, isEmpty, children }: ReadyProps<T>) {
  const { data, error, dataUpdatedAt, refetch } = query;
  if (data === undefined) return error ? <Failure error={error} what={`${what} did not load.`} retry={refetch} /> : <Loading />;
  return (
    <>
      {error && <Failure error={error} what={`Could not refresh. This is as of ${time.clock(time.serverTime(dataUpdatedAt), 'en', true)}.`} retry={refetch} />}
      {isEmpty?.(data) ? empty : children(data)}
    </>
  );
}

/** The age of the data, and a button to refresh it. */
export function Age({ at }: { at: number }) {
  const now = useNow();
  const resting = useIdle((state) => state.resting);
  return (
    <button type="button" className={css.age} onClick={refresh} aria-label="Refresh now">
      <Icon name={resting ? 'pause' : 'refresh'} size={14} />
      <span className="num" aria-live="off">
        {at === 0 ? '—' : resting ? `Paused since ${time.clock(time.serverTime(at), 'en')}. Move the pointer to resume` : `${span(now - at)} old`}
      </span>
    </button>
  );
}

export function Pager({ page, last, onPage }: { page: number; last: number; onPage: (page: number) => void }) {
  // A page that lost its last row still leads back.
  if (last <= 1 && page <= 1) return null;
  return (
    <nav className={css.pager} aria-label="Pages">
      <Button small kind="line" disabled={page <= 1} onClick={() => page > 1 && onPage(page - 1)}>
        Previous
      </Button>
      <span className="num t2">
        Page {page} of {last}
      </span>
      <Button small kind="line" disabled={page >= last} onClick={() => page < last && onPage(page + 1)}>
        Next
      </Button>
    </nav>
  );
}
